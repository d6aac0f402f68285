import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../../../shared/terminal/outcome.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { BubblewrapEngine } from '../../sandbox/bubblewrap/engine.ts';
import type { SessionRecordings } from '../recording.ts';
import type { Session } from '../session.ts';
import { SessionRegistry } from '../session-registry.ts';
import { RecordingSink } from './recording-sink.ts';
import { shellProfile } from './shell-profile.ts';

/** One session of a real sandbox with its client. */
export interface Shell {
  readonly session: Session;
  readonly sink: RecordingSink;
  /** As keys, without waiting. */
  type(text: string): void;
  /** Resolves when `text` has come after what the last call waited for. */
  shows(text: string): Promise<void>;
  /** Resolves with the outcome when the session has closed. */
  outcome(): Promise<Outcome>;
}

export interface ShellOptions {
  readonly command?: readonly string[];
  readonly size?: TerminalSize;
  readonly principal?: string;
  readonly keepOutput?: boolean;
  /** How the client acknowledges: as xterm's page does, in full, or never. */
  readonly acknowledge?: 'always' | 'never';
  readonly recordInput?: boolean;
}

/** A registry over the real embedded engine in a folder of its own. */
export class RealHost {
  readonly folder = mkdtempSync(join(tmpdir(), 'airlock-sessions-'));
  readonly engine = new BubblewrapEngine({ privateFolders: [this.folder] });
  readonly registry: SessionRegistry;

  constructor(recordings?: SessionRecordings) {
    this.registry = new SessionRegistry({
      engines: new Map([['bubblewrap', this.engine]]),
      ledgerFolder: this.folder,
      ...(recordings && { recordings }),
    });
  }

  async open(options: ShellOptions = {}): Promise<Shell> {
    const { size = { cols: 80, rows: 24 }, principal = 'client', acknowledge = 'always' } = options;
    const sink = new RecordingSink({ keepOutput: options.keepOutput ?? true });
    const profile = { ...shellProfile(options.command), recordInput: options.recordInput ?? false };
    const signal = new AbortController().signal;
    const opened = await this.registry.open({ profile, project: null, size, principal, sink, signal });
    if (!opened.ok) throw new Error(opened.error.message);
    const session = opened.value;
    if (acknowledge === 'always') acknowledgeParsed(session, sink);
    let seen = 0;
    return {
      session,
      sink,
      type: (text) => {
        const taken = session.input('typed', Buffer.from(text));
        if (!taken.ok) throw new Error(taken.error.message);
      },
      shows: async (text) => {
        await sink.until(() => sink.text.includes(text, seen));
        seen = sink.text.indexOf(text, seen) + text.length;
      },
      outcome: async () => {
        await session.closed;
        const { last } = sink;
        if (last?.kind !== 'ended') throw new Error(`The session is ${JSON.stringify(last)}`);
        return last.outcome;
      },
    };
  }

  async close(): Promise<void> {
    await this.registry.releaseAll('host-closing');
    rmSync(this.folder, { recursive: true });
  }
}

/** Parses as fast as it gets turns, and tells after each of them. */
function acknowledgeParsed(session: Session, sink: RecordingSink): void {
  let scheduled = false;
  sink.onOutput = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      session.parsed(sink.bytes);
    });
  };
}
