import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { SEGMENT_MAX_BYTES } from '../../../../shared/transcripts/limits.ts';
import type { TranscriptSummary } from '../../../../shared/transcripts/transcript.ts';
import type { CastHeader, OwnFacts } from '../../cast/header.ts';
import { type ForeignEvent, type ForeignHeader, ImportError } from './foreign-event.ts';
import { readForeign } from './foreign-file.ts';
import { ImportedFolder } from './imported-folder.ts';

export interface ImportPlan {
  /** Of the foreign file. */
  readonly path: string;
  /** As the person knows it. */
  readonly fileName: string;
  /** Of the new transcript. */
  readonly id: string;
  /** Of all transcripts. */
  readonly folder: string;
}

/** What makes a folder none of the transcripts' until it is whole. */
export const IMPORTING = '.import-';

/**
 * Makes a transcript of a foreign asciicast file, v1 to v3. Fails with the line and why; then, and when it throws because
 * files cannot be read or written, nothing is left.
 */
export async function makeImport(
  plan: ImportPlan,
  segmentMaxBytes = SEGMENT_MAX_BYTES,
): Promise<Result<TranscriptSummary, string>> {
  const sha256 = await digestOf(plan.path);
  let imported: ImportedFolder | null = null;
  try {
    const { header, events } = readForeign(plan.path);
    imported = new ImportedFolder(
      join(plan.folder, IMPORTING + plan.id),
      headerOf(plan, header, sha256),
      segmentMaxBytes,
    );
    const facts = write(imported, header, events);
    const bytes = imported.finish(join(plan.folder, plan.id));
    return ok(summaryOf(plan, header, facts, bytes));
  } catch (error) {
    imported?.abandon();
    if (error instanceof ImportError) return fail(error.message);
    throw error;
  }
}

interface ImportedFacts {
  readonly lastUs: number;
  readonly status: string | null;
}

function write(
  folder: ImportedFolder,
  { size }: ForeignHeader,
  events: Iterable<ForeignEvent>,
): ImportedFacts {
  const { encoder } = folder;
  let current = size;
  let status: string | null = null;
  let held: Extract<ForeignEvent, { kind: 'output' | 'input' }> | null = null;
  const release = (bytes: Uint8Array | null) => {
    if (held === null) return;
    const exact = bytes !== null && Buffer.from(bytes).toString('utf8') === held.text ? bytes : null;
    folder.add(encoder[held.kind](held.atUs, exact ?? Buffer.from(held.text)), current);
    held = null;
  };
  for (const event of events) {
    release(event.kind === 'bytes' ? event.bytes : null);
    if (event.kind === 'output' || event.kind === 'input') held = event;
    else if (event.kind === 'resize') {
      current = event.size;
      folder.add(encoder.resize(event.atUs, event.size), current);
    } else if (event.kind === 'marker') folder.add(encoder.marker(event.atUs, event.label), current);
    else if (event.kind === 'exit') {
      status = event.status;
      folder.add(encoder.exit(event.atUs, event.status), current);
    }
  }
  release(null);
  folder.add(encoder.flush(encoder.lastUs), current);
  return { lastUs: encoder.lastUs, status };
}

function headerOf(
  { id, fileName }: ImportPlan,
  { version, size, type, timestamp, title, command, env }: ForeignHeader,
  sha256: string,
): CastHeader & { airlock: OwnFacts } {
  return {
    version: 3,
    term: { ...size, ...(type !== null && { type }) },
    ...(timestamp !== null && { timestamp }),
    title: title || basename(fileName),
    ...(command !== null && { command }),
    ...(env !== null && { env: { ...env } }),
    airlock: {
      format: 1,
      ...{ id, segment: 1, kind: 'imported', profileId: '', profileName: '', engine: null, posture: [] },
      recordsInput: false,
      startOffsetUs: 0,
      source: { name: basename(fileName), sha256, version },
    },
  };
}

function summaryOf(
  { id, fileName }: ImportPlan,
  { size, timestamp, title }: ForeignHeader,
  { lastUs, status }: ImportedFacts,
  bytes: number,
): TranscriptSummary {
  return {
    id,
    kind: 'imported',
    title: title || basename(fileName),
    profileId: '',
    engine: null,
    product: null,
    startedAt: timestamp === null ? null : new Date(timestamp * 1_000).toISOString(),
    durationMs: lastUs / 1_000,
    size,
    bytes,
    ended: endedOf(status),
    stopped: null,
    approvals: 0,
    receipts: 0,
    indexed: 0,
  };
}

function endedOf(status: string | null): TranscriptSummary['ended'] {
  if (status === null || !/^\d+$/.test(status)) {
    return { how: 'unknown', words: 'The recording does not say how it ended.' };
  }
  return { how: status === '0' ? 'success' : 'failure', words: `Exit code ${status}.` };
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
