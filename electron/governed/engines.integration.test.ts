import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { microvmSettingsSchema } from '../../shared/settings/engine-settings.ts';
import { type Profile, profileSchema, sandboxLimitsSchema } from '../../shared/settings/schema.ts';
import type { TestClient } from '../connection/testing/test-client.ts';
import { LABELS } from '../sandbox/docker/labels.ts';
import { type DaemonKind, daemonObstacle, TestDaemon } from '../sandbox/docker/testing/test-daemon.ts';
import { guestDataDir, microvmObstacle } from '../sandbox/microvm/testing/test-guest.ts';
import { processesWith } from '../sandbox/testing/sandbox-shell.ts';
import { CLI, ServeProcess, tabOf } from '../server/testing/serve-process.ts';
import { ApprovalPageClient } from './testing/approval-page-client.ts';

/** Milliseconds for a daemon or a guest, and for what is done with it: a machine boots in some seconds. */
const SET_UP_MS = 240_000;
const BOOT_MS = 120_000;
const RUN_MS = 2 * BOOT_MS;

const SIZE = { cols: 97, rows: 31 };

/** An engine, how it is set up for a host, and what is left of its sandboxes then. */
interface EngineUnderTest {
  readonly name: string;
  readonly obstacle: string | null;
  readonly start: (dataDir: string) => Promise<{
    readonly profile: Partial<Profile>;
    readonly leftovers: () => Promise<readonly unknown[]>;
    readonly stop: () => Promise<void>;
  }>;
  /** Whether workers run on it. */
  readonly isGoverned: boolean;
}

function container(kind: DaemonKind, runtime: 'default' | 'runsc' = 'default'): EngineUnderTest {
  return {
    name: runtime === 'runsc' ? `gVisor in ${kind}` : kind,
    obstacle: daemonObstacle(kind),
    isGoverned: true,
    start: async () => {
      const daemon = await TestDaemon.start(kind);
      const client = await daemon.client();
      return {
        profile: { engine: 'container', container: { ...daemon.settings, runtime } },
        leftovers: () => client.containers(LABELS.session),
        stop: () => daemon.stop(),
      };
    },
  };
}

function attach(kind: DaemonKind): EngineUnderTest {
  return {
    name: `a running container of ${kind}`,
    obstacle: daemonObstacle(kind),
    isGoverned: false,
    start: async () => {
      const daemon = await TestDaemon.start(kind);
      const running = await daemon.runContainer();
      return {
        profile: {
          engine: 'attach',
          attach: { endpoint: daemon.address, certificates: null, container: running },
        },
        leftovers: async () => processesWith('echo try""ing'),
        stop: () => daemon.stop(),
      };
    },
  };
}

const QEMU: EngineUnderTest = {
  name: 'QEMU',
  obstacle: microvmObstacle(),
  isGoverned: true,
  start: async (dataDir) => {
    const machines = join(dataDir, 'microvm');
    cpSync(join(await guestDataDir(), 'microvm/guest'), join(machines, 'guest'), { recursive: true });
    return {
      profile: {
        engine: 'microvm',
        limits: sandboxLimitsSchema.parse({ memoryMiB: 160, cpuPercent: 100 }),
        microvm: microvmSettingsSchema.parse({ startupMs: BOOT_MS }),
      },
      leftovers: async () => readdirSync(machines).filter((name) => name !== 'guest'),
      stop: async () => {},
    };
  },
};

const ENGINES = [
  ...[container('Docker'), container('Docker', 'runsc'), container('Podman')],
  ...[attach('Docker'), attach('Podman'), QEMU],
];

for (const engine of ENGINES) {
  if (engine.obstacle === null) describe(`on ${engine.name}`, () => suite(engine));
  else it.skip(`on ${engine.name}: not run: ${engine.obstacle}`);
}

function suite({ start, isGoverned }: EngineUnderTest): void {
  let serve: ServeProcess;
  let engine: Awaited<ReturnType<EngineUnderTest['start']>>;
  let project: string;
  let client: TestClient;
  let page: ApprovalPageClient;
  const profile = () =>
    profileSchema.parse({ id: 'shell', name: 'Engine', command: ['/bin/sh'], ...engine.profile });

  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), 'airlock-project-'));
    mkdirSync(join(project, 'data'));
    writeFileSync(join(project, 'data/rates.csv'), 'EUR,1\n');
    serve = new ServeProcess();
    const tab = await tabOf((await serve.started()).address);
    client = tab.client;
    page = new ApprovalPageClient(tab.approvals);
    engine = await start(serve.dataDir);
    const saved = await client.changeSettings((settings) => ({ ...settings, profiles: [profile()] }));
    expect(saved).toMatchObject({ ok: true });
  }, SET_UP_MS);
  afterAll(async () => {
    await serve.dispose();
    await engine.stop();
    rmSync(project, { recursive: true });
  });

  const openReportWriter = async (): Promise<string> => {
    const catalog = await client.request('manifests.list', {});
    const manifests = catalog.ok ? catalog.value.manifests : [];
    const opened = await client.request('governed.open', {
      ...{ profileId: 'shell', size: SIZE, project },
      manifestDigest: manifests.find(({ manifest }) => manifest.name === 'report_writer')?.digest ?? '',
    });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value.sessionId;
  };
  const run = (sessionId: string, command: string, text: string) =>
    client.request('governed.run', { sessionId, request: { command, text, args: {} } });
  /** What `airlock verify` answers. */
  const verify = async (): Promise<unknown> => {
    const child = spawn(process.execPath, [CLI, 'verify', '--json', '--data-dir', serve.dataDir]);
    const output = await text(child.stdout);
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    return JSON.parse(output);
  };

  it(
    'a profile can be tried: it has its size, answers, records nothing, and its end leaves nothing',
    async () => {
      const command = ['/bin/sh', '-c', 'stty size; echo try""ing; read -r line; echo "got $line"; exit 3'];
      const opened = await client.request('session.try', { profile: { ...profile(), command }, size: SIZE });
      if (!opened.ok) throw new Error(opened.error.message);
      const { sessionId, channel, posture } = opened.value;
      expect(posture.recorded).toBe(false);
      await client.until(() => client.output(channel).includes('trying'));
      expect(client.output(channel)).toMatch(/31 97\r\n/);
      client.input(channel, 'typed\r');
      await client.until(() => client.output(channel).includes('got typed'));
      await client.until(() => client.states(sessionId).at(-1) === 'ended');
      expect(await engine.leftovers()).toEqual([]);
      expect(await client.requestAny('transcripts.list', {})).toMatchObject({ value: { transcripts: [] } });
    },
    RUN_MS,
  );

  it.runIf(isGoverned)(
    'a governed session goes from its manifest to a receipt that holds',
    async () => {
      const sessionId = await openReportWriter();
      const looked = await run(sessionId, 'look', 'rates');
      expect(looked).toMatchObject({ value: { results: { output: 'EUR,1\r\nreport> ' } } });
      expect(await run(sessionId, 'add', 'add coffee,3')).toMatchObject({ ok: true });
      expect(await run(sessionId, 'add', 'add coffee,3; rm')).toMatchObject({
        error: { tag: 'governed-refused', details: { rule: 'M8' } },
      });
      const saving = run(sessionId, 'save', 'save-report');
      const { payload } = await page.approve();
      const destination = join(project, 'data/report.csv');
      expect(payload).toMatchObject({ command: 'save-report', session_finalizes: true, destination });
      // What a machine has written is not known before it is gone, and then nothing is said of it.
      expect(payload.staged).toEqual(engine.profile.engine === 'microvm' ? null : { bytes: 9, sha256: null });
      expect(await saving).toMatchObject({
        value: { execution_status: 'session_finalized', file_publication: 'published', session_closed: true },
      });
      expect(readFileSync(destination, 'utf8')).toBe('coffee,3\n');
      await client.until(() => client.states(sessionId).at(-1) === 'ended');
      expect(await engine.leftovers()).toEqual([]);
      expect(await verify()).toMatchObject({ ok: true, receipts: 1 });
    },
    RUN_MS,
  );
}
