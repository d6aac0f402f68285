import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import type { UntimedMoment } from '../../../../shared/transcripts/moment.ts';
import { CastEncoder, formatHeader } from '../../cast/encoder.ts';
import type { Ending } from '../../cast/events.ts';
import type { CastHeader } from '../../cast/header.ts';

export type Recorded =
  | string
  | Uint8Array
  | { readonly size: TerminalSize }
  | { readonly moment: UntimedMoment }
  | { readonly waitMs: number };

export interface RecordingOptions {
  readonly id?: string;
  readonly title?: string;
  readonly startedAt?: string;
  readonly size?: TerminalSize;
  readonly facts?: Partial<CastHeader['airlock']>;
  /** Null: without an end. */
  readonly ending?: Ending | null;
}

export const EXITED: Ending = {
  kind: 'ended',
  cause: 'program-ended',
  outcome: { kind: 'exited', code: 0 },
  removed: true,
};

/** A folder of transcripts; events are a millisecond apart unless something waits. */
export class TestTranscripts {
  readonly folder = mkdtempSync(join(tmpdir(), 'airlock-library-'));

  /** The id of a recording of these events. */
  add(events: readonly Recorded[], options: RecordingOptions = {}): string {
    const { id = randomUUID() } = options;
    const folder = join(this.folder, id);
    mkdirSync(folder);
    writeFileSync(join(folder, '0001.cast'), recordingText(id, events, options));
    return id;
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function recordingText(id: string, events: readonly Recorded[], options: RecordingOptions): string {
  const { title = 'A shell', startedAt = '2026-05-01T10:00:00Z', size = { cols: 80, rows: 24 } } = options;
  const { facts = {}, ending = EXITED } = options;
  const encoder = new CastEncoder();
  const lines: (string | Buffer)[] = [
    formatHeader({
      version: 3,
      term: size,
      timestamp: Date.parse(startedAt) / 1_000,
      title,
      airlock: {
        ...{ format: 1, id, segment: 1, kind: 'shell', profileId: 'shell', profileName: 'Shell' },
        ...{ engine: 'bubblewrap', posture: [], recordsInput: false, startOffsetUs: 0, ...facts },
      },
    }),
  ];
  let atUs = 0;
  for (const event of events) {
    atUs += 1_000;
    if (typeof event === 'string') lines.push(encoder.output(atUs, Buffer.from(event)));
    else if (event instanceof Uint8Array) lines.push(encoder.output(atUs, event));
    else if ('size' in event) lines.push(encoder.resize(atUs, event.size));
    else if ('moment' in event) lines.push(encoder.moment(atUs, event.moment));
    else atUs += event.waitMs * 1_000 - 1_000;
  }
  if (ending !== null) lines.push(encoder.end(atUs + 1_000, ending));
  return lines.join('');
}
