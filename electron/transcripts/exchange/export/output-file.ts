import { closeSync, openSync, writeSync } from 'node:fs';

const BUFFER_CHARS = 256 * 1024;

/** A new file that only its owner reads, written in large pieces. Throws when it exists or cannot be written. */
export class OutputFile {
  readonly #file: number;
  #pending: string[] = [];
  #pendingChars = 0;
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'wx', 0o600);
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
