/** What a terminal does with the pieces of a program's output. Offsets are into the scanned string. */
export interface ScanSink {
  /** Characters that are shown. */
  text(from: number, to: number): void;
  tab(): void;
  lineFeed(): void;
  carriageReturn(): void;
  /** The cursor goes some columns to the right, as over blanks. */
  forward(): void;
  /** The cursor goes elsewhere. */
  jump(): void;
  /** What is inside a title, a link, another string that a terminal takes in. */
  string(from: number, to: number): void;
  stringEnd(): void;
}

type State = 'ground' | 'escape' | 'escape-intermediate' | 'csi' | 'osc' | 'string';

/** Final characters of CSI that move the cursor, other than to the right. */
const JUMPS = new Set([...'ABDEFGHITZ`adefjksu'].map((final) => final.charCodeAt(0)));

/**
 * Tells text from control sequences as xterm does, over any number of strings that are cut anywhere. Holds nothing but its
 * state.
 */
export class TerminalScanner {
  #state: State = 'ground';

  scan(text: string, sink: ScanSink): void {
    let at = 0;
    while (at < text.length) at = this.#step(text, at, sink);
  }

  /** Takes at least one character; returns where to go on. */
  #step(text: string, at: number, sink: ScanSink): number {
    const state = this.#state;
    if (state === 'ground' || state === 'osc' || state === 'string') {
      const end = runEnd(text, at);
      if (end > at) {
        if (state === 'ground') sink.text(at, end);
        else sink.string(at, end);
        return end;
      }
    }
    this.#take(text.charCodeAt(at), sink);
    return at + 1;
  }

  #take(code: number, sink: ScanSink): void {
    if (this.#anywhere(code, sink)) return;
    switch (this.#state) {
      case 'ground':
        execute(code, sink);
        return;
      case 'escape':
        this.#escape(code, sink);
        return;
      case 'escape-intermediate':
        if (code < 0x20) execute(code, sink);
        else if (code > 0x2f) this.#state = 'ground';
        return;
      case 'csi':
        this.#csi(code, sink);
        return;
      case 'osc':
        if (code === BEL) this.#endString(sink);
        return;
      case 'string':
        return;
    }
  }

  /** ESC, CAN, SUB and the C1 controls mean the same in every state. */
  #anywhere(code: number, sink: ScanSink): boolean {
    const next = nextAnywhere(code);
    if (next === null) return false;
    this.#endString(sink);
    this.#state = next;
    if (code === 0x84 || code === 0x8d) sink.jump();
    else if (code === 0x85) sink.lineFeed();
    return true;
  }

  #endString(sink: ScanSink): void {
    if (this.#state === 'osc' || this.#state === 'string') sink.stringEnd();
    this.#state = 'ground';
  }

  #escape(code: number, sink: ScanSink): void {
    if (code < 0x20) {
      execute(code, sink);
      return;
    }
    const next = AFTER_ESCAPE[String.fromCharCode(code)];
    if (next !== undefined) this.#state = next;
    else this.#state = code <= 0x2f ? 'escape-intermediate' : 'ground';
    if ('78DMc'.includes(String.fromCharCode(code))) sink.jump();
    else if (code === 0x45) sink.lineFeed();
  }

  #csi(code: number, sink: ScanSink): void {
    if (code < 0x20) execute(code, sink);
    else if (code >= 0x40 && code !== DEL) {
      this.#state = 'ground';
      if (code === 0x43) sink.forward();
      else if (JUMPS.has(code)) sink.jump();
    }
  }
}

const BEL = 0x07;
const DEL = 0x7f;

const AFTER_ESCAPE: Readonly<Record<string, State>> = {
  '[': 'csi',
  ']': 'osc',
  P: 'string',
  X: 'string',
  '^': 'string',
  _: 'string',
};

function nextAnywhere(code: number): State | null {
  if (code === 0x1b) return 'escape';
  if (code === 0x18 || code === 0x1a) return 'ground';
  if (code < 0x80 || code > 0x9f) return null;
  if (code === 0x9b) return 'csi';
  if (code === 0x9d) return 'osc';
  return code === 0x90 || code === 0x98 || code === 0x9e || code === 0x9f ? 'string' : 'ground';
}

/** Behind the characters from `at` on that are no controls. */
function runEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code < 0x20 || (code >= DEL && code <= 0x9f)) break;
    end += 1;
  }
  return end;
}

function execute(code: number, sink: ScanSink): void {
  if (code === 0x09) sink.tab();
  else if (code === 0x0d) sink.carriageReturn();
  else if (code >= 0x0a && code <= 0x0c) sink.lineFeed();
}
