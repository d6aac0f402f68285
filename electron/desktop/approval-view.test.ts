import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPageFiles } from '../server/page-list.ts';
import { isApprovalUrl } from './app-origin.ts';
import { respondWithApprovalFile } from './app-protocol.ts';
import { mayConnect, mayDecide } from './sender.ts';
import { placeWithin } from './view-place.ts';

const OWN = { url: 'approval://airlock/index.html', origin: 'approval://airlock', parent: null };

describe('who gets the port of approvals', () => {
  test('the main frame of the approval page, and no window gets its own with it', () => {
    expect(mayDecide(OWN)).toBe(true);
    expect(mayConnect(OWN)).toBe(false);
  });

  test.each([
    ['the app', { ...OWN, url: 'app://airlock/index.html', origin: 'app://airlock' }],
    ['a frame in it', { ...OWN, parent: {} }],
    ['another origin at its address', { ...OWN, origin: 'app://airlock' }],
    ['another page of its origin', { ...OWN, url: 'approval://airlock/other.html' }],
    ['a site', { ...OWN, url: 'https://airlock/index.html', origin: 'https://airlock' }],
    ['nobody', null],
  ])('not %s', (_who, frame) => expect(mayDecide(frame)).toBe(false));

  test.each([
    'approval://airlock.example/index.html',
    'approval://airlock@evil.example/index.html',
    'about:blank',
    '',
  ])('%s is not its page', (url) => expect(isApprovalUrl(url)).toBe(false));
});

describe('the approval protocol', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'airlock-approval-'));
    writeFileSync(join(folder, 'index.html'), '<title>Approvals</title>');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const ask = (url: string, method = 'GET') =>
    respondWithApprovalFile(listPageFiles(folder), new Request(url, { method }));

  test('serves its page, which nobody may embed', async () => {
    const response = await ask('approval://airlock/index.html#x');
    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  test.each([
    'app://airlock/index.html',
    'approval://other/index.html',
    'approval://airlock/../x',
    'approval://airlock/',
  ])('%s is not served', async (url) => expect((await ask(url)).status).toBe(404));
});

describe('the place of the view', () => {
  const window = { width: 1200, height: 800 };

  test.each([
    [{ x: 800, y: 40, width: 400, height: 760 }, 1, { x: 800, y: 40, width: 400, height: 760 }],
    [{ x: 400, y: 20, width: 200, height: 380 }, 2, { x: 800, y: 40, width: 400, height: 760 }],
    [{ x: 1000, y: 700, width: 400, height: 400 }, 1, { x: 1000, y: 700, width: 200, height: 100 }],
    [{ x: 65_535, y: 65_535, width: 65_535, height: 65_535 }, 1, { x: 1200, y: 800, width: 0, height: 0 }],
    [{ x: 3, y: 3, width: 3, height: 3 }, 1.25, { x: 4, y: 4, width: 4, height: 4 }],
  ])('%j at zoom %d is %j', (place, zoom, expected) =>
    expect(placeWithin(place, zoom, window)).toEqual(expected),
  );
});
