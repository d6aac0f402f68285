/** Whole name, and one label of it, in characters (RFC 1035). */
const NAME_MAX = 253;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * A host name of letters, digits, `.` and `-`. One that ends in a number (`10.1`, `0x7f.1`, `2130706433`) is refused: programs
 * take it for an address, which the scope could not see.
 */
export function isHostName(text: string): boolean {
  if (text === '' || text.length > NAME_MAX) return false;
  const labels = text.split('.');
  if (!labels.every((label) => LABEL.test(label))) return false;
  return !/^([0-9]+|0[xX][0-9A-Fa-f]*)$/.test(labels.at(-1) ?? '');
}
