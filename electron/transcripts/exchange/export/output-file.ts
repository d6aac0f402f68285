import { closeSync, constants, openSync, writeSync } from 'node:fs';

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
const BUFFER_CHARS = 256 * 1024;

/** A file that only its owner reads, written anew in large pieces. Throws when it cannot be, and where a link stands. */
export class OutputFile {
  readonly #file: number;
  #pending: string[] = [];
  #pendingChars = 0;
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0), 0o600);
  }

  write(text: string): void {
    this.#pending.push(text);
    this.#pendingChars += text.length;
    if (this.#pendingChars >= BUFFER_CHARS) this.#flush();
  }

  /** Returns its bytes. */
  finish(): number {
    this.#flush();
    closeSync(this.#file);
    return this.#bytes;
  }

  abandon(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    this.#pendingChars = 0;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#bytes += bytes.length;
  }
}
