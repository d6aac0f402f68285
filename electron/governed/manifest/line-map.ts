/** A key's place in a TOML document: table names and keys, from the outside in; an array's elements by index. */
export type KeyPath = readonly (string | number)[];

/** A key of the document, with the keys below it. */
class Key {
  readonly #below = new Map<string | number, Key>();
  /** 1-based, where it is named first; null for the document itself. */
  readonly line: number | null;

  constructor(line: number | null) {
    this.line = line;
  }

  /** The key of this name below it; named on `line` if it is new. */
  at(name: string | number, line: number): Key {
    const known = this.#below.get(name);
    if (known !== undefined) return known;
    const made = new Key(line);
    this.#below.set(name, made);
    return made;
  }

  find(name: string | number): Key | undefined {
    return this.#below.get(name);
  }
}

/**
 * On which line (1-based) each key of a TOML document stands. The parser tells positions of syntax errors only; this scanner
 * runs after it accepted the document, so it may take the syntax for granted: it follows strings, brackets and comments. Time
 * and memory are linear in the text.
 */
export class LineMap {
  readonly #document = new Key(null);

  constructor(toml: string) {
    new Scanner(toml).document(this.#document);
  }

  /** The line of the key, or of the nearest table around it that is written down; null when there is none. */
  lineOf(path: KeyPath): number | null {
    let key = this.#document;
    for (const name of path) {
      const below = key.find(name);
      if (below === undefined) break;
      key = below;
    }
    return key.line;
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  document(document: Key): void {
    let table = document;
    const elements = new Map<Key, number>();
    for (;;) {
      this.#skipBlanks(true);
      if (this.#at >= this.#text.length) return;
      if (this.#peek() === '[') {
        const array = this.#text.charAt(this.#at + 1) === '[';
        this.#at += array ? 2 : 1;
        table = this.#keys(document);
        if (array) {
          const index = elements.get(table) ?? 0;
          elements.set(table, index + 1);
          table = table.at(index, this.#line);
        }
        this.#at += array ? 2 : 1;
      } else {
        this.#pair(table);
      }
    }
  }

  /** `a.b = value`, in a table or an inline table. */
  #pair(table: Key): void {
    const key = this.#keys(table);
    this.#at += 1; // =
    this.#value(key);
  }

  /** A dotted key; every prefix of it is found here. */
  #keys(table: Key): Key {
    let key = table;
    for (;;) {
      this.#skipBlanks(false);
      key = key.at(this.#name(), this.#line);
      this.#skipBlanks(false);
      if (this.#peek() !== '.') return key;
      this.#at += 1;
    }
  }

  #name(): string {
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

  #value(key: Key): void {
    this.#skipBlanks(true);
    const first = this.#peek();
    if (first === '"' || first === "'") this.#string();
    else if (first === '[') this.#elements(key);
    else if (first === '{') this.#inlineTable(key);
    else while (this.#at < this.#text.length && !/[\n,\]}#]/.test(this.#peek())) this.#at += 1;
  }

  #elements(array: Key): void {
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
      this.#value(array.at(index, this.#line));
      index += 1;
    }
  }

  #inlineTable(table: Key): void {
    this.#at += 1;
    for (;;) {
      this.#skipBlanks(true);
      const next = this.#peek();
      if (next === '}' || next === '') {
        this.#at += 1;
        return;
      }
      if (next === ',') this.#at += 1;
      else this.#pair(table);
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
