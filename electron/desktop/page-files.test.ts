import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPageFiles } from '../server/page-list.ts';
import { respondWithPageFile } from './app-protocol.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-page-'));
  mkdirSync(join(folder, 'page/assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'page/index.html'), '<title>Airlock</title>');
  writeFileSync(join(folder, 'page/assets/index-1a2b.js'), 'export {}');
  writeFileSync(join(folder, 'page/assets/with space.bin'), 'x');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'page/link.html'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = (url: string, method = 'GET') =>
  respondWithPageFile(listPageFiles(join(folder, 'page')), new Request(url, { method }));

describe('the app protocol', () => {
  test('serves the page with the security headers', async () => {
    const response = await ask('app://airlock/index.html?x#y');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe('<title>Airlock</title>');
  });

  test.each([
    ['app://airlock/assets/index-1a2b.js', 'text/javascript; charset=utf-8'],
    ['app://airlock/assets/with%20space.bin', 'application/octet-stream'],
  ])('%s is %s', async (url, contentType) => {
    const response = await ask(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(contentType);
  });

  test.each([
    'app://airlock/',
    'app://airlock/secret.txt',
    'app://airlock/../secret.txt',
    'app://airlock/%2e%2e/secret.txt',
    'app://airlock/..%2fsecret.txt',
    'app://airlock/assets/..%5c..%5csecret.txt',
    'app://airlock/%00/index.html',
    'app://airlock//index.html',
    'app://airlock/link.html',
    'app://airlock/assets',
    'app://airlock/__proto__',
    'app://other/index.html',
    'app://airlock.evil.example/index.html',
    'app://airlock:80/index.html',
  ])('%s is refused without a word about files', async (url) => {
    const response = await ask(url);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test.each(['POST', 'PUT', 'DELETE', 'HEAD'])('%s is refused', async (method) => {
    expect((await ask('app://airlock/index.html', method)).status).toBe(405);
  });

  test('a page that is not built is said at the start, not shown as an empty window', () => {
    expect(() => listPageFiles(join(folder, 'nowhere'))).toThrow('ENOENT');
  });
});
