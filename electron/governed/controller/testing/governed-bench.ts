import type { CommandReply, GovernedFailure } from '../../../../shared/governed/call.ts';
import type { Manifest, ManifestCommand } from '../../../../shared/governed/manifest.ts';
import { profileSchema } from '../../../../shared/settings/schema.ts';
import { compileManifest } from '../../manifest/compiled-manifest.ts';
import type { PublicationAuthority } from '../../ports.ts';
import type { GovernedCall, Run } from '../call.ts';
import { GovernedController } from '../controller.ts';
import type { CallResult } from '../pending-command.ts';
import { FakeClock, turns } from './fake-clock.ts';
import { ScriptedFiles } from './scripted-files.ts';
import { ScriptedWorkers } from './scripted-workers.ts';

const PROFILE = profileSchema.parse({ id: 'test', name: 'Test' });

function command(name: string, pattern: string, finalize = false): ManifestCommand {
  return {
    name,
    pattern,
    description: name,
    riskTier: 'low',
    needsApproval: false,
    finalize,
    extractTarget: false,
    args: [],
  };
}

/** `box`: its prompt is `>`, `go` and `say …` answer, `save` finalizes. Times in milliseconds. */
export const MANIFEST: Manifest = {
  name: 'box',
  version: '1',
  description: 'A box',
  riskTier: 'low',
  timeoutMs: 30_000,
  cedar: null,
  session: {
    startupArgv: ['/bin/box', '--quiet'],
    readyPattern: '(error)?>',
    startupTimeoutMs: 5_000,
    idleTimeoutMs: 60_000,
    sessionTimeoutMs: 600_000,
    maxInteractions: 5,
    outputMaxBytes: 1_000,
    outputWaitMs: 2_000,
  },
  commands: [
    command('go', 'go'),
    command('say', 'say .*'),
    command('long', '(?s).*'),
    command('save', 'save', true),
  ],
  filesystem: null,
  outputFormat: 'text',
};

export const RUN = { principal: 'agent', startedAt: '2026-01-01T00:00:00Z' };

export interface CallOptions extends Partial<Omit<GovernedCall, 'run'>> {
  readonly run?: Partial<Run>;
  /** Milliseconds from now. */
  readonly withinMs?: number;
  readonly session?: Partial<Manifest['session']>;
  readonly signal?: AbortSignal;
}

/** A controller over scripted workers and a clock that the test moves. */
export class GovernedBench {
  readonly clock = new FakeClock();
  readonly workers = new ScriptedWorkers();
  readonly log = this.workers.log;
  readonly controller: GovernedController;
  #sessions = 0;

  constructor() {
    this.workers.onStarted = (worker) => {
      worker.answer = (line) => `did ${line}\r\n> `;
      worker.print('> ');
    };
    this.controller = new GovernedController({
      workers: this.workers,
      clock: this.clock,
      newSessionId: () => `session-${++this.#sessions}`,
    });
  }

  callOf(options: CallOptions = {}): GovernedCall {
    const { run, withinMs = 20_000, session, signal: _, ...rest } = options;
    const changed = session && { ...MANIFEST, session: { ...MANIFEST.session, ...session } };
    const manifest = rest.manifest ?? changed ?? MANIFEST;
    return {
      run: { ...RUN, deadline: this.clock.now() + 3_600_000, ...run },
      binding: 'binding',
      contract: 'contract',
      profile: PROFILE,
      workerMaxMs: null,
      viewer: null,
      deadline: this.clock.now() + withinMs,
      manifest,
      matcher: compileManifest(manifest),
      tool: 'box.go',
      text: 'go',
      args: {},
      files: null,
      authority: null,
      ...rest,
    };
  }

  /** Begins a call and lets it get as far as it can without time. */
  async begin(options: CallOptions = {}): Promise<RunningCall> {
    const running = new RunningCall(
      this.controller.call(this.callOf(options), options.signal ?? new AbortController().signal),
    );
    await turns();
    return running;
  }

  /** A whole call, with the time that a prompt takes to settle. */
  async call(options: CallOptions = {}): Promise<CallResult> {
    const running = await this.begin(options);
    await this.clock.advance(100);
    return running.now();
  }

  async reply(options: CallOptions = {}): Promise<CommandReply> {
    const result = await this.call(options);
    if (!result.ok) throw new Error(`${result.error.rule}: ${result.error.text}`);
    return result.value;
  }

  async failure(options: CallOptions = {}): Promise<GovernedFailure> {
    const result = await this.call(options);
    if (result.ok) throw new Error('The call succeeded.');
    return result.error;
  }

  /** Closes the run and gives the text of its failure, or null. */
  async close(run = RUN): Promise<string | null> {
    const closed = await this.controller.close(run);
    return closed.ok ? null : closed.error.text;
  }

  files(part: ConstructorParameters<typeof ScriptedFiles>[1] = {}): ScriptedFiles {
    return new ScriptedFiles(this.log, part);
  }
}

export function authority(part: Partial<PublicationAuthority> = {}): PublicationAuthority {
  return {
    sessionId: 'session-1',
    command: 'box.save',
    approver: null,
    approvalId: null,
    stillHolds: () => true,
    ...part,
  };
}

/** A call whose reply may not be there yet. */
export class RunningCall {
  readonly result: Promise<CallResult>;
  #settled: CallResult | null = null;

  constructor(result: Promise<CallResult>) {
    this.result = result;
    void result.then((settled) => {
      this.#settled = settled;
    });
  }

  get isOver(): boolean {
    return this.#settled !== null;
  }

  now(): CallResult {
    if (this.#settled === null) throw new Error('The call is not over.');
    return this.#settled;
  }

  /** The text of its failure; throws when it has not failed. */
  get text(): string {
    const result = this.now();
    if (result.ok) throw new Error('The call succeeded.');
    return result.error.text;
  }
}
