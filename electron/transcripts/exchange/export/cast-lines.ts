import { castLine, formatHeader } from '../../cast/encoder.ts';
import type { Exported } from './exported.ts';

/** A whole recording as one asciicast v3 file, line by line, each with its end. */
export function* castLines(exported: Exported, codes?: ReadonlySet<string>): Generator<string> {
  yield formatHeader(exported.header);
  let lastUs = 0;
  for (const { atUs, code, data } of exported.events()) {
    if (codes !== undefined && !codes.has(code)) continue;
    yield castLine(atUs - lastUs, code, data);
    lastUs = atUs;
  }
}

/** What every player knows. */
export const PLAYED_CODES: ReadonlySet<string> = new Set(['o', 'i', 'r', 'm', 'x']);
