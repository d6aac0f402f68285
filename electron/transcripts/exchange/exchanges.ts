import { randomUUID } from 'node:crypto';
import { access, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TaggedError, taggedError } from '../../../shared/protocol/errors.ts';
import type { ExportProgress } from '../../../shared/protocol/transcript-requests.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { EXCHANGE, IMPORT_MAX_BYTES, PIECE_MAX_BYTES } from '../../../shared/transcripts/limits.ts';
import type {
  ExportFormat,
  ExportReport,
  Redaction,
  TranscriptSummary,
} from '../../../shared/transcripts/transcript.ts';
import { segmentName } from '../cast/segments.ts';
import { exportInThread, importInThread } from './exchange-thread.ts';
import { IMPORTING } from './import/make-import.ts';
import { KeptFiles, removeLeftovers } from './kept-files.ts';
import type { ExchangeJob } from './messages.ts';

export interface ExchangesOptions {
  /** Of all transcripts. */
  readonly folder: string;
  /** For exports until they are read, and imports until they are whole; made when missing. */
  readonly scratchFolder: string;
  readonly deadlineMs?: number;
}

export interface ExportWish {
  readonly id: string;
  readonly format: ExportFormat;
  readonly redactions: readonly Redaction[];
  readonly withInput: boolean;
  /** A new one; chosen here when it is left out. */
  readonly exportId?: string | undefined;
}

/** An export that is being made. */
interface Making {
  readonly cancel: AbortController;
  progress: ExportProgress;
}

export interface ImportPiece {
  readonly importId: string;
  readonly fileName: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

type Answer<T> = Promise<Result<T, TaggedError>>;

/**
 * Exports and imports of a host. Threads make them; files hold them on their way, for as long as somebody reads or sends.
 * Nothing here changes a transcript that there is.
 */
export class Exchanges {
  readonly #folder: string;
  readonly #exports: KeptFiles<null>;
  readonly #making = new Map<string, Making>();
  readonly #imports: KeptFiles<{ bytes: number }>;
  readonly #deadlineMs: number;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #cleaned: Promise<unknown>;

  constructor({ folder, scratchFolder, deadlineMs = EXCHANGE.deadlineMs }: ExchangesOptions) {
    this.#folder = folder;
    this.#deadlineMs = deadlineMs;
    this.#exports = new KeptFiles(scratchFolder);
    this.#imports = new KeptFiles(scratchFolder);
    this.#cleaned = Promise.all([removeLeftovers(scratchFolder), removeLeftovers(folder, IMPORTING)]);
  }

  /** `gone`: nobody waits for it any more. */
  async export(
    { id, exportId = randomUUID(), ...wish }: ExportWish,
    gone?: AbortSignal,
  ): Answer<ExportReport> {
    const folder = join(this.#folder, id);
    if (this.#making.has(exportId) || this.#exports.use(exportId) !== null) return fail(TAKEN);
    const making: Making = { cancel: new AbortController(), progress: { share: 0, bytes: 0 } };
    this.#making.set(exportId, making);
    const cancelled = AbortSignal.any([making.cancel.signal, ...(gone === undefined ? [] : [gone])]);
    try {
      if (!(await exists(join(folder, segmentName(1))))) return fail(UNKNOWN);
      const made = await this.#inThread('export', async (late) => {
        const stop = AbortSignal.any([late, cancelled]);
        const path = await this.#exports.place(`export-${exportId}`);
        const exported = await exportInThread({ folder, path, ...wish }, stop, (progress) => {
          making.progress = progress;
        });
        if (!exported.ok) return fail(taggedError('redaction-invalid', exported.error));
        this.#exports.keep(exportId, path, null);
        return ok({ exportId, ...exported.value });
      });
      if (!cancelled.aborted) return made;
      await this.#exports.forget(exportId);
      return fail(CANCELLED);
    } finally {
      this.#making.delete(exportId);
    }
  }

  /** Of an export that is being made. */
  progress(exportId: string): Result<ExportProgress, TaggedError> {
    const making = this.#making.get(exportId);
    return making === undefined ? fail(NOT_MADE) : ok(making.progress);
  }

  /** Ends the making of an export, or forgets one that is kept. Never rejects. */
  async cancel(exportId: string): Promise<void> {
    this.#making.get(exportId)?.cancel.abort();
    await this.#exports.forget(exportId);
  }

  /** Empty at the end. */
  async piece(exportId: string, offset: number): Answer<Uint8Array> {
    const found = this.#exports.use(exportId);
    if (found === null) return fail(FORGOTTEN);
    const file = await open(found.path, 'r');
    try {
      const buffer = Buffer.alloc(PIECE_MAX_BYTES);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      return ok(buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  }

  /** Pieces come in order; null until the last one has made the transcript. */
  async import(piece: ImportPiece): Answer<TranscriptSummary | null> {
    const added = await this.#add(piece).catch((error: NodeJS.ErrnoException) => failed('import', error));
    if (!added.ok) {
      await this.#imports.forget(piece.importId);
      return added;
    }
    if (!piece.last) return ok(null);
    const path = added.value;
    const made = await this.#inThread('import', async (stop) => {
      const plan = { path, fileName: piece.fileName, id: randomUUID(), folder: this.#folder };
      const imported = await importInThread(plan, stop);
      return imported.ok ? imported : fail(taggedError('import-invalid', imported.error));
    });
    await this.#imports.forget(piece.importId);
    return made;
  }

  /** Ends what is being made, and removes every file. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([this.#cleaned, ...this.#running]);
    await Promise.all([this.#exports.close(), this.#imports.close()]);
  }

  /** The path of what has come so far. */
  async #add({ importId, offset, bytes }: ImportPiece): Answer<string> {
    const known = this.#imports.use(importId);
    const path = known?.path ?? (await this.#imports.place(`import-${importId}`));
    const about = known?.about ?? { bytes: 0 };
    if (offset !== about.bytes)
      return fail(taggedError('import-invalid', 'The pieces of the file came out of order.'));
    if (offset + bytes.length > IMPORT_MAX_BYTES) return fail(TOO_LARGE);
    about.bytes += bytes.length;
    if (known === null) this.#imports.keep(importId, path, about);
    const file = await open(path, known === null ? 'wx' : 'a', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    return ok(path);
  }

  async #inThread<T>(what: ExchangeJob['kind'], run: (stop: AbortSignal) => Answer<T>): Answer<T> {
    if (this.#closing.signal.aborted) return fail(CLOSING);
    if (this.#running.size >= EXCHANGE.threads) return fail(BUSY);
    const late = AbortSignal.timeout(this.#deadlineMs);
    const running = run(AbortSignal.any([this.#closing.signal, late])).catch(
      (error: NodeJS.ErrnoException) =>
        late.aborted ? tooLate(what, this.#deadlineMs) : failed(what, error),
    );
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }
}

const UNKNOWN = taggedError('transcript-unknown', 'There is no such transcript.');
const TAKEN = taggedError('invalid-parameters', 'There is an export of this id. Choose another exportId.');
const NOT_MADE = taggedError('export-unknown', 'No export of this id is being made.');
const CANCELLED = taggedError('export-cancelled', 'The export was cancelled; nothing of it is kept.');
const FORGOTTEN = taggedError('export-unknown', 'This export is not kept any more. Export it once more.');
const TOO_LARGE = taggedError(
  'import-invalid',
  `The file has more than ${IMPORT_MAX_BYTES / 1024 / 1024} MiB.`,
);
const CLOSING = taggedError('host-closing', 'Airlock is closing.');
const BUSY = taggedError(
  'too-many-requests',
  `${EXCHANGE.threads} exports or imports are being made already. Try again when one is done.`,
);

const TAKES_LESS: Readonly<Record<ExchangeJob['kind'], string>> = {
  export: 'Fewer or simpler patterns take less.',
  import: 'A shorter recording takes less.',
};

function tooLate(what: ExchangeJob['kind'], deadlineMs: number): Result<never, TaggedError> {
  const text = `The ${what} was given up after ${deadlineMs / 1_000} s. ${TAKES_LESS[what]}`;
  return fail(taggedError('transcripts-unavailable', text));
}

function failed(what: string, { code, message }: NodeJS.ErrnoException): Result<never, TaggedError> {
  const why = code === 'ENOSPC' ? 'The disk is full.' : message;
  return fail(taggedError('transcripts-unavailable', `The ${what} failed: ${why}`));
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
