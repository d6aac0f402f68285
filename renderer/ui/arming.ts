/** Milliseconds that a question is on the screen before it can be answered: the second half of a double click is no answer. */
export const ARMING_MS = 600;
