/** What is left of a terminal's output when its sequences are understood. */
export interface EscapeHandler {
  /** Characters to show; no controls among them. */
  print(text: string): void;
  /** One C0 control or DEL. */
  control(character: string): void;
  /** A control sequence: what stands between CSI and its final character, bounded. */
  csi(sequence: string, final: string): void;
  /** ESC and one letter or digit, as ESC M. */
  escape(final: string): void;
}

type State = 'ground' | 'escape' | 'escape-intermediate' | 'csi' | 'osc' | 'string';

/** Characters of one control sequence that are kept; the parameters of a longer one are ignored. */
const SEQUENCE_MAX_CHARS = 256;

const ESC = '\x1b';
const PLAIN = /[^\x00-\x1f\x7f-\x9f]+/y;
const WHOLE_SEQUENCE = /\x1b\[([ -?]{0,256})([@-~])/y;
const IN_STRING = /[^\x00-\x1f\x80-\x9f]+/y;

/** The C1 controls that start something, as what follows ESC. */
const C1: Readonly<Record<string, string>> = {
  '\x90': 'P',
  '\x98': 'X',
  '\x9b': '[',
  '\x9d': ']',
  '\x9e': '^',
  '\x9f': '_',
};

/**
 * Takes escape sequences out of text that comes in pieces, cut anywhere. It keeps a state and, of a control sequence, its
 * bounded parameters; strings (OSC, DCS, SOS, PM, APC) are skipped without being kept, however long. Follows ECMA-48 and the
 * parser of DEC's terminals: controls act inside a control sequence, CAN and SUB end any, ESC begins anew.
 *
 * This goes beyond E33, which removes only ESC `[` digits-and-semicolons letter: private modes, titles and charsets that
 * every shell of today prints before its prompt would hide it.
 */
export class EscapeParser {
  readonly #handler: EscapeHandler;
  #state: State = 'ground';
  #sequence = '';

  constructor(handler: EscapeHandler) {
    this.#handler = handler;
  }

  /** Whether the text so far ends inside a sequence. */
  get isWithinSequence(): boolean {
    return this.#state !== 'ground';
  }

  parse(text: string): void {
    for (let at = 0; at < text.length; ) at = this.#skipRun(text, at) ?? this.#step(text, at);
  }

  /** The end of a run of characters that change no state; null where there is none. */
  #skipRun(text: string, at: number): number | null {
    const isString = this.#state === 'osc' || this.#state === 'string';
    if (!isString && this.#state !== 'ground') return null;
    if (!isString && text[at] === ESC) return this.#skipSequence(text, at);
    const run = isString ? IN_STRING : PLAIN;
    run.lastIndex = at;
    if (!run.test(text)) return null;
    if (!isString) this.#handler.print(text.slice(at, run.lastIndex));
    return run.lastIndex;
  }

  /** A control sequence that is here as a whole: most are, and a step for each of its characters takes long. */
  #skipSequence(text: string, at: number): number | null {
    WHOLE_SEQUENCE.lastIndex = at;
    const found = WHOLE_SEQUENCE.exec(text);
    if (found === null) return null;
    this.#handler.csi(found[1] ?? '', found[2] ?? '');
    return WHOLE_SEQUENCE.lastIndex;
  }

  /** One character; code units outside ASCII end the sequence that they stand in, and are shown. */
  #step(text: string, at: number): number {
    const character = text[at] ?? '';
    if (character === ESC) this.#enter('escape');
    else if (character === '\x18' || character === '\x1a') this.#enter('ground');
    else if (character >= '\x80' && character <= '\x9f') this.#c1(character);
    else if (character < ' ' || character === '\x7f') this.#c0(character);
    else if (character > '~') {
      this.#enter('ground');
      return at;
    } else this.#inSequence(character);
    return at + 1;
  }

  #enter(state: State): void {
    this.#state = state;
    this.#sequence = '';
  }

  #c0(character: string): void {
    if (this.#state === 'osc' && character === '\x07') this.#enter('ground');
    else if (this.#state !== 'osc' && this.#state !== 'string') this.#handler.control(character);
  }

  #c1(character: string): void {
    const begins = C1[character];
    this.#enter('ground');
    if (begins !== undefined) this.#begin(begins);
    else if (character !== '\x9c') this.#handler.escape(String.fromCharCode(character.charCodeAt(0) - 0x40));
  }

  #inSequence(character: string): void {
    switch (this.#state) {
      case 'escape':
        this.#begin(character);
        return;
      case 'escape-intermediate':
        if (character >= '0') this.#enter('ground');
        return;
      case 'csi':
        if (character < '@') {
          if (this.#sequence.length < SEQUENCE_MAX_CHARS) this.#sequence += character;
          return;
        }
        this.#dispatch(character);
    }
  }

  /** The first character after ESC. ESC \ ends a string that ESC has left already. */
  #begin(character: string): void {
    if (character === '[') this.#enter('csi');
    else if (character === ']') this.#enter('osc');
    else if ('PX^_'.includes(character)) this.#enter('string');
    else if (character < '0') this.#enter('escape-intermediate');
    else {
      this.#enter('ground');
      if (character !== '\\') this.#handler.escape(character);
    }
  }

  #dispatch(final: string): void {
    const sequence = this.#sequence;
    this.#enter('ground');
    this.#handler.csi(sequence, final);
  }
}
