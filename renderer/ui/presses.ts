let isHeld = false;
let waiting: (() => void)[] = [];

/**
 * Follows whether a pointer is held down, for as long as the page lives. Heard before everything else: what waits for the end
 * of a press is done before what the press itself does, which comes with the click.
 */
export function followPresses(): void {
  const heard = { capture: true } as const;
  window.addEventListener('pointerdown', () => hold(true), heard);
  // A key as well, and another window: a menu of the browser's own takes the end of a press for itself.
  for (const end of ['pointerup', 'pointercancel', 'keydown'])
    window.addEventListener(end, () => hold(false), heard);
  window.addEventListener('blur', () => hold(false));
}

/** Runs at once, or, while a pointer is held down, when it is let go: until then nothing moves under it. */
export function afterPress(run: () => void): void {
  if (isHeld) waiting.push(run);
  else run();
}

function hold(held: boolean): void {
  const due = waiting;
  waiting = [];
  isHeld = held;
  for (const run of due) run();
}
