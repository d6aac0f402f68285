const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** "1 GiB", "1.5 MiB", "900 bytes": binary units, at most one decimal. */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${UNITS[unit]}`;
}

/** "1 line", "3 lines". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
