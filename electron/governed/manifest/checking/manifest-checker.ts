import type { Disposable } from '../../../../shared/disposable.ts';
import type { CustomTypes } from '../custom-types.ts';
import type { ParsedManifest } from '../parse-manifest.ts';
import { CheckThread } from './check-thread.ts';

/** Milliseconds of the thread's time that one reading of a folder may take; what it knows already costs none. */
const FOLDER_CHECK_MS = 20_000;
/** Bytes of the texts whose results are kept together. */
const KEPT_MAX_BYTES = 16 * 1024 * 1024;

/** What one reading of a folder has left of its time. */
export interface CheckTime {
  leftMs: number;
}

export interface ManifestText {
  readonly text: string;
  /** SHA-256 of the file, lower-case hex. */
  readonly digest: string;
}

/** The custom types of a project, and the SHA-256 of their file; empty without one. */
export interface ProjectTypes {
  readonly types: CustomTypes;
  readonly digest: string;
}

/**
 * Checks manifests in a thread of its own, each text once: its patterns are compiled there, and no session waits meanwhile. One
 * after the other, in the order of the questions.
 */
export class ManifestChecker implements Disposable {
  readonly #folderMs: number;
  readonly #thread = new CheckThread();
  /** By the digests of the file and of its types, the one that was asked for last at the end. */
  readonly #known = new Map<string, { readonly parsed: ParsedManifest; readonly bytes: number }>();
  #knownBytes = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #disposed = false;

  constructor(folderMs = FOLDER_CHECK_MS) {
    this.#folderMs = folderMs;
  }

  /** For one reading of one folder. */
  newTime(): CheckTime {
    return { leftMs: this.#folderMs };
  }

  /** Never rejects: what cannot be checked is a problem of the file. */
  check(file: ManifestText, types: ProjectTypes, time: CheckTime): Promise<ParsedManifest> {
    const checked = this.#turn.then(() => this.#check(file, types, time));
    this.#turn = checked;
    return checked;
  }

  dispose(): void {
    this.#disposed = true;
    this.#thread.close();
  }

  async #check(
    { text, digest }: ManifestText,
    { types, digest: typesDigest }: ProjectTypes,
    time: CheckTime,
  ): Promise<ParsedManifest> {
    const key = `${digest}:${typesDigest}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#keep(key, known.parsed, known.bytes);
      return known.parsed;
    }
    if (this.#disposed) return unusable('not looked at: Airlock is closing');
    if (time.leftMs <= 0) {
      const others = `the files before it took ${this.#folderMs / 1000} s`;
      return unusable(`not looked at yet: ${others}; it is when the folder is read again`);
    }
    const limitMs = time.leftMs;
    const started = performance.now();
    const parsed = await this.#thread.check({ text, types }, limitMs);
    time.leftMs -= performance.now() - started;
    if (parsed !== null) return this.#keep(key, parsed, text.length);
    const tooMuch = unusable('its patterns take too long or too much memory to compile');
    // One that had less than the whole time has it when the folder is read again.
    return limitMs < this.#folderMs || this.#disposed ? tooMuch : this.#keep(key, tooMuch, text.length);
  }

  #keep(key: string, parsed: ParsedManifest, bytes: number): ParsedManifest {
    this.#forget(key);
    this.#known.set(key, { parsed, bytes });
    this.#knownBytes += bytes;
    for (const oldest of this.#known.keys()) {
      if (this.#knownBytes <= KEPT_MAX_BYTES) break;
      this.#forget(oldest);
    }
    return parsed;
  }

  #forget(key: string): void {
    this.#knownBytes -= this.#known.get(key)?.bytes ?? 0;
    this.#known.delete(key);
  }
}

function unusable(message: string): ParsedManifest {
  return { manifest: null, problems: [{ line: null, key: '', message }], warnings: [] };
}
