/**
 * Where input bytes come from (DESIGN 3). Only `typed` is scanned for escape sequences and moves the
 * start-of-line state (ST-16); `reply` is what the terminal itself answers (DA, CPR, mouse, focus).
 */
export const INPUT_ORIGINS = ['typed', 'paste', 'reply', 'program'] as const;
export type InputOrigin = (typeof INPUT_ORIGINS)[number];
