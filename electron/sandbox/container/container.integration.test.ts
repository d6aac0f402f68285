import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../../shared/settings/schema.ts';
import { FOLDER_TARGETS, WORKER_DIRECTORY } from '../../../shared/terminal/inside.ts';
import type { Outcome } from '../../../shared/terminal/outcome.ts';
import { DockerClient } from '../docker/client.ts';
import { resolveEndpoint } from '../docker/endpoint.ts';
import { LABELS } from '../docker/labels.ts';
import { Relay } from '../docker/testing/relay.ts';
import { type DaemonKind, daemonObstacle, TestDaemon } from '../docker/testing/test-daemon.ts';
import { EngineError, type SandboxSpec, type SandboxTerminal, type WorkerPart } from '../engine.ts';
import { thisProcess } from '../host-process.ts';
import { processesWith, profileOf, SandboxShell } from '../testing/sandbox-shell.ts';
import { ContainerEngine } from './engine.ts';
import { outFolderPath } from './out-folder.ts';

const SIZE = { cols: 133, rows: 41 };
const SET_UP_MS = 120_000;

for (const kind of ['Docker', 'Podman'] as const) {
  const obstacle = daemonObstacle(kind);
  if (obstacle === null) describe(`containers of ${kind}`, () => containers(kind));
  else it.skip(`containers of ${kind}: not run: ${obstacle}`);
}

function containers(kind: DaemonKind): void {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-container-test-'));
  const engine = new ContainerEngine({ privateFolders: [join(folder, 'data')] });
  const opened: SandboxTerminal[] = [];
  let daemon: TestDaemon;
  let count = 0;
  beforeAll(async () => {
    daemon = await TestDaemon.start(kind);
  }, SET_UP_MS);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((terminal) => terminal.release()));
  });
  afterAll(async () => {
    await daemon.stop();
    rmSync(folder, { recursive: true });
  });

  const runtimes = kind === 'Docker' ? (['default', 'runsc'] as const) : (['default'] as const);
  const profileWith = (
    command: readonly string[],
    rest: Partial<Profile> = {},
    runtime = 'default',
  ): Profile =>
    profileOf(command, {
      engine: 'container',
      container: { ...daemon.settings, runtime: runtime as 'default' | 'runsc' },
      ...rest,
    });
  const open = async (profile: Profile, worker?: WorkerPart): Promise<SandboxShell> => {
    count += 1;
    const spec: SandboxSpec = {
      sessionId: `test-${process.pid}-${count}`,
      profile,
      project: null,
      ...(worker ? { worker } : {}),
    };
    const terminal = await engine.open(spec, SIZE, AbortSignal.timeout(30_000));
    opened.push(terminal);
    return new SandboxShell(terminal);
  };
  const run = async (
    profile: Profile,
    worker?: WorkerPart,
  ): Promise<{ text: string; outcome: Outcome; shell: SandboxShell }> => {
    const shell = await open(profile, worker);
    const outcome = await shell.terminal.ended;
    return { text: shell.text, outcome, shell };
  };
  const sh = (text: string) => ['/bin/sh', '-c', text];
  const refusal = (opening: Promise<unknown>): Promise<EngineError> =>
    opening.then(
      () => Promise.reject(new Error('It was opened.')),
      (error) => (error instanceof EngineError ? error : Promise.reject(error)),
    );

  it('is usable, and says what it is', async () => {
    expect(await engine.probe(profileWith(['/bin/sh']))).toMatchObject({
      kind: 'container',
      usable: true,
      fixes: [],
    });
  });

  it.runIf(kind === 'Podman')(
    'ST-9 the last of the sizes that its helper reads at one time holds, which it takes for the first of them',
    async () => {
      const shell = await open(profileWith(['/bin/sh', '-i']));
      const { identity } = shell.terminal;
      const id = identity.kind === 'container' ? identity.id : expect.fail('It is no container.');
      const [conmon] = processesWith(`conmon\0--api-version\x001\0-c\0${id}`);
      if (conmon === undefined) expect.fail('It has no helper.');
      process.kill(conmon, 'SIGSTOP');
      for (const cols of [101, 90, 77]) await shell.terminal.resize({ cols, rows: 22 });
      process.kill(conmon, 'SIGCONT');
      await shell.type(`until [ "$(stty size)" = '22'' 77' ]; do sleep 0.1; done; stty size\r`);
      await shell.shows('22 77');
    },
  );

  it('the check of a profile refuses a folder that an opening refuses, in the same words', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    for (const scratch of ['/', closed]) {
      const profile = profileWith(['/bin/sh'], { scratch });
      const { message, tag } = await refusal(open(profile));
      expect(tag).toBe('profile-invalid');
      const status = await engine.probe(profile);
      expect(status).toMatchObject({ usable: false, summary: message.split('\n')[0] });
    }
  });

  it('names a missing image with the command that gets it, before anything is created', async () => {
    const profile = profileWith(['/bin/sh'], { container: { ...daemon.settings, image: 'no/such:1' } });
    const status = await engine.probe(profile);
    expect(status).toMatchObject({ usable: false });
    const program = kind === 'Docker' ? 'docker -H' : 'podman --url';
    const command = `${program} ${daemon.address} pull no/such:1`;
    expect(status.fixes).toEqual([{ text: 'Pull it in the profile, or:', command }]);
    expect(await refusal(open(profile))).toMatchObject({ tag: 'engine-unavailable' });
  });

  it('B05 says that a program is not in the image, and leaves nothing', async () => {
    for (const program of ['/bin/bash', 'no-such-program', './run']) {
      const error = await refusal(open(profileWith([program])));
      expect(error).toMatchObject({ tag: 'open-failed' });
      expect(error.message).toContain(`"${program}"`);
    }
    // Docker of this version has a shell of the image look, and that of the test image has all programs built in.
    if (kind === 'Podman') {
      const profile = profileWith(['ls'], { environment: { PATH: '/nowhere:/none' } });
      expect((await refusal(open(profile))).message).toContain('no such file in /nowhere:/none.');
    }
    const client = await daemon.client();
    expect(await client.containers(LABELS.session)).toEqual([]);
  });

  it.each(runtimes)('starts the program as if nothing had been before it (%s)', async (runtime) => {
    const script = 'env | grep -c -E "^(OLDPWD|_gate)"; pwd; cat /proc/self/cmdline | tr "\\0" " "';
    const environment = { MINE: "it's é", s: '1', k: '2', go: '3' };
    const { text } = await run(profileWith(['/bin/sh', '-c', script], { environment }, runtime));
    expect(text).toContain('0\r\n/home/u\r\ncat /proc/self/cmdline');
    const variable = await run(profileWith(sh('echo "$MINE $s $k $go"'), { environment }, runtime));
    expect(variable.text).toBe("it's é 1 2 3\r\n");
  });

  it('shares the folders of the profile and no other, and /out, each as its posture says', async () => {
    const [project, scratch] = ['project', 'scratch'].map((name) => join(folder, name));
    for (const path of [project, scratch]) mkdirSync(path ?? '', { recursive: true });
    writeFileSync(join(project ?? '', 'read.txt'), 'from the host\n');
    chmodSync(scratch ?? '', 0o777);
    const script = `pwd; cat read.txt; touch new 2>/dev/null || echo read-only; echo kept > ${FOLDER_TARGETS.scratch}/x; echo result > /out/r; touch /x 2>/dev/null || echo no; id -u`;
    const { text, shell } = await run(
      profileWith(sh(script), { project: project ?? null, scratch: scratch ?? null }),
    );
    expect(text.split('\r\n')).toEqual([
      FOLDER_TARGETS.project,
      'from the host',
      'read-only',
      'no',
      '1000',
      '',
    ]);
    expect(readFileSync(join(scratch ?? '', 'x'), 'utf8')).toBe('kept\n');
    const { outFolder, posture } = shell.terminal;
    expect(readFileSync(join(outFolder?.path ?? '', 'r'), 'utf8')).toBe('result\n');
    expect(posture.mounts).toEqual([
      { source: project, target: FOLDER_TARGETS.project, access: 'read-only' },
      { source: scratch, target: FOLDER_TARGETS.scratch, access: 'read-write' },
    ]);
    await shell.terminal.release();
    expect(outFolder?.isStillThere()).toBe(false);
    expect(readdirSync(join(folder, 'data/container-out'))).toEqual([]);
  });

  it.each(runtimes)(
    'ST-1 begins nothing where a link took the place of a folder after it was checked (%s)',
    async (runtime) => {
      const relay = await Relay.start(join(daemon.folder, 'socket'), join(daemon.folder, 'relay'));
      const container = { ...daemon.settings, endpoint: `unix://${relay.path}`, runtime };
      const parent = mkdtempSync(join(folder, 'writable-'));
      const [project, secret] = [join(parent, 'project'), join(parent, 'secret')];
      for (const path of [project, secret]) mkdirSync(path);
      const profile = profileWith(sh('echo begun; ls'), { container, project });
      // Podman mounts before it attaches.
      const held = relay.hold(kind === 'Docker' ? '/start' : '/attach');
      const spec = { sessionId: `swapped-${runtime}`, profile, project: null };
      const opening = refusal(engine.open(spec, SIZE, AbortSignal.timeout(30_000)));
      await held.arrived;
      renameSync(project, join(parent, 'aside'));
      symlinkSync(secret, project);
      await held.letGo();
      // As if nothing had been.
      rmSync(project);
      renameSync(join(parent, 'aside'), project);
      const error = await opening;
      expect(error).toMatchObject({ tag: 'open-failed', left: null });
      expect(error.message).toContain(`something else than ${project}`);
      const client = await daemon.client();
      expect(await client.containers(`${LABELS.session}=${spec.sessionId}`)).toEqual([]);
      relay.close();
    },
  );

  it('refuses a scratch folder that its user could not write, and says how to allow it', async () => {
    const scratch = join(folder, 'closed-scratch');
    mkdirSync(scratch, { mode: 0o700 });
    const error = await refusal(open(profileWith(['/bin/sh'], { scratch })));
    expect(error).toMatchObject({ tag: 'profile-invalid' });
    expect(error.message).toContain(`sudo chown 1000:1000 '${scratch}'`);
  });

  it('B06 detaches by no key: Ctrl-P Ctrl-Q and bytes of no character arrive at once', async () => {
    const shell = await open(profileWith(sh('stty raw -echo; echo ready; head -c 5 | od -An -tx1')));
    await shell.shows('ready');
    for (const byte of [0x10, 0x11, 0xff, 0xfe, 0x1e]) await shell.terminal.write(Uint8Array.of(byte));
    await shell.shows('10 11 ff fe 1e');
  });

  it('B07 passes on what looks like the frame of a stream', async () => {
    const { text } = await run(profileWith(sh("printf '\\001\\000\\000\\000\\000\\000\\000\\005hello'")));
    expect(text).toBe('\u0001\0\0\0\0\0\0\u0005hello');
  });

  it('B08 tells 137 of a program that memory ran out for, and says so', async () => {
    const limits = { ...profileOf(['x']).limits, memoryMiB: 32 };
    const { outcome } = await run(profileWith(sh('exec tail /dev/zero'), { limits }));
    // Podman does not tell the reason where control groups are of version 1.
    const memory = { kind: 'signalled', signal: 9, name: 'SIGKILL, out of memory' };
    expect(kind === 'Docker' ? [memory] : [memory, { kind: 'exited', code: 137 }]).toContainEqual(outcome);
  });

  it.each(runtimes)(
    'E14 F6 runs a worker: its files, its bound, no echo and one variable (%s)',
    async (runtime) => {
      const staged = mkdtempSync(join(folder, 'staged-'));
      const [input, output] = [join(staged, 'input'), join(staged, 'output')];
      writeFileSync(input, 'input\n');
      chmodSync(input, 0o444);
      writeFileSync(output, '');
      chmodSync(output, 0o666);
      const worker: WorkerPart = {
        files: [
          { source: input, target: 'data/in.txt', access: 'read-only' },
          { source: output, target: 'data/out.txt', access: 'read-write' },
        ],
        fileMaxBytes: 10,
      };
      const script = `tr '\\0' '\\n' < /proc/$$/environ; read -r line; echo "got $line"; pwd; cat data/in.txt
      (echo x >> data/in.txt) 2>/dev/null || echo read-only; (echo x > other) 2>/dev/null || echo nowhere else
      ls -1A . data; trap '' XFSZ; printf 0123456789abcdef > data/out.txt 2>/dev/null; ls -d /out 2>/dev/null; grep CapEff /proc/self/status | tr '\\t' ' '`;
      const profile = profileWith(sh(script), { environment: { SECRET: 'x' } }, runtime);
      const shell = await open(profile, worker);
      await shell.type('typed\n');
      await shell.terminal.ended;
      expect(shell.text.split('\r\n')).toEqual([
        ...['TERM=dumb', 'got typed', WORKER_DIRECTORY, 'input', 'read-only', 'nowhere else'],
        ...['.:', 'data', '', 'data:', 'in.txt', 'out.txt', 'CapEff: 0000000000000000', ''],
      ]);
      expect(readFileSync(output, 'utf8')).toBe('0123456789');
      expect(shell.terminal.posture.limits.fileBytes).toBe(10);
      expect(shell.terminal.outFolder).toBeNull();
    },
  );

  it('ST-25 leaves a container alone that does not have the label of the session', async () => {
    const foreign = await daemon.runContainer();
    const identity = { kind: 'container', id: foreign, endpoint: daemon.address, session: 'test' } as const;
    expect(await engine.recover(identity)).toMatchObject({ kind: 'mismatch' });
    const client = await daemon.client();
    expect((await client.container(foreign))?.State.Running).toBe(true);
    await client.remove(foreign);
  });

  it('ST-26 removes what a dead process created and did not record, and nothing of a living one', async () => {
    const client = await daemon.client();
    const facts = await client.image(daemon.settings.image);
    const created = async (pid: number, startTime: string) => {
      const { machine, bootId } = thisProcess();
      const label = JSON.stringify({ machine, pid, startTime, bootId });
      return client.create({
        ...{ Image: facts?.Id, Cmd: ['true'] },
        Labels: { [LABELS.host]: label, [LABELS.session]: 's' },
      });
    };
    const { startTime } = thisProcess();
    const [dead, alive] = [await created(process.pid, '1'), await created(process.pid, startTime ?? '')];
    // A host that begins: it has not looked at this daemon before.
    const begun = new ContainerEngine({ privateFolders: [join(folder, 'begun')] });
    const place = { base: join(folder, 'begun/container-out'), daemon: daemon.address };
    const left = outFolderPath(place, 'left');
    mkdirSync(left, { recursive: true });
    writeFileSync(`${left}.host`, JSON.stringify({ ...thisProcess(), startTime: '1' }));
    const spec = { sessionId: 'begun', profile: profileWith(['/bin/true']), project: null };
    const terminal = await begun.open(spec, SIZE, AbortSignal.timeout(30_000));
    expect(await client.container(dead)).toBeNull();
    expect(await client.container(alive)).not.toBeNull();
    await expect.poll(() => existsSync(left), { timeout: SET_UP_MS }).toBe(false);
    await terminal.release();
    await client.remove(alive);
  });

  it.each(['/containers/create', '/start'])(
    'ST-6 that is cancelled leaves nothing, though the daemon does %s later',
    async (call) => {
      const client = await daemon.client();
      const relay = await Relay.start(join(daemon.folder, 'socket'), join(daemon.folder, 'relay'));
      const container = { ...daemon.settings, endpoint: `unix://${relay.path}` };
      const profile = profileWith(['/bin/cat'], { container });
      for (let time = 0; time < 5; time++) {
        const cancel = new AbortController();
        const held = relay.hold(call);
        const spec = { sessionId: `cancelled-${time}`, profile, project: null };
        const opening = refusal(engine.open(spec, SIZE, cancel.signal));
        await held.arrived;
        cancel.abort();
        // What the daemon is asked beside it has been answered when this is.
        await client.info();
        const [error] = await Promise.all([opening, held.letGo()]);
        expect(error).toMatchObject({
          tag: 'open-failed',
          message: 'Opening was cancelled; what had been started was ended.',
        });
        expect(await client.containers(`${LABELS.session}=${spec.sessionId}`)).toEqual([]);
      }
      expect(readdirSync(join(folder, 'data/container-out'))).toEqual([]);
      relay.close();
    },
  );

  it('ST-6 removes what a daemon creates when it is no longer waited for', async () => {
    const client = await daemon.client();
    const relay = await Relay.start(join(daemon.folder, 'socket'), join(daemon.folder, 'relay'));
    const settings = { endpoint: `unix://${relay.path}`, certificates: null };
    const slow = await DockerClient.connect(resolveEndpoint(settings, 'container', {}));
    const held = relay.hold('/containers/create');
    const facts = await client.image(daemon.settings.image);
    const creating = slow.create(
      { Image: facts?.Id, Cmd: ['true'], Labels: { [LABELS.session]: 'late' } },
      20,
    );
    await expect(creating).rejects.toThrow('did not create the container within 20 ms');
    await held.letGo();
    const left = () => client.containers(`${LABELS.session}=late`);
    await expect.poll(left, { timeout: SET_UP_MS }).toEqual([]);
    relay.close();
  });

  if (kind === 'Docker') {
    it('runs on gVisor where that is asked for, and says so', async () => {
      const { text, shell } = await run(profileWith(sh('cat /proc/version'), {}, 'runsc'));
      expect(text).toContain('4.4.0');
      expect(shell.terminal.posture.engine).toBe('gVisor in Docker');
    });
  } else {
    it('refuses gVisor, which Podman’s service would ignore without a word', async () => {
      const error = await refusal(open(profileWith(['/bin/sh'], {}, 'runsc')));
      expect(error).toMatchObject({ tag: 'engine-unavailable' });
      expect(error.message).toContain('containers.conf');
    });
  }
}
