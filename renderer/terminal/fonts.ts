/** Milliseconds to wait for a font; a terminal that waits longer opens with what there is. */
const FONT_DEADLINE_MS = 3_000;

/** Loads a font in the weights that a terminal uses, so that cells are measured with it. Never rejects. */
export async function loadFont(family: string, sizePx: number): Promise<void> {
  const faces = ['400', '700'].map((weight) =>
    document.fonts.load(`${weight} ${sizePx}px ${fontList(family)}`).catch(() => []),
  );
  const deadline = new Promise((resolve) => setTimeout(resolve, FONT_DEADLINE_MS));
  await Promise.race([Promise.all(faces), deadline]);
}

/** A CSS font list that always ends in a monospaced font. The name is quoted: it comes from a settings file. */
export function fontList(family: string): string {
  return `${JSON.stringify(family)}, monospace`;
}
