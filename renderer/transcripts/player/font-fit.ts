/** Pixels of the smallest font that a replay shrinks to; a terminal that is still too large then is scrolled. */
const FONT_MIN = 9;
const STEP = 0.25;

/** The largest font size up to `most` in which `needed` pixels at `fontSize` fit into `room`. */
export function fittingFont(
  fontSize: number,
  needed: { readonly width: number; readonly height: number },
  room: { readonly width: number; readonly height: number },
  most: number,
): number {
  const share = Math.min(room.width / needed.width, room.height / needed.height);
  const size = Math.floor((fontSize * share) / STEP) * STEP;
  return Math.max(Math.min(FONT_MIN, most), Math.min(most, size));
}
