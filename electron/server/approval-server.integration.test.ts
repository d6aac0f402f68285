import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalPageResult } from '../../shared/governed/approval-page.ts';
import { APPROVAL } from '../../shared/governed/limits.ts';
import { PROTOCOL } from '../../shared/protocol/version.ts';
import { aQuestion } from '../approvals/testing/questions.ts';
import { eventually } from '../connection/testing/eventually.ts';
import type { Decision } from '../governed/ports.ts';
import { keyIn, NEW_WINDOW, opened } from './testing/approval-window.ts';
import { launchWith } from './testing/launch.ts';
import { MAIN_PORT, ServedApprovals } from './testing/served-approvals.ts';

let served: ServedApprovals;

beforeEach(async () => {
  served = await ServedApprovals.start();
});

afterEach(() => served.dispose());

type Shown = ApprovalPageResult<'show'>;

async function asked(): Promise<{ decision: Promise<Decision>; id: string }> {
  const decision = served.queue.ask(aQuestion(), new AbortController().signal);
  await eventually(() => expect(served.queue.waiting()).toHaveLength(1));
  return { decision, id: served.queue.waiting()[0]?.request.id as string };
}

async function shown(id: string, key: string): Promise<Shown> {
  const answer = await served.ask('show', { id }, key);
  if (!answer.ok) throw new Error(answer.error.text);
  return answer.value as Shown;
}

const bindingOf = ({ id, digest, viewing }: Shown) => ({ id, digest, viewing });

describe('the launch address', () => {
  it('lets the approval page in first and passes a token of its own kind on to the main page', async () => {
    const address = new URL(served.server.freshAddress());
    expect(address.origin).toBe(served.origin);
    const token = new URLSearchParams(address.hash.slice(1)).get('token');
    const { key } = launchWith('');
    const { status, body } = await served.post('/api/sign-in', { token, key });
    expect(status).toBe(200);
    const { next } = JSON.parse(body).value;
    const passedOn = new URL(next);
    expect(passedOn.origin).toBe(`http://127.0.0.1:${MAIN_PORT}`);
    const mainToken = new URLSearchParams(passedOn.hash.slice(1)).get('token') as string;

    // Nothing that the main page has, or gets for it, lets it in here.
    const hello = { type: 'hello' as const, protocol: PROTOCOL };
    const { key: mainKey } = launchWith('');
    const main = { ...hello, token: mainToken, key: mainKey };
    expect(await served.mainSignIn.authenticate(main)).toMatchObject({ ok: true });
    for (const credential of [mainKey, mainToken]) {
      expect(await served.ask('list', { after: null }, credential)).toMatchObject({
        ok: false,
        error: { tag: 'signed-out' },
      });
    }
    expect(await served.ask('list', { after: null }, key)).toMatchObject({ ok: true });
    expect(await served.mainSignIn.authenticate({ ...hello, key })).toMatchObject({ ok: false });
  });

  it('works once, for the tab that used it also again: it may not have heard the answer', async () => {
    const launch = served.launch();
    const status = async (body: object) => (await served.post('/api/sign-in', body)).status;
    expect(await status(launch)).toBe(200);
    const again = [launch, launchWith(launch.token), { token: launch.token }];
    expect(await Promise.all(again.map(status))).toEqual([200, 401, 401]);
  });

  it('a window of its own is given another kind of key in its document, once', async () => {
    const key = await served.frameKey();
    const { body } = await served.post('/api/window', {}, { Authorization: `Bearer ${key}` });
    const { address } = JSON.parse(body).value;
    expect(new URL(address).origin).toBe(served.origin);
    const given = keyIn(await opened(address));
    expect(given).toMatch(/^[\w-]{43}$/);
    expect(given).not.toBe(key);
    // Answered late, so at one time: the same address again, a launch token, and a key.
    const others = [served.signIn.issueToken(), key].map((secret) => `${served.origin}/?window=${secret}`);
    const documents = await Promise.all([address, ...others].map((other) => opened(other)));
    expect(documents.map(keyIn)).toEqual([null, null, null]);
  });

  it('a token for a window is no launch token, and only who is signed in gets one', async () => {
    const headers = { Authorization: `Bearer ${await served.frameKey()}` };
    const { address } = JSON.parse((await served.post('/api/window', {}, headers)).body).value;
    const token = new URL(address).searchParams.get('window');
    const refused = await Promise.all([
      served.post('/api/sign-in', launchWith(token as string)),
      served.post('/api/window', {}),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
  });

  it.each([
    ['a frame', { 'Sec-Fetch-Dest': 'iframe' }],
    ['a script', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors' }],
    ['another page, the main one included', { 'Sec-Fetch-Site': 'same-site' }],
    ['a person who types the address', { 'Sec-Fetch-Site': 'none' }],
    ['a browser that does not say', { 'Sec-Fetch-Dest': '', 'Sec-Fetch-Mode': '', 'Sec-Fetch-Site': '' }],
  ])('%s gets no key at the address of a window, which stays good', async (_who, headers) => {
    const authorization = { Authorization: `Bearer ${await served.frameKey()}` };
    const { address } = JSON.parse((await served.post('/api/window', {}, authorization)).body).value;
    expect(await opened(address, { ...NEW_WINDOW, ...headers })).toContain('by nothing else');
    expect(keyIn(await opened(address))).not.toBeNull();
  });

  it('who came by the name localhost stays with it', async () => {
    const host = `localhost:${served.server.port}`;
    const body = served.launch();
    const answer = await served.post('/api/sign-in', body, { Host: host, Origin: `http://${host}` });
    expect(JSON.parse(answer.body).value.next).toContain(`http://localhost:${MAIN_PORT}/#token=`);
    expect(answer.headers['content-security-policy']).toContain(
      `frame-ancestors http://localhost:${MAIN_PORT};`,
    );
  });
});

describe('who may ask', () => {
  it.each([
    ['the main page', { Origin: `http://127.0.0.1:${MAIN_PORT}` }],
    ['another local page', { Origin: 'http://127.0.0.1:1' }],
    ['a site', { Origin: 'https://evil.example' }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['nobody', { Origin: undefined }],
    ['a page that its browser calls foreign', { 'Sec-Fetch-Site': 'same-site' }],
  ])('%s is refused, whatever it knows', async (_who, headers) => {
    const { decision, id } = await asked();
    const key = await served.key();
    const view = await shown(id, key);
    await served.ask('arm', { ...bindingOf(view), ready: true }, key);
    for (const verb of ['list', 'show', 'arm', 'approve', 'deny', 'sign-in', 'window']) {
      const body = { ...bindingOf(view), reason: '', ready: true };
      const answer = await served.post(`/api/${verb}`, body, { Authorization: `Bearer ${key}`, ...headers });
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(served.queue.waiting()).toHaveLength(1);
    served.queue.dispose();
    expect((await decision).outcome).toBe('cancelled');
  });

  it('a page that asks for permission first does not get it', async () => {
    const headers = {
      Origin: `http://127.0.0.1:${MAIN_PORT}`,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    };
    const answer = await served.post('/api/approve', '', headers, 'OPTIONS');
    expect(answer.status).toBe(405);
    const granted = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
    expect(granted).toEqual([]);
  });

  it.each(['evil.example', '127.0.0.1', '127.0.0.1:1', 'localhost.:PORT'])(
    'Host %j is not answered',
    async (name) => {
      const Host = name.replace('PORT', String(served.server.port));
      for (const path of ['/', '/api/list']) {
        expect((await served.post(path, {}, { Host, Origin: `http://${Host}` })).status).toBe(421);
      }
    },
  );

  it.each([undefined, '', 'Bearer', 'Bearer wrong', 'Basic eDp5'])('the key %j is none', async (value) => {
    const answer = await served.post('/api/list', { after: null }, { Authorization: value });
    expect(answer.status).toBe(401);
  });

  it.each([
    ['text/plain', '{"after":null}', 415],
    ['application/json', '{', 400],
    ['application/json', `"${'x'.repeat(20_000)}"`, 400],
  ])('a body that is %s %.12s gets %i', async (type, body, status) => {
    const key = await served.key();
    const headers = { 'Content-Type': type, Authorization: `Bearer ${key}` };
    expect((await served.post('/api/list', body, headers)).status).toBe(status);
  });

  it.each([
    ['constructor', {}],
    ['queue', {}],
    ['show', { id: '../x' }],
    ['approve', { id: 7 }],
    ['deny', {}],
    ['list', []],
  ])('%s %j is malformed', async (verb, params) => {
    expect(await served.ask(verb as 'list', params, await served.key())).toMatchObject({
      ok: false,
      error: { tag: 'malformed' },
    });
  });
});

it('the page may be embedded by the main page alone, runs its own scripts alone, and sets no cookie', async () => {
  for (const path of ['/', '/missing']) {
    const { headers } = await served.post(path, '', {}, 'GET');
    const policy = String(headers['content-security-policy']).split('; ').sort();
    expect(policy).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'none'",
      `frame-ancestors http://127.0.0.1:${MAIN_PORT}`,
      "img-src 'self'",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      "worker-src 'none'",
    ]);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  }
});

describe('a decision', () => {
  it('from showing to approving: A4, A10', async () => {
    const { decision, id } = await asked();
    const key = await served.key();
    const view = await shown(id, key);
    expect(JSON.parse(view.payload)).toEqual(aQuestion().payload);
    const early = await served.ask('approve', bindingOf(view), key);
    expect(early).toMatchObject({
      ok: false,
      error: { tag: 'refused', text: expect.stringContaining('visible') },
    });
    expect(await served.ask('arm', { ...bindingOf(view), ready: true }, key)).toMatchObject({
      ok: true,
      value: { armMs: APPROVAL.armMs },
    });
    await eventually(async () => {
      expect(await served.ask('approve', bindingOf(view), key)).toMatchObject({
        ok: true,
        value: { id, outcome: 'approved' },
      });
    });
    expect((await decision).outcome).toBe('approved');
    expect(served.audit.events).toEqual(['approval.requested', 'approval.approved']);
    expect(await served.ask('approve', bindingOf(view), key)).toMatchObject({
      ok: false,
      error: { text: 'This request was approved.' },
    });
  });

  it('the key of a frame reads and denies; it neither arms nor approves, whatever it knows', async () => {
    const { decision, id } = await asked();
    const key = await served.frameKey();
    const view = await shown(id, key);
    for (const [verb, extra] of [
      ['arm', { ready: true }],
      ['approve', {}],
    ] as const) {
      const answer = await served.post(
        `/api/${verb}`,
        { ...bindingOf(view), ...extra },
        { Authorization: `Bearer ${key}` },
      );
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body).error.text).toContain('in its own window');
    }
    const { viewing: _, ...binding } = bindingOf(view);
    expect(await served.ask('deny', { ...binding, reason: '' }, key)).toMatchObject({ ok: true });
    expect((await decision).outcome).toBe('denied');
  });

  it('denying needs no arming, and its reason is told', async () => {
    const { decision, id } = await asked();
    const key = await served.key();
    const { digest } = await shown(id, key);
    const reason = 'not this month';
    expect(await served.ask('deny', { id, digest, reason }, key)).toMatchObject({
      value: { outcome: 'denied', reason },
    });
    expect(await decision).toEqual({ outcome: 'denied', text: reason });
  });

  it('a forged digest neither arms nor decides', async () => {
    const { id } = await asked();
    const key = await served.key();
    const forged = { ...bindingOf(await shown(id, key)), digest: `sha256:${'0'.repeat(64)}` };
    for (const [verb, extra] of [
      ['arm', { ready: true }],
      ['approve', {}],
    ] as const) {
      expect(await served.ask(verb, { ...forged, ...extra }, key)).toMatchObject({ ok: false });
    }
    expect(served.queue.waiting()).toHaveLength(1);
  });
});

describe('the list', () => {
  it('waits for the next change', async () => {
    const key = await served.key();
    const first = await served.ask('list', { after: null }, key);
    const { revision } = (first as { value: { revision: number } }).value;
    const next = served.ask('list', { after: revision }, key);
    const { id } = await asked();
    expect(await next).toMatchObject({ ok: true, value: { waiting: [{ id, source: 'airlock' }] } });
    expect(JSON.stringify(await next)).not.toContain('payload');
  });

  it('does not keep the host from ending', async () => {
    const key = await served.key();
    const waits = served.ask('list', { after: served.queue.revision }, key).catch(() => 'cut');
    await served.ask('list', { after: null }, key);
    await served.server.close();
    await waits;
  });
});
