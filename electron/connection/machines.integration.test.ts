import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  DEFAULT_PROFILE,
  type Profile,
  profileSchema,
  settingsSchema,
} from '../../shared/settings/schema.ts';
import { SmolvmEngine } from '../sandbox/smolvm/engine.ts';
import { machine, SmolvmPeer } from '../sandbox/smolvm/testing/peer.ts';
import { MemoryEngine } from '../session/testing/memory-sandbox.ts';
import { HostTokens } from '../settings/host-tokens.ts';
import type { TestClient } from './testing/test-client.ts';
import { TestHost } from './testing/test-host.ts';

const TOKEN = 'vm-1.s3cr3t';
const DONE = { ok: true, value: {} };

let dataDir: string;
let peer: SmolvmPeer;
let fixture: TestHost;
let client: TestClient;
let profile: Profile;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'airlock-machines-'));
  peer = await SmolvmPeer.listen();
  const tokens = new HostTokens(dataDir, 'smolvm', null);
  const engine = new MemoryEngine();
  fixture = new TestHost(engine, { dataDir, engines: [engine, new SmolvmEngine({ dataDir, tokens })] });
  client = await fixture.client();
  profile = profileSchema.parse({
    id: 'vm',
    name: 'VM',
    engine: 'smolvm',
    command: ['/bin/sh'],
    smolvm: { address: peer.address, machine: 'dev' },
  });
});

afterEach(async () => {
  await fixture.dispose();
  await peer.close();
  rmSync(dataDir, { recursive: true });
  expect(fixture.faults).toEqual([]);
});

async function save(...profiles: Profile[]): Promise<void> {
  const settings = settingsSchema.parse({ profiles: [DEFAULT_PROFILE, ...profiles] });
  expect(await client.changeSettings(() => settings)).toMatchObject({ ok: true });
}

/** Files of the data folder that hold the token, as it is or in base64. */
function filesWithToken(): string[] {
  const forms = [TOKEN, Buffer.from(TOKEN).toString('base64')];
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(dataDir, name);
    return statSync(path).isFile() && forms.some((form) => readFileSync(path, 'utf8').includes(form));
  });
}

it('machines of a profile that is not saved are made, listed, started, stopped and deleted', async () => {
  const made = { name: 'new', image: 'alpine', cpus: 1, memoryMiB: 512, storageGiB: 2, network: false };
  expect(await client.request('machines.create', { profile, machine: made })).toEqual(DONE);
  expect(await client.request('machines.start', { profile, name: 'new' })).toEqual(DONE);
  expect(await client.request('machines.list', { profile })).toMatchObject({
    value: {
      machines: [{ name: 'dev' }, { name: 'new', state: 'running', image: 'alpine', session: 'none' }],
    },
  });
  expect(await client.request('machines.stop', { profile, name: 'new' })).toEqual(DONE);
  expect(await client.request('machines.delete', { profile, name: 'new' })).toEqual(DONE);
  expect(peer.machines.map(({ name }) => name)).toEqual(['dev']);
  expect(await client.request('machines.start', { profile, name: 'new' })).toMatchObject({
    error: { tag: 'engine-refused' },
  });
});

it.each<[string, string, (change: SmolvmPeer) => void]>([
  ['a server of another version', 'engine-unavailable', (it) => Object.assign(it, { version: '1.18.0' })],
  ['a server that wants a token', 'engine-unavailable', (it) => Object.assign(it, { token: TOKEN })],
])('%s is refused as %s', async (_what, tag, change) => {
  change(peer);
  expect(await client.request('machines.list', { profile })).toMatchObject({ error: { tag } });
});

it('a section that names nothing is profile-invalid, and nothing is asked', async () => {
  const empty = { ...profile, smolvm: undefined };
  expect(await client.request('machines.list', { profile: empty })).toMatchObject({
    error: { tag: 'profile-invalid' },
  });
  expect(await client.request('engines.check', { profile: empty })).toMatchObject({
    value: { usable: false },
  });
  expect(peer.requests).toEqual([]);
});

it('a session that nobody knows the end of blocks its machine until a person has looked (rule 10)', async () => {
  await save(profile);
  expect(await client.request('engines.check', { profile })).toMatchObject({ value: { usable: true } });
  const { sessionId } = await client.open({ cols: 80, rows: 24 }, 'vm');
  (await peer.terminal()).reset();
  await client.until(() =>
    client.states(sessionId).some((kind) => kind === 'ended' || kind === 'needs-attention'),
  );
  const listed = await client.request('machines.unresolved', {});
  expect(listed).toMatchObject({ value: { unresolved: [{ machine: 'dev', address: peer.address }] } });
  expect(await client.request('machines.list', { profile })).toMatchObject({
    value: { machines: [{ name: 'dev', session: 'unresolved' }] },
  });
  expect(await client.request('machines.stop', { profile, name: 'dev' })).toMatchObject({
    error: { tag: 'engine-refused' },
  });
  const place = { address: peer.address, machine: 'dev' };
  expect(await client.request('machines.resolve', place)).toEqual(DONE);
  expect(await client.request('machines.unresolved', {})).toMatchObject({ value: { unresolved: [] } });
  expect(await client.request('machines.stop', { profile, name: 'dev' })).toEqual(DONE);
});

it('a change goes on when its client has left', async () => {
  peer.machines = [machine('dev', { state: 'stopped' })];
  client.send({ type: 'request', id: 99, verb: 'machines.start', params: { profile, name: 'dev' } });
  await peer.until(() => peer.requests.length > 0);
  client.close();
  await peer.until(() => peer.machines[0]?.state === 'running');
});

it('a token is kept for the address of a saved profile, never told, and goes with the profile', async () => {
  peer.token = TOKEN;
  expect(await client.requestAny('machines.set-token', { profileId: 'vm', token: TOKEN })).toMatchObject({
    error: { tag: 'profile-unknown' },
  });
  await save(profile);
  expect(await client.request('machines.set-token', { profileId: 'vm', token: TOKEN })).toEqual(DONE);
  expect(await client.request('machines.list', { profile })).toMatchObject({ ok: true });
  const kept = async (address: string) => {
    const smolvm = { ...profile.smolvm, address } as Profile['smolvm'];
    return client.request('machines.token', { profile: { ...profile, smolvm } });
  };
  expect(await kept(peer.address)).toMatchObject({ value: { kept: true } });
  for (const elsewhere of ['http://thief.example', 'unix:///tmp/thief.sock', '', 'nothing'])
    expect(await kept(elsewhere)).toMatchObject({ value: { kept: false } });
  expect(JSON.stringify(client.messages)).not.toContain(TOKEN);
  expect(filesWithToken()).toEqual([join('smolvm', 'vm.json')]);
  await save();
  expect(filesWithToken()).toEqual([]);
});

it('a token without an address to be for is not kept', async () => {
  await save({ ...profile, smolvm: undefined });
  expect(await client.request('machines.set-token', { profileId: 'vm', token: 'x' })).toMatchObject({
    error: { tag: 'token-not-kept' },
  });
});

it('a host without the engine says so', async () => {
  const other = new TestHost(new MemoryEngine());
  try {
    const asking = await other.client();
    expect(await asking.request('machines.list', { profile })).toMatchObject({
      error: { tag: 'engine-unavailable' },
    });
    expect(await asking.request('machines.unresolved', {})).toEqual({ ok: true, value: { unresolved: [] } });
  } finally {
    await other.dispose();
  }
});
