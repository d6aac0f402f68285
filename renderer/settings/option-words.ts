const SPECIAL: Record<string, string> = {
  webgl: 'WebGL',
  dom: 'DOM',
  none: 'None',
  host: 'On',
  qemu: 'QEMU',
  runsc: 'gVisor (runsc)',
};

/** An option of the schema as a button's label: "high-contrast" → "High contrast". */
export function optionLabel(option: string): string {
  const words = option.replaceAll('-', ' ');
  return SPECIAL[option] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** A setting's value in words, for "Reset … to …". */
export function valueWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (value === null || value === '') return 'none';
  return typeof value === 'string' ? optionLabel(value) : String(value);
}
