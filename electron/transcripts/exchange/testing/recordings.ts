import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UntimedMoment } from '../../../../shared/transcripts/moment.ts';
import { CastEncoder, formatHeader } from '../../cast/encoder.ts';
import type { CastHeader } from '../../cast/header.ts';
import { segmentName } from '../../cast/segments.ts';

export const RECORDING_ID = '5d0c2a2e-8f0a-4f6e-9a53-0d9f1f4a7b10';

export type Step =
  | string
  | Uint8Array
  | { readonly input: string }
  | { readonly cols: number; readonly rows: number }
  | { readonly moment: UntimedMoment }
  | 'next segment';

/** Writes a recording as the recorder does, a tenth of a second between two steps. */
export function writeRecording(
  folder: string,
  steps: readonly Step[],
  header: Partial<CastHeader> = {},
): void {
  mkdirSync(folder, { recursive: true });
  const encoder = new CastEncoder();
  const about: CastHeader = {
    version: 3,
    term: { cols: 40, rows: 5, type: 'xterm-256color' },
    timestamp: 1_700_000_000,
    title: 'work',
    ...header,
  };
  let { term } = about;
  const headerOf = (segment: number): CastHeader => ({
    ...about,
    term,
    airlock: {
      format: 1,
      ...{ id: RECORDING_ID, segment, kind: 'shell', profileId: 'work', profileName: 'Work' },
      ...{ engine: 'bubblewrap', posture: [], recordsInput: true, startOffsetUs: encoder.lastUs },
    },
  });
  const segments = [formatHeader(headerOf(1))];
  const add = (lines: Buffer) => segments.push((segments.pop() ?? '') + lines);
  steps.forEach((step, index) => {
    const atUs = index * 100_000;
    if (step === 'next segment') segments.push(formatHeader(headerOf(segments.length + 1)));
    else if (typeof step === 'string') add(encoder.output(atUs, Buffer.from(step)));
    else if (step instanceof Uint8Array) add(encoder.output(atUs, step));
    else if ('input' in step) add(encoder.input(atUs, Buffer.from(step.input)));
    else if ('moment' in step) add(encoder.moment(atUs, step.moment));
    else {
      add(encoder.resize(atUs, step));
      term = { ...term, ...step };
    }
  });
  const outcome = { kind: 'exited', code: 0 } as const;
  const ending = { kind: 'ended', cause: 'program-ended', outcome, removed: true } as const;
  add(encoder.end(steps.length * 100_000, ending));
  for (const [index, segment] of segments.entries()) {
    writeFileSync(join(folder, segmentName(index + 1)), segment);
  }
}

export function linesOf(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
