/**
 * Where input bytes come from (DESIGN 3). Only `typed` is scanned for escape sequences (ST-16); `reply` is what the
 * terminal itself answers (DA, CPR, mouse, focus) and, unlike the others, never decides whether a line starts (ST-15).
 */
export const INPUT_ORIGINS = ['typed', 'paste', 'reply', 'program'] as const;
export type InputOrigin = (typeof INPUT_ORIGINS)[number];
