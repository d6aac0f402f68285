import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { KeyWrapper } from '../audit/key-store.ts';
import { HostTokens } from './host-tokens.ts';

const ADDRESS = 'http://127.0.0.1:8080';
const TOKEN = 'key-1.s3cr3t-token';
const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0xff);
const keyRing: KeyWrapper = { wrap: flip, unwrap: flip };

let dataDir: string;
let tokens: HostTokens;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'airlock-tokens-'));
  tokens = new HostTokens(dataDir, 'symbiont', null);
});

afterEach(() => rmSync(dataDir, { recursive: true }));

const folder = () => join(dataDir, 'symbiont');
const file = (id = 'ops') => join(folder(), `${id}.json`);
const modeOf = (path: string) => statSync(path).mode & 0o777;

it('keeps a token for its owner alone, gives it back, and forgets it', () => {
  expect(tokens.read('ops', ADDRESS)).toEqual({ ok: true, value: null });
  expect(tokens.save('ops', ADDRESS, TOKEN)).toEqual({ ok: true, value: null });
  expect([modeOf(folder()), modeOf(file())]).toEqual([0o700, 0o600]);
  expect(readdirSync(folder())).toEqual(['ops.json']);
  expect(tokens.read('ops', ADDRESS)).toEqual({ ok: true, value: TOKEN });
  tokens.save('ops', ADDRESS, 'another');
  expect(tokens.read('ops', ADDRESS)).toEqual({ ok: true, value: 'another' });
  expect(tokens.remove('ops')).toEqual({ ok: true, value: null });
  expect(tokens.read('ops', ADDRESS)).toEqual({ ok: true, value: null });
  expect(tokens.remove('ops')).toEqual({ ok: true, value: null });
});

it.each(['http://127.0.0.1:8081', 'https://127.0.0.1:8080', 'https://thief.example'])(
  'gives a token for one address not to %s',
  (address) => {
    tokens.save('ops', ADDRESS, TOKEN);
    expect(tokens.read('ops', address)).toEqual({ ok: true, value: null });
    expect(tokens.read('ops', `${ADDRESS}/`)).toEqual({ ok: true, value: TOKEN });
  },
);

it('is for one kind of profile, and for one socket', () => {
  const smolvm = new HostTokens(dataDir, 'smolvm', null);
  smolvm.save('ops', 'unix:///run/user/1000/smolvm.sock', TOKEN);
  expect(smolvm.read('ops', 'unix:///run/user/1000/smolvm.sock')).toEqual({ ok: true, value: TOKEN });
  expect(smolvm.read('ops', 'unix:///tmp/thief.sock')).toEqual({ ok: true, value: null });
  expect(tokens.read('ops', 'unix:///run/user/1000/smolvm.sock')).toEqual({ ok: true, value: null });
});

it('is wrapped by the key ring where there is one, and says so where there is none', () => {
  const wrapped = new HostTokens(dataDir, 'symbiont', keyRing);
  wrapped.save('ops', ADDRESS, TOKEN);
  const { token } = JSON.parse(readFileSync(file(), 'utf8'));
  expect(Buffer.from(token, 'base64').toString()).not.toContain('s3cr3t');
  expect(wrapped.read('ops', ADDRESS)).toEqual({ ok: true, value: TOKEN });
  expect(tokens.read('ops', ADDRESS)).toEqual({
    ok: false,
    error: 'Its token cannot be read: the desktop application protected it by its key ring. Save it again.',
  });
});

it('goes with its profile, and what else lies there as well', () => {
  for (const id of ['ops', 'lab']) tokens.save(id, ADDRESS, TOKEN);
  writeFileSync(join(folder(), 'ops.json.new'), 'left behind');
  tokens.keepOnly(new Set(['lab']));
  expect(readdirSync(folder())).toEqual(['lab.json']);
});

it('is not read where others may read it, through a link, or from what is no file of ours', () => {
  tokens.save('ops', ADDRESS, TOKEN);
  chmodSync(file(), 0o644);
  expect(tokens.read('ops', ADDRESS)).toMatchObject({
    ok: false,
    error: expect.stringContaining('others may'),
  });
  chmodSync(file(), 0o600);
  symlinkSync(file(), file('link'));
  expect(tokens.read('link', ADDRESS).ok).toBe(false);
  for (const text of ['', '{}', `"${TOKEN}"`, 'x'.repeat(100_000)]) {
    writeFileSync(file(), text, { mode: 0o600 });
    const read = tokens.read('ops', ADDRESS);
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining('not one that Airlock wrote') });
    expect(JSON.stringify(read)).not.toContain(TOKEN);
  }
});

it('is never written through a link or outside its folder', () => {
  const elsewhere = join(dataDir, 'elsewhere');
  writeFileSync(elsewhere, 'untouched');
  tokens.save('ops', ADDRESS, TOKEN);
  rmSync(file());
  symlinkSync(elsewhere, file());
  symlinkSync(elsewhere, `${file()}.new`);
  expect(tokens.save('ops', ADDRESS, TOKEN).ok).toBe(true);
  expect(readFileSync(elsewhere, 'utf8')).toBe('untouched');
  expect(() => tokens.save('../escape', ADDRESS, TOKEN)).toThrow();
  expect(readdirSync(dataDir).sort()).toEqual(['elsewhere', 'symbiont']);
});

it('says why it cannot be saved', () => {
  writeFileSync(folder(), 'no folder');
  expect(tokens.save('ops', ADDRESS, TOKEN)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^The token was not saved: .*EEXIST|is not a folder/),
  });
});
