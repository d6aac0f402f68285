/** A key's place in a TOML document: table names and keys, from the outside in; an array's elements by index. */
export type KeyPath = readonly (string | number)[];

/**
 * On which line (1-based) each key of a TOML document stands. The parser tells positions of syntax errors only; this scanner
 * runs after it accepted the document, so it may take the syntax for granted: it follows strings, brackets and comments.
 */
export class LineMap {
  readonly #lines = new Map<string, number>();

  constructor(toml: string) {
    new Scanner(toml, (path, line) => {
      const key = JSON.stringify(path);
      if (!this.#lines.has(key)) this.#lines.set(key, line);
    }).document();
  }

  /** The line of the key, or of the nearest table around it that is written down; null when there is none. */
  lineOf(path: KeyPath): number | null {
    for (let length = path.length; length > 0; length -= 1) {
      const line = this.#lines.get(JSON.stringify(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return null;
  }
}

class Scanner {
  readonly #text: string;
  readonly #found: (path: KeyPath, line: number) => void;
  #at = 0;
  #line = 1;

  constructor(text: string, found: (path: KeyPath, line: number) => void) {
    this.#text = text;
    this.#found = found;
  }

  document(): void {
    let table: KeyPath = [];
    const elements = new Map<string, number>();
    for (;;) {
      this.#skipBlanks(true);
      if (this.#at >= this.#text.length) return;
      if (this.#peek() === '[') {
        const array = this.#text.charAt(this.#at + 1) === '[';
        this.#at += array ? 2 : 1;
        table = this.#keys([]);
        if (array) {
          const key = JSON.stringify(table);
          const index = elements.get(key) ?? 0;
          elements.set(key, index + 1);
          table = [...table, index];
          this.#found(table, this.#line);
        }
        this.#at += array ? 2 : 1;
      } else {
        this.#pair(table);
      }
    }
  }

  /** `a.b = value`, in a table or an inline table. */
  #pair(table: KeyPath): void {
    const path = this.#keys(table);
    this.#at += 1; // =
    this.#value(path);
  }

  /** A dotted key; every prefix of it is found here. */
  #keys(table: KeyPath): KeyPath {
    let path = table;
    for (;;) {
      this.#skipBlanks(false);
      path = [...path, this.#key()];
      this.#found(path, this.#line);
      this.#skipBlanks(false);
      if (this.#peek() !== '.') return path;
      this.#at += 1;
    }
  }

  #key(): string {
    const quote = this.#peek();
    const start = this.#at;
    if (quote === '"' || quote === "'") {
      this.#string();
      const quoted = this.#text.slice(start, this.#at);
      return quote === '"' ? unescaped(quoted) : quoted.slice(1, -1);
    }
    while (this.#at < this.#text.length && !/[\s.=\]]/.test(this.#peek())) this.#at += 1;
    // The document was accepted, so there is a key; if not, move on all the same.
    if (this.#at === start) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #value(path: KeyPath): void {
    this.#skipBlanks(true);
    const first = this.#peek();
    if (first === '"' || first === "'") this.#string();
    else if (first === '[') this.#elements(path);
    else if (first === '{') this.#inlineTable(path);
    else while (this.#at < this.#text.length && !/[\n,\]}#]/.test(this.#peek())) this.#at += 1;
  }

  #elements(path: KeyPath): void {
    this.#at += 1;
    for (let index = 0; ; ) {
      this.#skipBlanks(true);
      const next = this.#peek();
      if (next === ']' || next === '') {
        this.#at += 1;
        return;
      }
      if (next === ',') {
        this.#at += 1;
        continue;
      }
      this.#found([...path, index], this.#line);
      this.#value([...path, index]);
      index += 1;
    }
  }

  #inlineTable(path: KeyPath): void {
    this.#at += 1;
    for (;;) {
      this.#skipBlanks(true);
      const next = this.#peek();
      if (next === '}' || next === '') {
        this.#at += 1;
        return;
      }
      if (next === ',') this.#at += 1;
      else this.#pair(path);
    }
  }

  #string(): void {
    const quote = this.#peek();
    const long = this.#text.startsWith(quote.repeat(3), this.#at);
    const close = long ? quote.repeat(3) : quote;
    this.#at += close.length;
    while (this.#at < this.#text.length && !this.#text.startsWith(close, this.#at)) {
      if (quote === '"' && this.#peek() === '\\') this.#step();
      this.#step();
    }
    this.#at += close.length;
    // A long string may end in one or two quotes of its own.
    while (long && this.#peek() === quote) this.#at += 1;
  }

  #skipBlanks(lineEnds: boolean): void {
    for (;;) {
      const char = this.#peek();
      if (char === '#' && lineEnds) {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (char === ' ' || char === '\t' || (lineEnds && (char === '\n' || char === '\r'))) {
        this.#step();
      } else {
        return;
      }
    }
  }

  #step(): void {
    if (this.#peek() === '\n') this.#line += 1;
    this.#at += 1;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
