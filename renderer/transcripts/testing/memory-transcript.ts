import { SerializeAddon } from '@xterm/addon-serialize';
import { Terminal } from '@xterm/headless';
import { taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { ReplayEvent, Snapshot, TextLine } from '../../../shared/transcripts/transcript.ts';
import type {
  TranscriptParams,
  TranscriptResult,
  TranscriptsApi,
  TranscriptVerb,
} from '../transcripts-api.ts';

type Handlers = { [V in TranscriptVerb]?: (params: TranscriptParams<V>) => TranscriptResult<V> };

/** A host in memory that knows some verbs and has a log of what it was asked. */
export class MemoryHost implements TranscriptsApi {
  readonly asked: { readonly verb: TranscriptVerb; readonly params: unknown }[] = [];
  readonly #handlers: Handlers;
  /** While set, answers wait for it. */
  gate: Promise<void> | null = null;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  async request<V extends TranscriptVerb>(
    verb: V,
    params: TranscriptParams<V>,
  ): Promise<Result<TranscriptResult<V>, ReturnType<typeof taggedError>>> {
    this.asked.push({ verb, params });
    if (this.gate !== null) await this.gate;
    const handler = this.#handlers[verb] as
      | ((params: TranscriptParams<V>) => TranscriptResult<V>)
      | undefined;
    if (handler === undefined) return fail(taggedError('internal', `${verb} is not known here.`));
    return ok(handler(params));
  }
}

export const ID = '6b0a2f7e-4d3c-4b1a-9c8d-1e2f3a4b5c6d';
export const SIZE: TerminalSize = { cols: 20, rows: 5 };

export function output(atMs: number, text: string): ReplayEvent {
  return { kind: 'output', atMs, text };
}

/** `read` and `seek` over events in memory: positions are their indexes, `pageOf` of them in one answer. */
export function replayHandlers(
  events: readonly ReplayEvent[],
  { pageOf = 2, snapshots = [] as readonly Snapshot[] } = {},
): Pick<Handlers, 'transcripts.read' | 'transcripts.seek'> {
  const start: Snapshot = { atMs: 0, position: 0, size: SIZE, screen: '' };
  return {
    'transcripts.read': ({ position }) => {
      const end = Math.min(events.length, position + pageOf);
      return { events: events.slice(position, end), next: end < events.length ? end : null, end };
    },
    'transcripts.seek': ({ atMs }) =>
      [start, ...snapshots].findLast((snapshot) => snapshot.atMs <= atMs) ?? start,
  };
}

/** A terminal without a page, that plays as `screen.ts` says. */
export class HeadlessScreen {
  readonly terminal = new Terminal({ ...SIZE, allowProposedApi: true, scrollback: 200, logLevel: 'off' });
  readonly #serialize = new SerializeAddon();
  /** What was on the screen at each release. */
  readonly shown: string[] = [];
  held = false;

  constructor() {
    this.terminal.loadAddon(this.#serialize as never);
  }

  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    this.shown.push(this.text());
  }

  restore({ size, screen }: Snapshot): void {
    this.terminal.write('\x18\x1bc', () => this.terminal.resize(size.cols, size.rows));
    this.terminal.write(screen);
  }

  write(data: Uint8Array | string): void {
    this.terminal.write(data);
  }

  resize({ cols, rows }: TerminalSize): void {
    this.terminal.write('', () => this.terminal.resize(cols, rows));
  }

  settled(): Promise<void> {
    return new Promise((resolve) => this.terminal.write('', resolve));
  }

  /** Size and screen, in words. */
  text(): string {
    const { active } = this.terminal.buffer;
    const lines = Array.from({ length: this.terminal.rows }, (_, row) =>
      active.getLine(active.baseY + row)?.translateToString(true),
    );
    return [`${this.terminal.cols}x${this.terminal.rows}`, ...lines].join('\n');
  }

  serialized(): string {
    return this.#serialize.serialize({ scrollback: 0 });
  }
}

export function textHandlers(lines: readonly TextLine[]): Pick<Handlers, 'transcripts.text'> {
  return {
    'transcripts.text': ({ from, count }) => ({
      lines: lines.slice(from, from + count),
      total: lines.length,
    }),
  };
}
