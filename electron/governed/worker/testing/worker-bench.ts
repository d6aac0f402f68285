import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandReply } from '../../../../shared/governed/call.ts';
import type { Manifest } from '../../../../shared/governed/manifest.ts';
import { profileSchema } from '../../../../shared/settings/schema.ts';
import { BubblewrapEngine } from '../../../sandbox/bubblewrap/engine.ts';
import { waitUntil } from '../../../sandbox/wait.ts';
import { SessionLedger } from '../../../session/session-ledger.ts';
import type { GovernedCall } from '../../controller/call.ts';
import { systemClock } from '../../controller/clock.ts';
import { GovernedController } from '../../controller/controller.ts';
import type { CallResult } from '../../controller/pending-command.ts';
import { compileManifest } from '../../manifest/compiled-manifest.ts';
import { NO_CUSTOM_TYPES } from '../../manifest/custom-types.ts';
import { parseManifest } from '../../manifest/parse-manifest.ts';
import type { Worker, WorkerSpec } from '../../ports.ts';
import { SandboxWorkers } from '../sandbox-workers.ts';

const PATIENCE_MS = 20_000;

export const PROFILE = profileSchema.parse({ id: 'test', name: 'Test' });

/** One of the examples that come with Airlock. */
export function exampleManifest(name: string): Manifest {
  const text = readFileSync(
    join(import.meta.dirname, `../../../../resources/manifests/${name}.clad.toml`),
    'utf8',
  );
  return manifestOf(text);
}

export function manifestOf(text: string): Manifest {
  const { manifest, problems } = parseManifest(text, NO_CUSTOM_TYPES);
  if (manifest === null) throw new Error(JSON.stringify(problems));
  return manifest;
}

/** The real controller over real workers in real sandboxes, and a ledger in a folder of its own. */
export class WorkerBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'airlock-governed-'));
  readonly ledger = new SessionLedger(join(this.folder, 'sessions'));
  readonly engine = new BubblewrapEngine({ privateFolders: [this.folder] });
  readonly workers = new SandboxWorkers({
    engines: new Map([['bubblewrap', this.engine]]),
    ledger: this.ledger,
  });
  readonly controller = new GovernedController({
    workers: this.workers,
    clock: systemClock,
    newSessionId: () => `session-${crypto.randomUUID()}`,
  });
  readonly #started: Worker[] = [];

  callOf(
    manifest: Manifest,
    command: string,
    text: string,
    options: Partial<GovernedCall> = {},
  ): GovernedCall {
    const now = systemClock.now();
    return {
      run: { principal: 'test', startedAt: '2026-01-01T00:00:00Z', deadline: now + 600_000 },
      binding: 'binding',
      contract: 'contract',
      profile: PROFILE,
      workerMaxMs: null,
      viewer: null,
      deadline: now + manifest.timeoutMs,
      manifest,
      matcher: compileManifest(manifest),
      tool: `${manifest.name}.${command}`,
      text,
      args: {},
      files: null,
      authority: null,
      ...options,
    };
  }

  call(...args: Parameters<WorkerBench['callOf']>): Promise<CallResult> {
    return this.controller.call(this.callOf(...args), new AbortController().signal);
  }

  async reply(...args: Parameters<WorkerBench['callOf']>): Promise<CommandReply> {
    const result = await this.call(...args);
    if (!result.ok) throw new Error(`${result.error.rule}: ${result.error.text}`);
    return result.value;
  }

  /** A worker alone, and everything that it has printed. */
  async start(script: string, part: Partial<WorkerSpec> = {}, signal = new AbortController().signal) {
    const worker = await this.workers.start(
      {
        sessionId: `session-${this.#started.length}`,
        argv: ['/bin/sh', '-c', script],
        profile: PROFILE,
        mounts: [],
        fileMaxBytes: null,
        ...part,
      },
      signal,
    );
    this.#started.push(worker);
    const chunks: Uint8Array[] = [];
    worker.onOutput((bytes) => chunks.push(Uint8Array.from(bytes)));
    const text = () => Buffer.concat(chunks).toString();
    const shows = async (expected: string) => {
      if (!(await waitUntil(() => text().includes(expected), PATIENCE_MS)))
        throw new Error(`"${expected}" did not come: ${JSON.stringify(text())}`);
    };
    return { worker, text, shows };
  }

  /** What a program prints until it ends. */
  async run(script: string, part: Partial<WorkerSpec> = {}): Promise<string> {
    const { worker, text } = await this.start(script, part);
    await worker.ended;
    return text();
  }

  async close(): Promise<void> {
    await this.controller.closeAll();
    await Promise.all(this.#started.map((worker) => worker.release()));
    this.ledger.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
