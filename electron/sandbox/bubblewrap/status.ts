import type { Readable } from 'node:stream';

/** Bytes of bwrap's status that are read at most; it writes a few hundred. */
const STATUS_MAX_BYTES = 16 * 1024;

/** What bwrap has reported so far on `--json-status-fd`. */
export interface BwrapStatus {
  /** The sandbox's pid 1, as the host numbers it. */
  readonly childPid: number | null;
  /** The program's exit code, 128 + signal included. Missing when the program never ran. */
  readonly exitCode: number | null;
}

/** Reads the status lines as they come. Every promise resolves with what is known at that moment. */
export class StatusReader {
  #text = '';
  #status: BwrapStatus = { childPid: null, exitCode: null };
  readonly childPid: Promise<number | null>;
  /** When bwrap has closed its end. */
  readonly complete: Promise<BwrapStatus>;

  constructor(pipe: Readable) {
    pipe.setEncoding('utf8');
    this.complete = new Promise((resolve) => {
      pipe.once('close', () => resolve(this.#status));
      pipe.once('end', () => resolve(this.#status));
    });
    this.childPid = new Promise((resolve) => {
      pipe.on('data', (text: string) => {
        if (this.#text.length > STATUS_MAX_BYTES) return;
        this.#text += text;
        this.#status = parseStatus(this.#text);
        if (this.#status.childPid !== null) resolve(this.#status.childPid);
      });
      void this.complete.then((status) => resolve(status.childPid));
    });
  }

  get exitCode(): number | null {
    return this.#status.exitCode;
  }
}

/** One JSON object per line, possibly cut anywhere; what is not whole yet does not count. */
export function parseStatus(text: string): BwrapStatus {
  let childPid: number | null = null;
  let exitCode: number | null = null;
  for (const line of text.split('\n').slice(0, -1)) {
    const fields = parseObject(line);
    childPid ??= integer(fields['child-pid'], 1, 2 ** 31 - 1);
    exitCode ??= integer(fields['exit-code'], 0, 255);
  }
  return { childPid, exitCode };
}

function parseObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function integer(value: unknown, min: number, max: number): number | null {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
    ? (value as number)
    : null;
}
