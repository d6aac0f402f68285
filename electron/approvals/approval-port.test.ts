import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalPageApi } from './approval-page-api.ts';
import { ApprovalPort } from './approval-port.ts';
import { ApprovalQueue } from './approval-queue.ts';
import { MemoryAuditLog } from './testing/memory-audit-log.ts';
import { aQuestion } from './testing/questions.ts';

let queue: ApprovalQueue;
let port: ApprovalPort;
let page: MessagePort;

beforeEach(() => {
  queue = new ApprovalQueue({ audit: new MemoryAuditLog() });
  const approver = { surface: 'desktop', id: '1000', display: 'someone' };
  const { port1, port2 } = new MessageChannel();
  const host = {
    postMessage: (message: unknown) => port1.postMessage(message),
    on: (event: string, listener: (value: never) => void) =>
      port1.on(event, (data?: unknown) => listener((event === 'message' ? { data } : undefined) as never)),
    start: () => port1.start(),
    close: () => port1.close(),
  };
  port = new ApprovalPort(host, new ApprovalPageApi({ queue, approver, theme: () => 'light' }));
  page = port2;
});

afterEach(() => {
  port.dispose();
  queue.dispose();
});

const next = () => new Promise<unknown>((resolve) => page.once('message', resolve));
const closed = () => new Promise<void>((resolve) => page.once('close', () => resolve()));

describe('the port of the approval page', () => {
  it('answers each request under its number, and passes a wish on', async () => {
    void queue.ask(aQuestion(), new AbortController().signal);
    page.postMessage({ n: 4, verb: 'list', params: { after: null } });
    expect(await next()).toMatchObject({ n: 4, answer: { ok: true, value: { theme: 'light' } } });
    port.show('5f0c2d0e-1111-4222-8333-444455556666');
    expect(await next()).toEqual({ show: '5f0c2d0e-1111-4222-8333-444455556666' });
  });

  it.each([
    ['no request', 'x'],
    ['without a number', { verb: 'list', params: {} }],
    ['too large', { n: 1, verb: 'deny', params: { reason: 'x'.repeat(9_000) } }],
    ['what JSON cannot hold', { n: 1n, verb: 'list' }],
  ])('is ended by %s', async (_what, message) => {
    const ended = closed();
    page.postMessage(message);
    await ended;
  });

  it('is ended by more requests than a page has reason for', async () => {
    const ended = closed();
    for (let n = 0; n < 20; n += 1) {
      page.postMessage({ n, verb: 'list', params: { after: queue.revision } });
    }
    await ended;
  });
});
