import type { Rectangle } from '../../shared/protocol/governed-requests.ts';

/** A place that a page names in its CSS pixels, as whole pixels of its window and within it. */
export function placeWithin(
  place: Rectangle,
  zoomFactor: number,
  window: { readonly width: number; readonly height: number },
): Rectangle {
  const left = cut(Math.round(place.x * zoomFactor), window.width);
  const top = cut(Math.round(place.y * zoomFactor), window.height);
  const right = cut(Math.round((place.x + place.width) * zoomFactor), window.width);
  const bottom = cut(Math.round((place.y + place.height) * zoomFactor), window.height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function cut(value: number, end: number): number {
  return Math.min(Math.max(value, 0), end);
}
