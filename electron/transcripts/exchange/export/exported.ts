import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { visibleLine } from '../../../../shared/terminal/visible-text.ts';
import type { Moment } from '../../../../shared/transcripts/moment.ts';
import type { Span } from '../../../governed/manifest/rust-pattern.ts';
import { OWN } from '../../cast/codes.ts';
import type { CastHeader } from '../../cast/header.ts';
import { KEPT } from '../import/foreign-header.ts';
import type { ChannelMatches } from '../redaction/channel.ts';
import { ColumnCounter } from '../redaction/columns.ts';
import { LABEL, wholeLabel, withoutCutWord } from '../redaction/cut-text.ts';
import { editedInput } from '../redaction/edited-input.ts';
import { maskedForm } from '../redaction/masked-form.ts';
import { ChannelMask, masked } from '../redaction/masking.ts';
import { RemovalList, redactWhole, searchChannel } from '../redaction/redactor.ts';
import type { Rule } from '../redaction/rules.ts';
import { type PlayedEvent, type ScreenHit, searchScreens } from '../redaction/screen-search.ts';
import { isIn, mergedSpans, SpanWalk } from '../redaction/spans.ts';
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
 *
 * The output is searched as it was written, and again as it stood on the screen: what a program drew in pieces is only whole
 * there.
 */
export class Exported {
  /** Complete when the events were taken to their end once. */
  readonly removals = new RemovalList();
  readonly #source: ExportSource;
  readonly #wishes: ExportWishes;
  readonly #output: ChannelMatches;
  readonly #input: ChannelMatches;
  /** Of the output, what the screens hold besides. */
  readonly #onScreen: readonly Span[];
  /** Of what leaves, each of what the ones before it let through: see `removeFromScreens`. */
  readonly #laterSpans: (readonly Span[])[] = [];
  #header: CastHeader | null = null;
  #listed = false;

  constructor(source: ExportSource, wishes: ExportWishes) {
    this.#source = source;
    this.#wishes = wishes;
    const output = searchChannel(wishes.rules, this.#texts('output'));
    this.#output = wishes.screenOnly ? { ...output, strings: [] } : output;
    const input = () => (wishes.withInput ? this.#texts('input') : []);
    const found = searchChannel(wishes.rules, input());
    const text = [...found.text, ...editedInput(input())].toSorted((a, b) => a.start - b.start);
    this.#input = { ...found, text };
    this.#onScreen = this.isRedacted ? this.#findOnScreens() : [];
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

  /**
   * Looks once more, at what leaves now, and removes what the rules still find on its screens. Answers what that was; the
   * last of such searches must find nothing.
   */
  removeFromScreens(): ScreenHit[] {
    const hits: ScreenHit[] = [];
    searchScreens(this.size, this.#wishes.rules, this.events(), (hit) => hits.push(hit));
    this.#laterSpans.push(mergedSpans(hits.flatMap(spansOf)));
    return hits;
  }

  /** Can be taken more than once; what is removed is listed the first time. */
  *events(): Generator<ExportedEvent> {
    const removals = this.#listed ? new RemovalList() : this.removals;
    this.#listed = true;
    const pass = new Pass(
      new ChannelMask(this.#output, removals.add, this.#onScreen),
      new ChannelMask(this.#input, removals.add),
      this.#laterSpans.map((spans) => new SpanWalk(spans)),
      {
        label: (moment) => this.#label(moment, removals),
        status: (status) => this.#redacted(status, LABEL.maxChars, removals),
      },
    );
    for (const event of this.#source.events()) {
      if (!this.#leaves(event)) continue;
      removals.atMs = event.atMs;
      const main = pass.mainOf(event);
      if (main !== null) yield { atUs: event.atUs, ...main };
      const own = this.isRedacted ? null : ownOf(event);
      if (own !== null) yield { atUs: event.atUs, ...own };
    }
  }

  /** Lists what only the screens hold. */
  #findOnScreens(): Span[] {
    const mask = new ChannelMask(this.#output, () => {});
    const written: Span[] = [];
    let offset = 0;
    for (const text of this.#texts('output')) {
      for (const { start, end } of mask.spansOf(text)) {
        written.push({ start: start + offset, end: end + offset });
      }
      offset += text.length;
    }
    const removed = mergedSpans(written);
    const found: Span[] = [];
    const listed = new Set<number>();
    searchScreens(this.size, this.#wishes.rules, this.#played(), (hit) => {
      found.push(...spansOf(hit));
      // Where it was only drawn anew, or was found as it was written, it is in the list.
      const isListed = ({ start }: Span) => isIn(removed, start) || listed.has(start);
      if (hit.shown.length === 0 || hit.shown.some(isListed)) return;
      for (const { start } of hit.shown) listed.add(start);
      this.removals.atMs = hit.atMs;
      this.removals.add({ rule: hit.rule, shown: maskedForm(hit.text) });
    });
    return mergedSpans(found);
  }

  *#played(): Generator<PlayedEvent> {
    for (const event of this.#source.events()) {
      const { atUs } = event;
      if (event.kind === 'output') yield { atUs, code: 'o', data: event.text };
      else if (event.kind === 'resize') yield { atUs, code: 'r', data: '', size: event.size };
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

  /** `keptChars`: of a text that long an import has cut off the rest. */
  #redacted(text: string, keptChars: number, removals: RemovalList): string {
    if (!this.isRedacted) return text;
    const searched = text.length < keptChars ? text : withoutCutWord(text);
    return redactWhole(this.#wishes.rules, searched, removals);
  }

  #label(moment: Moment, removals: RemovalList): string {
    if (!this.isRedacted) return moment.label;
    const label = redactWhole(this.#wishes.rules, wholeLabel(moment), removals);
    return label.length > LABEL.maxChars ? visibleLine(label, LABEL.maxChars) : label;
  }

  #redactedHeader(): CastHeader {
    const { airlock: _, title, command, env, term, ...rest } = this.#source.header;
    this.removals.atMs = 0;
    const redacted = (text: string, keptChars: number) => this.#redacted(text, keptChars, this.removals);
    return {
      ...rest,
      term: { ...term, ...(term.type !== undefined && { type: redacted(term.type, KEPT.type) }) },
      ...(title !== undefined && { title: redacted(title, KEPT.title) }),
      ...(command !== undefined && { command: redacted(command, KEPT.command) }),
      ...(env !== undefined && {
        env: Object.fromEntries(
          Object.entries(env).map(([name, value]) => [
            redacted(name, KEPT.variable),
            redacted(value, KEPT.variable),
          ]),
        ),
      }),
    };
  }
}

type CodedData = Omit<ExportedEvent, 'atUs'>;

/** What is said beside the channels, as it leaves. */
interface Words {
  label(moment: Moment): string;
  status(status: string): string;
}

/** One time through the events. */
class Pass {
  readonly #output: ChannelMask;
  readonly #input: ChannelMask;
  readonly #later: readonly SpanWalk[];
  readonly #columns = new ColumnCounter();
  readonly #words: Words;

  constructor(output: ChannelMask, input: ChannelMask, later: readonly SpanWalk[], words: Words) {
    this.#output = output;
    this.#input = input;
    this.#later = later;
    this.#words = words;
  }

  mainOf(event: SourceEvent): CodedData | null {
    switch (event.kind) {
      case 'output':
        return { code: 'o', data: this.#outputOf(event.text) };
      case 'input':
        return { code: 'i', data: this.#input.mask(event.text) };
      case 'resize':
        return { code: 'r', data: `${event.size.cols}x${event.size.rows}`, size: event.size };
      case 'moment':
        return { code: 'm', data: this.#words.label(event.moment) };
      case 'exit':
        return { code: 'x', data: this.#words.status(event.status) };
      case 'ended':
        return null;
    }
  }

  #outputOf(text: string): string {
    let data = this.#output.mask(text);
    for (const walk of this.#later) data = masked(data, walk.take(data.length), this.#columns);
    return data;
  }
}

function spansOf({ shown, earlier }: ScreenHit): readonly Span[] {
  return [...shown, ...earlier];
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
