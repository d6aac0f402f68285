/**
 * Text as it is searched: without case, and as long as it was, so that places in one are places in the other. The few
 * letters whose small form is longer stay as they are.
 */
export function fold(text: string): string {
  const folded = text.toLowerCase();
  if (folded.length === text.length) return folded;
  let out = '';
  for (const char of text) {
    const small = char.toLowerCase();
    out += small.length === char.length ? small : char;
  }
  return out;
}
