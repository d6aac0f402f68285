import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { OWN } from '../../cast/codes.ts';
import type { CastHeader } from '../../cast/header.ts';
import type { ChannelMatches } from '../redaction/channel.ts';
import { ChannelMask } from '../redaction/masking.ts';
import { RemovalList, redactWhole, searchChannel } from '../redaction/redactor.ts';
import type { Rule } from '../redaction/rules.ts';
import type { ExportSource, SourceEvent } from './source.ts';

/** A line as it leaves. */
export interface ExportedEvent {
  readonly atUs: number;
  readonly code: 'o' | 'i' | 'r' | 'm' | 'x' | typeof OWN.bytes | typeof OWN.about;
  readonly data: string;
  /** Of a resize. */
  readonly size?: TerminalSize;
}

export interface ExportWishes {
  readonly rules: readonly Rule[];
  readonly withInput: boolean;
  /** Only what a screen shows leaves: no titles, no moments. */
  readonly screenOnly: boolean;
}

/**
 * A recording as it leaves: without what the rules find, and without input unless it is wanted. Where there are rules, what
 * only Airlock reads is left out: it would say again what was removed.
 */
export class Exported {
  /** Complete when the events were taken to their end once. */
  readonly removals = new RemovalList();
  readonly #source: ExportSource;
  readonly #wishes: ExportWishes;
  readonly #output: ChannelMatches;
  readonly #input: ChannelMatches;
  #header: CastHeader | null = null;
  #listed = false;

  constructor(source: ExportSource, wishes: ExportWishes) {
    this.#source = source;
    this.#wishes = wishes;
    const output = searchChannel(wishes.rules, this.#texts('output'));
    this.#output = wishes.screenOnly ? { ...output, strings: [] } : output;
    this.#input = searchChannel(wishes.rules, wishes.withInput ? this.#texts('input') : []);
  }

  get header(): CastHeader {
    this.#header ??= this.isRedacted ? this.#redactedHeader() : this.#source.header;
    return this.#header;
  }

  get size(): TerminalSize {
    return this.#source.size;
  }

  get isRedacted(): boolean {
    return this.#wishes.rules.length > 0;
  }

  /** Can be taken more than once; what is removed is listed the first time. */
  *events(): Generator<ExportedEvent> {
    const removals = this.#listed ? new RemovalList() : this.removals;
    this.#listed = true;
    const pass = new Pass(this.#output, this.#input, removals, (text) => this.#redacted(text, removals));
    for (const event of this.#source.events()) {
      if (!this.#leaves(event)) continue;
      removals.atMs = event.atMs;
      const main = pass.mainOf(event);
      if (main !== null) yield { atUs: event.atUs, ...main };
      const own = this.isRedacted ? null : ownOf(event);
      if (own !== null) yield { atUs: event.atUs, ...own };
    }
  }

  #leaves({ kind }: SourceEvent): boolean {
    if (kind === 'input') return this.#wishes.withInput;
    return !this.#wishes.screenOnly || kind === 'output' || kind === 'resize';
  }

  *#texts(kind: 'output' | 'input'): Generator<string> {
    if (!this.isRedacted) return;
    for (const event of this.#source.events()) if (event.kind === kind) yield event.text;
  }

  #redacted(text: string, removals: RemovalList): string {
    return this.isRedacted ? redactWhole(this.#wishes.rules, text, removals) : text;
  }

  #redactedHeader(): CastHeader {
    const { airlock: _, title, command, env, term, ...rest } = this.#source.header;
    const redacted = (text: string) => this.#redacted(text, this.removals);
    return {
      ...rest,
      term: { ...term, ...(term.type !== undefined && { type: redacted(term.type) }) },
      ...(title !== undefined && { title: redacted(title) }),
      ...(command !== undefined && { command: redacted(command) }),
      ...(env !== undefined && {
        env: Object.fromEntries(
          Object.entries(env).map(([name, value]) => [redacted(name), redacted(value)]),
        ),
      }),
    };
  }
}

type CodedData = Omit<ExportedEvent, 'atUs'>;

/** One time through the events. */
class Pass {
  readonly #output: ChannelMask;
  readonly #input: ChannelMask;
  readonly #redacted: (text: string) => string;

  constructor(
    output: ChannelMatches,
    input: ChannelMatches,
    removals: RemovalList,
    redacted: (text: string) => string,
  ) {
    this.#output = new ChannelMask(output, removals.add);
    this.#input = new ChannelMask(input, removals.add);
    this.#redacted = redacted;
  }

  mainOf(event: SourceEvent): CodedData | null {
    switch (event.kind) {
      case 'output':
        return { code: 'o', data: this.#output.mask(event.text) };
      case 'input':
        return { code: 'i', data: this.#input.mask(event.text) };
      case 'resize':
        return { code: 'r', data: `${event.size.cols}x${event.size.rows}`, size: event.size };
      case 'moment':
        return { code: 'm', data: this.#redacted(event.moment.label) };
      case 'exit':
        return { code: 'x', data: this.#redacted(event.status) };
      case 'ended':
        return null;
    }
  }
}

function ownOf(event: SourceEvent): CodedData | null {
  switch (event.kind) {
    case 'output':
    case 'input':
      return event.bytes && { code: OWN.bytes, data: Buffer.from(event.bytes).toString('base64') };
    case 'moment':
      return event.moment.kind === 'marker' ? null : { code: OWN.about, data: JSON.stringify(event.moment) };
    case 'ended':
      return { code: OWN.about, data: JSON.stringify(event.ending) };
    default:
      return null;
  }
}
