import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_PROFILE, settingsSchema } from '../../shared/settings/schema.ts';
import { SymbiontFake } from '../approvals/testing/symbiont-fake.ts';
import { MemoryEngine } from '../session/testing/memory-sandbox.ts';
import { eventually } from './testing/eventually.ts';
import type { TestClient } from './testing/test-client.ts';
import { TestHost } from './testing/test-host.ts';

const SIZE = { cols: 80, rows: 24 };

let fake: SymbiontFake;
let fixture: TestHost;
let client: TestClient;

beforeEach(async () => {
  fake = await SymbiontFake.start();
  fixture = new TestHost(new MemoryEngine());
  client = await fixture.client();
  const runtime = { kind: 'symbiont', id: 'ops', name: 'Operations', address: fake.address };
  const settings = settingsSchema.parse({ profiles: [DEFAULT_PROFILE, runtime] });
  expect(await client.changeSettings(() => settings)).toMatchObject({ ok: true });
});

afterEach(async () => {
  await fixture.dispose();
  await fake.close();
  expect(fixture.faults).toEqual([]);
});

/** Every file of the data folder whose text has the token, in any of the forms that it is written in. */
function filesWithToken(folder = fixture.dataDir): string[] {
  const forms = [fake.token, Buffer.from(fake.token).toString('base64')];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && forms.some((form) => readFileSync(path, 'utf8').includes(form));
  });
}

it('a client gives a token and learns what is held; no message to it and no other file has the token', async () => {
  expect(await client.request('symbiont.list', {})).toEqual({
    ok: true,
    value: { runtimes: [{ profileId: 'ops', status: { kind: 'no-token' } }] },
  });
  const action = fake.hold();
  const set = await client.requestAny('symbiont.set-token', { profileId: 'ops', token: fake.token });
  expect(set).toEqual({ ok: true, value: {} });
  await client.until(() => client.events.some(({ event }) => event === 'approvals.changed'));
  const queue = await client.request('approvals.queue', {});
  expect(queue).toMatchObject({ value: { pending: [{ source: 'symbiont', title: action.summary }] } });
  await eventually(() =>
    expect(fixture.host.symbiont.list()[0]?.status).toMatchObject({ kind: 'following', held: 1 }),
  );
  expect(client.events.map(({ event }) => event)).toContain('symbiont.changed');
  await client.requestAny('symbiont.set-token', { profileId: 'ops', token: `${fake.token} ` });
  await client.requestAny('symbiont.set-token', { profileId: 'gone', token: fake.token });
  await client.request('settings.read', {});
  await client.request('host.describe', {});
  expect(JSON.stringify(client.log)).not.toContain(fake.token);
  expect(filesWithToken()).toEqual(['symbiont/ops.json']);
  expect(statSync(join(fixture.dataDir, 'symbiont/ops.json')).mode & 0o777).toBe(0o600);

  expect(await client.request('symbiont.forget-token', { profileId: 'ops' })).toMatchObject({ ok: true });
  expect(filesWithToken()).toEqual([]);
});

it('no verb of the protocol decides what is held, or gives a token back', async () => {
  for (const verb of ['symbiont.token', 'symbiont.get-token', 'symbiont.approve', 'approvals.approve'])
    expect(await client.requestAny(verb, { profileId: 'ops' })).toMatchObject({
      error: { tag: 'unknown-verb' },
    });
});

it.each([
  ['', 'token must be at least 1 character long, has 0'],
  ['two words', 'token must be visible ASCII characters without blanks'],
  ['x\r\nHost: thief', 'token must be visible ASCII characters without blanks'],
  ['x'.repeat(4097), 'token must be at most 4096 characters long, has 4097'],
])('the token %j is refused with its bound, and not repeated', async (token, words) => {
  const error = { tag: 'invalid-parameters', message: `Not accepted: ${words}.` };
  expect(await client.requestAny('symbiont.set-token', { profileId: 'ops', token })).toMatchObject({ error });
  expect(filesWithToken()).toEqual([]);
});

it('a Symbiont runtime opens neither a shell nor a governed session', async () => {
  const error = { tag: 'profile-unknown', message: expect.stringContaining('no such sandbox profile') };
  expect(await client.request('session.open', { profileId: 'ops', size: SIZE })).toMatchObject({ error });
  const manifestDigest = 'a'.repeat(64);
  expect(
    await client.request('governed.open', { profileId: 'ops', size: SIZE, manifestDigest }),
  ).toMatchObject({ error });
});

it('closing the host ends the following, with what waited in the log', async () => {
  fake.hold();
  await client.request('symbiont.set-token', { profileId: 'ops', token: fake.token });
  await client.until(() => client.events.some(({ event }) => event === 'approvals.changed'));
  await fixture.host.close('The test is over.');
  const asked = fake.requests.length;
  const log = readFileSync(join(fixture.dataDir, 'audit/log.jsonl'), 'utf8');
  expect(log).toContain('approval.cancelled');
  expect(log).not.toContain(fake.token);
  expect(fake.requests).toHaveLength(asked);
});
