import { type TerminalSize, terminalSizeSchema } from '../../../shared/terminal/size.ts';
import { momentSchema } from '../../../shared/transcripts/moment.ts';
import { OWN } from './codes.ts';
import { type CastEvent, type CastFact, endingSchema } from './events.ts';
import { parseHeader } from './header.ts';
import type { Line } from './line-splitter.ts';

/**
 * Lines of asciicast v3 to events. A line that is damaged loses only itself, and its interval: the next clock or header
 * puts the time right again.
 */
export class CastDecoder {
  /** An event whose second line may follow. */
  #pending: CastEvent | null = null;
  #atUs: number;
  #damaged = 0;

  constructor(atUs = 0) {
    this.#atUs = atUs;
  }

  /** Lines that were skipped as damaged so far. */
  get damaged(): number {
    return this.#damaged;
  }

  get atUs(): number {
    return this.#atUs;
  }

  /** An event that nothing can follow any more comes at once, others with the next line or `flush`. */
  *line(line: Line): Generator<CastEvent> {
    const parsed = parseLine(line.text);
    if (parsed === 'comment') return;
    if (parsed === 'damaged') {
      this.#damaged += 1;
      yield* this.flush();
      return;
    }
    if ('header' in parsed) {
      yield* this.flush();
      const { header } = parsed;
      this.#notBefore(header.airlock?.startOffsetUs ?? 0);
      yield this.#event(line, { kind: 'header', header });
      return;
    }
    // Damage or malice alone comes so far: behind it microseconds are not exact, and no index holds them.
    this.#atUs = Math.min(Number.MAX_SAFE_INTEGER, this.#atUs + Math.round(parsed.interval * 1_000_000));
    yield* this.#coded(line, parsed.code, parsed.data);
  }

  *flush(): Generator<CastEvent> {
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) yield pending;
  }

  *#coded(line: Line, code: string, data: string): Generator<CastEvent> {
    const pending = this.#pending;
    if (code === OWN.bytes && (pending?.kind === 'output' || pending?.kind === 'input')) {
      this.#pending = null;
      yield { ...pending, bytes: Buffer.from(data, 'base64'), end: line.end };
      return;
    }
    if (code === OWN.about && pending?.kind === 'moment') {
      const moment = momentSchema.safeParse(json(data)).data;
      if (moment === undefined) this.#damaged += 1;
      this.#pending = null;
      const { atMs } = pending;
      yield moment === undefined ? pending : { ...pending, moment: { ...moment, atMs }, end: line.end };
      return;
    }
    yield* this.flush();
    const fact = this.#fact(code, data);
    if (fact === null) return;
    const event = this.#event(line, fact);
    if (fact.kind === 'output' || fact.kind === 'input' || fact.kind === 'moment') this.#pending = event;
    else yield event;
  }

  #fact(code: string, data: string): CastFact | null {
    switch (code) {
      case 'o':
        return { kind: 'output', text: data, bytes: null };
      case 'i':
        return { kind: 'input', text: data, bytes: null };
      case 'r':
        return this.#required(sizeOf(data), (size) => ({ kind: 'resize', size }));
      case 'm':
        return {
          kind: 'moment',
          moment: { kind: 'marker', atMs: this.#atUs / 1_000, label: data.slice(0, 300).toWellFormed() },
        };
      case 'x':
        return { kind: 'exit', status: data };
      case OWN.about:
        return this.#required(endingSchema.safeParse(json(data)).data ?? null, (ending) => ({
          kind: 'ended',
          ending,
        }));
      case OWN.clock:
        this.#notBefore(Number(data));
        return null;
      default:
        return null;
    }
  }

  #required<T>(value: T | null, fact: (value: T) => CastFact): CastFact | null {
    if (value !== null) return fact(value);
    this.#damaged += 1;
    return null;
  }

  #notBefore(atUs: number): void {
    if (Number.isSafeInteger(atUs)) this.#atUs = Math.max(this.#atUs, atUs);
  }

  #event({ offset, end }: Line, fact: CastFact): CastEvent {
    return { ...fact, offset, end, atUs: this.#atUs, atMs: this.#atUs / 1_000 };
  }
}

type ParsedLine =
  | 'comment'
  | 'damaged'
  | { readonly header: NonNullable<ReturnType<typeof parseHeader>> }
  | { readonly interval: number; readonly code: string; readonly data: string };

function parseLine(text: string | null): ParsedLine {
  if (text === null) return 'damaged';
  if (text.startsWith('#') || text.trim() === '') return 'comment';
  if (text.startsWith('{')) {
    const header = parseHeader(text);
    return header === null ? 'damaged' : { header };
  }
  const event = json(text);
  if (!Array.isArray(event)) return 'damaged';
  const [interval, code, data] = event;
  const valid = typeof interval === 'number' && interval >= 0 && interval <= INTERVAL_MAX_SECONDS;
  if (!valid || typeof code !== 'string' || typeof data !== 'string') return 'damaged';
  return { interval, code, data };
}

/** Ten years: what is above is no time that anybody measured, and microseconds below stay exact. */
const INTERVAL_MAX_SECONDS = 10 * 366 * 24 * 60 * 60;

function sizeOf(data: string): TerminalSize | null {
  const [, cols, rows] = /^(\d{1,5})x(\d{1,5})$/.exec(data) ?? [];
  return terminalSizeSchema.safeParse({ cols: Number(cols), rows: Number(rows) }).data ?? null;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
