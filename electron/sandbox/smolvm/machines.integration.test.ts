import fs, { fstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newSmolvmMachineSchema } from '../../../shared/terminal/smolvm-machine.ts';
import { identify } from '../process-identity.ts';
import { MachineRecords } from './machine-records.ts';
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

  it('are for their owner alone, and of one machine of one server', () => {
    const records = new MachineRecords(folder());
    const execution = records.claim(place);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(() => records.claim(place)).toThrow('has a session already');
    records.claim({ ...place, machine: 'other' });
    records.claim({ ...place, address: 'http://127.0.0.1:8080' });
    records.release(place, 'another execution');
    expect(records.sessionOf(place)).toBe('open');
    records.release(place, execution);
    expect(records.sessionOf(place)).toBe('none');
  });

  it('of a host that lives block as open, and cannot be resolved', () => {
    const records = new MachineRecords(folder());
    records.claim(place);
    const [name = ''] = readdirSync(folder());
    const record = JSON.parse(readFileSync(join(folder(), name), 'utf8'));
    writeFileSync(join(folder(), name), JSON.stringify({ ...record, host: identify(process.ppid) }));
    const other = new MachineRecords(folder());
    expect(other.sessionOf(place)).toBe('open');
    expect(() => other.resolve(place)).toThrow('is open');
    expect(other.unresolved()).toEqual([]);
  });

  it('are on the disk with their names: the folder is synced after each', () => {
    const synced: string[] = [];
    const sync = vi.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
      synced.push(fstatSync(fd).isDirectory() ? 'folder' : 'record');
    });
    syncBuiltinESMExports();
    try {
      const records = new MachineRecords(folder());
      const execution = records.claim(place);
      expect(synced).toEqual(['folder', 'record', 'folder']);
      records.leaveUnresolved(place, execution, 'reason');
      expect(synced.slice(3)).toEqual(['record', 'folder']);
    } finally {
      sync.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('are listed the oldest first', () => {
    const records = new MachineRecords(folder());
    for (const name of ['one', 'two']) {
      const at = { ...place, machine: name };
      records.leaveUnresolved(at, records.claim(at), `reason of ${name}`);
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
