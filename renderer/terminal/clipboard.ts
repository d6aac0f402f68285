const NOT_WRITTEN = 'The clipboard could not be written.';
const NOT_READ = 'The clipboard may not be read from here. Paste with the keyboard instead.';

/** Null when done, else why not, for a person. */
export async function writeClipboard(text: string): Promise<string | null> {
  try {
    await navigator.clipboard.writeText(text);
    return null;
  } catch {
    return copyBySelection(text) ? null : NOT_WRITTEN;
  }
}

export async function readClipboard(): Promise<{ text: string } | { refused: string }> {
  try {
    return { text: await navigator.clipboard.readText() };
  } catch {
    return { refused: NOT_READ };
  }
}

/** The older way, which browsers allow during a click or a key without a permission. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}
