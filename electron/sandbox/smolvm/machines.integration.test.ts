import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { smolvmAddressProblem } from '../../../shared/settings/smolvm-address.ts';
import { newSmolvmMachineSchema } from '../../../shared/terminal/smolvm-machine.ts';
import type { HostProcess } from '../host-process.ts';
import { identify } from '../process-identity.ts';
import { MachineRecords } from './machine-records.ts';
import { usualAddress } from './status.ts';
import { machine, response } from './testing/peer.ts';
import { smolvmWorkbench } from './testing/workbench.ts';

const bench = smolvmWorkbench();
const signal = new AbortController().signal;
const changes = () =>
  bench.peer.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => [method, path, body]);

describe('machines of a server', () => {
  it('are listed with their states, and with why some take no session', async () => {
    bench.peer.machines = [
      machine('dev', { mounts: [{ source: '/srv', target: '/data', readonly: true }] }),
      machine('old', { state: 'stopped', image: undefined }),
      machine('Upper', { state: 'frozen' }),
    ];
    await bench.open();
    expect(await bench.engine.machines.list(bench.profile(), signal)).toEqual({
      ok: true,
      value: [
        {
          name: 'dev',
          state: 'running',
          image: 'docker.io/library/debian:12',
          cpus: 2,
          memoryMiB: 1024,
          network: false,
          mounts: [{ source: '/srv', target: '/data', readOnly: true }],
          unsupported: null,
          session: 'here',
          unresolved: null,
        },
        expect.objectContaining({
          name: 'old',
          state: 'stopped',
          unsupported: expect.stringContaining('no image'),
        }),
        expect.objectContaining({
          name: 'Upper',
          state: 'other',
          unsupported: expect.stringContaining('1 to 31'),
        }),
      ],
    });
  });

  it('are made, started, stopped and deleted', async () => {
    const { machines } = bench.engine;
    const profile = bench.profile();
    const made = newSmolvmMachineSchema.parse({ name: 'fresh', image: 'docker.io/library/debian:12' });
    expect(await machines.create(profile, made, signal)).toMatchObject({ ok: true });
    expect(await machines.start(profile, 'fresh', signal)).toMatchObject({ ok: true });
    expect(await machines.stop(profile, 'fresh', signal)).toMatchObject({ ok: true });
    expect(await machines.delete(profile, 'fresh', signal)).toMatchObject({ ok: true });
    const body = {
      name: 'fresh',
      image: 'docker.io/library/debian:12',
      cpus: 2,
      memoryMb: 1024,
      storageGb: 8,
      network: false,
    };
    expect(changes()).toEqual([
      ['POST', '/api/v1/machines', JSON.stringify(body)],
      ['POST', '/api/v1/machines/fresh/start', '{}'],
      ['POST', '/api/v1/machines/fresh/stop', '{}'],
      ['DELETE', '/api/v1/machines/fresh', ''],
    ]);
    expect(await machines.unresolved()).toEqual({ ok: true, value: [] });
  });

  it.each([
    ['a name that is none', '../dev', 'refused', 'must be 1 to 31'],
    ['one that there is not', 'other', 'refused', 'There is no machine "other"'],
  ])('%s', async (_case, name, kind, words) => {
    const { machines } = bench.engine;
    for (const change of ['start', 'stop', 'delete'] as const) {
      expect(await machines[change](bench.profile(), name, signal)).toMatchObject({
        ok: false,
        error: { kind, message: expect.stringContaining(words) },
      });
    }
  });

  it.each([
    [
      '409',
      response(409, { error: 'in use <b>', code: 'PORT_IN_USE' }),
      'refused',
      'status 409, PORT_IN_USE',
    ],
    [
      '500',
      response(500, { error: 'a secret', code: 'INTERNAL_ERROR' }),
      'uncertain',
      'status 500, INTERNAL_ERROR',
    ],
    ['408', response(408, undefined), 'uncertain', 'status 408'],
    ['a code that is none', response(400, { error: 'x', code: 'a secret' }), 'refused', 'status 400.'],
    ['no answer', '', 'uncertain', 'It may have been done all the same'],
  ])('a change that is answered with %s', async (_case, raw, kind, words) => {
    if (raw === '') bench.restart({ changeMs: 300 });
    bench.peer.answers = ({ path }, socket) => path.endsWith('/stop') && socket.write(raw);
    const stopped = await bench.engine.machines.stop(bench.profile(), 'dev', signal);
    expect(stopped).toMatchObject({ ok: false, error: { kind, message: expect.stringContaining(words) } });
    expect(JSON.stringify(stopped)).not.toContain('a secret');
    expect(bench.peer.requests.filter(({ path }) => path.endsWith('/stop'))).toHaveLength(1);
    expect(await bench.engine.machines.unresolved()).toEqual({ ok: true, value: [] });
  });

  it('of another version are left alone', async () => {
    bench.peer.version = '1.9.0';
    const { machines } = bench.engine;
    expect(await machines.list(bench.profile(), signal)).toMatchObject({
      ok: false,
      error: { kind: 'unsupported' },
    });
    expect(await machines.stop(bench.profile(), 'dev', signal)).toMatchObject({ ok: false });
    expect(changes()).toEqual([]);
  });

  it('that are too many, or listed with what is no machine, are not shown at all', async () => {
    const { machines } = bench.engine;
    bench.peer.machines = Array.from({ length: 1_025 }, (_, n) => machine(`m${n}`));
    expect(await machines.list(bench.profile(), signal)).toMatchObject({
      ok: false,
      error: { kind: 'unsupported' },
    });
    bench.peer.machines = [machine('dev'), machine('<img src=x>')];
    expect(await machines.list(bench.profile(), signal)).toMatchObject({
      ok: false,
      error: { kind: 'unsupported' },
    });
  });

  it('a token is kept for a profile and its address, and never shown', async () => {
    const { machines } = bench.engine;
    const profile = bench.profile();
    expect(machines.hasToken(profile)).toBe(false);
    expect(machines.saveToken(profile, 'the-token')).toMatchObject({ ok: true });
    expect(machines.hasToken(profile)).toBe(true);
    expect(machines.hasToken(bench.profile({ address: 'http://127.0.0.1:1' }))).toBe(false);
    expect(machines.forgetToken(profile)).toMatchObject({ ok: true });
    expect(machines.hasToken(profile)).toBe(false);
  });
});

describe('records of machines', () => {
  const place = { address: 'unix:///tmp/s.sock', machine: 'dev' };
  const folder = () => join(bench.folder, 'records');

  it('are for their owner alone, and of one machine of one server', async () => {
    const records = new MachineRecords(folder());
    const execution = await records.claim(place);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    await expect(records.claim(place)).rejects.toThrow('has a session already');
    await records.claim({ ...place, machine: 'other' });
    await records.claim({ ...place, address: 'http://127.0.0.1:8080' });
    records.release(place, 'another execution');
    expect(records.sessionOf(place)).toBe('open');
    records.release(place, execution);
    expect(records.sessionOf(place)).toBe('none');
  });

  /** A record of the host that `change` makes of this one, as another engine on the data folder finds it. */
  async function ofHost(change: Partial<HostProcess>): Promise<MachineRecords> {
    await new MachineRecords(folder()).claim(place);
    const [name = ''] = readdirSync(folder());
    const record = JSON.parse(readFileSync(join(folder(), name), 'utf8'));
    writeFileSync(join(folder(), name), JSON.stringify({ ...record, host: { ...record.host, ...change } }));
    return new MachineRecords(folder());
  }

  it.each<[string, () => Partial<HostProcess>]>([
    ['lives', () => ({ pid: process.ppid, startTime: identify(process.ppid)?.startTime ?? null })],
    ['has no start time, as on macOS', () => ({ pid: process.ppid, startTime: null, bootId: null })],
    ['is of another machine', () => ({ machine: 'elsewhere', bootId: 'another' })],
    ['has this number on another machine', () => ({ machine: 'elsewhere' })],
  ])('of a host that %s block as open, and cannot be resolved', async (_case, change) => {
    const records = await ofHost(change());
    expect(records.sessionOf(place)).toBe('open');
    expect(() => records.resolve(place)).toThrow('is open');
    expect(records.unresolved()).toEqual([]);
  });

  it('of an earlier host with this number, and of this very one that knows nothing of them, are unresolved', async () => {
    for (const change of [{ startTime: '1' }, {}]) {
      const records = await ofHost(change);
      expect(records.sessionOf(place)).toMatchObject({ reason: 'Airlock ended while it was open.' });
      expect(records.resolve(place)).toBe(true);
    }
  });

  it('of a session that ended and was resolved stay removed, though the reason is written only then', async () => {
    const records = new MachineRecords(folder());
    const written = records.leaveUnresolved(place, await records.claim(place), 'reason');
    expect(records.sessionOf(place)).toMatchObject({ reason: 'reason' });
    expect(records.resolve(place)).toBe(true);
    await written;
    expect(readdirSync(folder())).toEqual([]);
  });

  describe('on the disk', () => {
    let syncs: MockInstance<FileHandle['sync']>;
    const synced: string[] = [];
    beforeEach(async () => {
      const any = await open(bench.folder);
      syncs = vi.spyOn(Object.getPrototypeOf(any) as FileHandle, 'sync');
      await any.close();
      syncs.mockImplementation(async function (this: FileHandle) {
        synced.push((await this.stat()).isDirectory() ? 'folder' : 'record');
      });
    });
    afterEach(() => {
      syncs.mockRestore();
      synced.splice(0);
    });

    it('are there with their names: the folder is synced after each', async () => {
      const records = new MachineRecords(folder());
      const execution = await records.claim(place);
      expect(synced.splice(0)).toEqual(['folder', 'record', 'folder']);
      await records.leaveUnresolved(place, execution, 'reason');
      expect(synced).toEqual(['record', 'folder']);
    });

    it('are made on Windows, where no folder can be synced', async () => {
      const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
      try {
        await new MachineRecords(folder()).claim(place);
      } finally {
        platform.mockRestore();
      }
      expect(synced).toEqual(['record']);
    });

    it('are removed again where the opening was given up meanwhile, and nothing is dispatched', async () => {
      const abort = new AbortController();
      syncs.mockImplementationOnce(async () => abort.abort());
      await expect(bench.open({}, abort.signal)).rejects.toThrow('The opening was cancelled.');
      expect(bench.peer.upgrades).toEqual([]);
      await bench.open();
    });

    it('hold nothing else up while they get there (ST-4)', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      syncs.mockImplementation(() => promise);
      const records = new MachineRecords(folder());
      const claimed = records.claim(place);
      await expect.poll(() => syncs.mock.calls.length).toBe(1);
      expect(records.sessionOf(place)).toBe('none');
      resolve();
      await claimed;
    });
  });

  it('are listed the oldest first', async () => {
    const records = new MachineRecords(folder());
    for (const name of ['one', 'two']) {
      const at = { ...place, machine: name };
      await records.leaveUnresolved(at, await records.claim(at), `reason of ${name}`);
    }
    expect(records.unresolved().map(({ machine, reason }) => [machine, reason])).toEqual([
      ['one', 'reason of one'],
      ['two', 'reason of two'],
    ]);
  });
});

describe('whether it can be used', () => {
  const runtimeDir = process.env['XDG_RUNTIME_DIR'];
  afterEach(() => {
    if (runtimeDir === undefined) delete process.env['XDG_RUNTIME_DIR'];
    else process.env['XDG_RUNTIME_DIR'] = runtimeDir;
  });

  it('says what to do without an address, and where nothing listens', async () => {
    expect(await bench.engine.probe(bench.profile({ address: '' }))).toMatchObject({
      usable: false,
      summary: 'The profile must name what it opens: Address (smolvm.address).',
    });
    expect(await bench.engine.probe(bench.profile({ address: '', machine: '' }))).toMatchObject({
      summary: 'The profile must name what it opens: Address (smolvm.address) and Machine (smolvm.machine).',
      fixes: [{ text: expect.stringContaining('listens at unix:///') }, {}],
    });
    process.env['XDG_RUNTIME_DIR'] = bench.folder;
    expect(await bench.engine.probe()).toMatchObject({
      usable: false,
      summary: expect.stringContaining(join(bench.folder, 'smolvm.sock')),
      fixes: [{ command: 'smolvm serve start' }, {}],
    });
  });

  it.each([
    ['linux', `unix:///run/user/7/smolvm.sock`],
    ['darwin', 'unix:///tmp/smolvm.sock'],
    ['win32', 'http://127.0.0.1:8080'],
  ] as const)('its usual place on %s', (platform, address) => {
    process.env['XDG_RUNTIME_DIR'] = '/run/user/7';
    const stub = vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
    try {
      expect(usualAddress()).toBe(address);
      expect(smolvmAddressProblem(address)).toBeNull();
    } finally {
      stub.mockRestore();
    }
  });

  it.each([
    ['all is well', () => {}, true, 'smolvm 1.20.2 is ready; the machine "dev" runs.'],
    ['another version', () => (bench.peer.version = '2.0.0'), false, 'Version 2.0.0 of smolvm is not one of'],
    ['no machine of that name', () => (bench.peer.machines = []), false, 'There is no machine "dev"'],
    [
      'a stopped machine',
      () => (bench.peer.machines = [machine('dev', { state: 'stopped' })]),
      false,
      'is stopped',
    ],
    ['a wrong token', () => (bench.peer.token = 'x'), false, 'does not let this profile in'],
    ['a server that is not ready', () => (bench.peer.ready = false), false, 'takes no work now'],
    [
      'a server that says nothing',
      () => {
        bench.peer.silent = true;
        bench.restart({ readMs: 300 });
      },
      false,
      'no answer within 300 ms',
    ],
  ])('%s', async (_case, arrange, usable, words) => {
    arrange();
    const status = await bench.engine.probe(bench.profile());
    expect(status).toMatchObject({ kind: 'smolvm', usable, summary: expect.stringContaining(words) });
    expect(status.fixes.length > 0).toBe(!usable);
    expect(
      bench.peer.requests.every(({ method, path }) => method === 'GET' && !path.endsWith('interactive')),
    ).toBe(true);
  });

  it('a stopped machine that may be started, and one that is blocked', async () => {
    bench.peer.machines = [machine('dev', { state: 'stopped' })];
    expect(await bench.engine.probe(bench.profile({ startMachine: true }))).toMatchObject({
      usable: true,
      summary: expect.stringContaining('will be started'),
    });
    expect(bench.peer.machines[0]?.state).toBe('stopped');
    bench.peer.machines = [machine('dev')];
    await (await bench.open()).release();
    expect(await bench.engine.probe(bench.profile())).toMatchObject({
      usable: false,
      summary: expect.stringContaining('is blocked'),
    });
  });

  it('a profile with what it cannot do', async () => {
    const profile = bench.profile({}, { command: ['/bin/sh', '-l'] });
    expect(await bench.engine.probe(profile)).toMatchObject({
      usable: false,
      summary: expect.stringContaining('without arguments'),
    });
  });
});
