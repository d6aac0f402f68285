import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Pixels between the line with the cursor and a strip. */
const GAP = 8;

/**
 * Moves the terminal up under strips that would cover the line with the cursor: a person who is asked about a paste sees
 * the prompt that it goes to. The terminal keeps its size, so the program hears nothing of it.
 */
export function useClearedPrompt(): {
  body: RefObject<HTMLDivElement | null>;
  strips: RefObject<HTMLDivElement | null>;
} {
  const body = useRef<HTMLDivElement>(null);
  const strips = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const over = strips.current;
    if (over === null) return;
    const observer = new ResizeObserver(() => {
      if (body.current !== null) clearPrompt(body.current, over);
    });
    observer.observe(over);
    return () => observer.disconnect();
  }, []);
  return { body, strips };
}

function clearPrompt(body: HTMLElement, strips: HTMLElement): void {
  body.style.setProperty('--terminal-shift', '0px');
  // xterm keeps its text area where the cursor is, for input methods.
  const cursor = body.querySelector('.xterm-helper-textarea')?.getBoundingClientRect();
  if (cursor === undefined || strips.offsetHeight === 0) return;
  const covered = cursor.bottom + GAP - strips.getBoundingClientRect().top;
  if (covered > 0) body.style.setProperty('--terminal-shift', `${-Math.ceil(covered)}px`);
}
