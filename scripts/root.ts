import { dirname } from 'node:path';

/** The checkout's top folder. */
export const ROOT = dirname(import.meta.dirname);
