import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportFormat, Redaction } from '../../../../shared/transcripts/transcript.ts';
import { readEvents } from '../../cast/reader.ts';
import { playedByAsciinema } from '../../cast/testing/asciinema-player.ts';
import { linesOf, type Step, writeRecording } from '../testing/recordings.ts';
import { type MadeExport, makeExport } from './make-export.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-export-'));
  folder = join(root, 'recording');
});
afterEach(() => rmSync(root, { recursive: true }));

const SECRET: Redaction = { kind: 'pattern', pattern: 'sk_[a-z0-9]+' };

interface Made extends MadeExport {
  readonly text: string;
}

async function exported(
  format: ExportFormat,
  redactions: Redaction[] = [],
  withInput = false,
): Promise<Made> {
  const path = join(root, `made.${format}`);
  const made = await makeExport({ folder, path, format, redactions, withInput });
  if (!made.ok) throw new Error(made.error);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  return { ...made.value, text: readFileSync(path, 'utf8') };
}

const digest = () =>
  readdirSync(folder)
    .toSorted()
    .reduce((hash, name) => hash.update(readFileSync(join(folder, name))), createHash('sha256'))
    .digest('hex');
const outputs = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line))
    .flatMap(([, code, data]) => (code === 'o' ? [data] : []))
    .join('');

const STEPS: Step[] = [
  'one ',
  Buffer.from([0x6f, 0x6b, 0xff, 0xfe, 0x0a]),
  { input: 'typed sk_in1\r' },
  { cols: 60, rows: 10 },
  'next segment',
  { moment: { kind: 'command-start', label: 'run sk_label1', command: 'run', line: 'run sk_line1' } },
  'two \x1b[1msk_',
  'out1\x1b[0m\r\n',
];

describe('.cast', () => {
  it('is all segments as one file that says all the recording says (B02, B33)', async () => {
    writeRecording(folder, STEPS);
    const { text, originalSha256, removed, removedCount, remaining, bytes, fileName } = await exported(
      'cast',
      [],
      true,
    );
    expect(originalSha256).toBe(digest());
    expect({ removed, removedCount, remaining }).toEqual({ removed: [], removedCount: 0, remaining: [] });
    expect(bytes).toBe(Buffer.byteLength(text));
    expect(fileName).toBe('airlock-2023-11-14-2213-work.cast');
    const whole = join(root, 'whole');
    rmSync(join(root, 'made.cast'));
    mkdirSync(whole);
    writeFileSync(join(whole, '0001.cast'), text);
    const told = (from: string) =>
      [...readEvents(from)]
        .filter(({ kind }) => kind !== 'header')
        .map(({ offset: _, end: __, ...event }) => event);
    expect(told(whole)).toEqual(told(folder));
    expect(await playedByAsciinema(text)).toEqual({
      output: 'one ok\ufffd\ufffd\ntwo \x1b[1msk_out1\x1b[0m\r\n',
      errors: [],
    });
  });

  it('leaves input out unless it is wanted', async () => {
    writeRecording(folder, STEPS);
    expect((await exported('cast')).text).not.toContain('typed');
  });

  it('with redactions says nothing of what was removed anywhere, and only what others know', async () => {
    const header = { title: 'sk_title1', command: 'login sk_command1', env: { TOKEN: 'sk_env1' } };
    writeRecording(folder, [...STEPS, '\x1b]0;at sk_osc1\x07'], header);
    const before = digest();
    const made = await exported('cast', [SECRET], true);
    expect(digest()).toBe(before);
    expect(made.originalSha256).toBe(before);
    expect(made.text).not.toMatch(/sk_|airlock/);
    const codes = new Set(
      linesOf(join(root, 'made.cast'))
        .slice(1)
        .map((line) => (line as string[])[1]),
    );
    expect(codes).toEqual(new Set(['o', 'i', 'r', 'm', 'x']));
    expect(made.removed).toEqual(
      [
        [0, 9],
        [0, 11],
        [0, 7],
        [200, 6],
        [500, 9],
        [600, 7],
        [800, 7],
      ].map(([atMs, length]) => ({
        rule: SECRET.kind === 'pattern' ? SECRET.pattern : '',
        atMs,
        shown: `${'sk_'.slice(0, Math.floor((length ?? 0) / 4))}… (${length} characters)`,
      })),
    );
    expect(made.removedCount).toBe(7);
    expect(outputs(made.text)).toBe('one ok\ufffd\ufffd\ntwo \x1b[1m███████\x1b[0m\r\n\x1b]0;at ███████\x07');
    expect((await playedByAsciinema(made.text)).errors).toEqual([]);
  });

  it('removes text that was drawn in pieces', async () => {
    writeRecording(folder, ['a\x1b[1;9Hret1\x1b[1;2H sk_sec\x1b[3;1H', { cols: 30, rows: 4 }, '\x1bc gone']);
    const first = await exported('cast', [SECRET]);
    expect(first.removed.map(({ shown }) => shown)).toEqual(['s… (6 characters)']);
    expect(outputs(first.text)).toBe('a\x1b[1;9H████\x1b[1;2H ██████\x1b[3;1H\x1bc gone');
    writeRecording(folder, ['a\x1b[1;6Hsec1\x1b[1;3Hsk_\x1b[3;1H', '\x1bc gone']);
    const second = await exported('cast', [SECRET]);
    expect(second.removed).toEqual([{ rule: 'sk_[a-z0-9]+', atMs: 0, shown: 's… (7 characters)' }]);
    expect(second).toMatchObject({ removedCount: 1, remaining: [] });
    expect(outputs(second.text)).toBe('a\x1b[1;6H████\x1b[1;3H███\x1b[3;1H\x1bc gone');
  });

  it('lists what no character of the recording stands for: a terminal fills its screen with E by itself', async () => {
    writeRecording(folder, ['\x1b#8']);
    const { remaining } = await exported('cast', [{ kind: 'pattern', pattern: 'E{10,}' }]);
    expect(remaining.map(({ shown }) => shown)).toEqual(['EEEE… (40 characters)']);
  });

  it('input that was edited is left out whole: what it came to be stands nowhere', async () => {
    writeRecording(folder, [
      ...[...'sk_secX\x7fret plain'].map((input) => ({ input })),
      { input: '\r\x1b[200~pasted plain\x1b[201~\r' },
      { input: 'left alone\r' },
    ]);
    const { text, removed } = await exported('cast', [SECRET], true);
    const inputs = linesOf(join(root, 'made.cast'))
      .slice(1)
      .flatMap((line) => ((line as string[])[1] === 'i' ? [(line as string[])[2]] : []))
      .join('');
    expect(inputs).toBe(`${'█'.repeat(7)}\x7f${'█'.repeat(9)}\r\x1b[200~pasted plain\x1b[201~\rleft alone\r`);
    expect(text).not.toContain('sk_');
    expect(removed).toContainEqual(
      expect.objectContaining({ rule: 'input that was edited', shown: '… (16 characters)' }),
    );
  });

  it('has no beginning of what was cut off the end of a label, a title or a variable', async () => {
    const cut = (text: string) => `${text.slice(0, 199)}…`;
    const line = `echo ${'x '.repeat(92)}sk_abcdefghijklmnop`;
    const path = `${'d/'.repeat(94)}sk_abcdefghijklmnop`;
    const id = '3b241101-e2bb-4255-8caf-4136c566a962';
    const marker = `${'y '.repeat(147)}sk_abcdefghijklmnop`.slice(0, 300);
    const title = (chars: number) => `${'z '.repeat((chars - 6) / 2)}sk_abcdefghijklmnop`.slice(0, chars);
    const moments = [
      { kind: 'command-start', label: cut(`run: ${line}`), command: 'run', line },
      { kind: 'approval-requested', label: `Approval requested: ${cut(line)}`, approvalId: id },
      ...[{ kind: 'publication', label: cut(`Published: ${path}`), path, publicationId: id, receiptId: id }],
      { kind: 'marker', label: marker },
      { kind: 'notice', label: 'Wait for it…', text: '' },
    ] as const;
    writeRecording(folder, [...moments.map((moment) => ({ moment })), 'shown'], {
      title: title(500),
      env: { TOKEN: title(1_000) },
    });
    const { text, removedCount } = await exported('cast', [{ kind: 'pattern', pattern: 'sk_[a-z]{16}' }]);
    expect(text).not.toMatch(/sk_|abc/);
    expect(removedCount).toBe(2);
    const labels = linesOf(join(root, 'made.cast')).flatMap((line) =>
      (line as string[])[1] === 'm' ? [(line as string[])[2]] : [],
    );
    expect(labels).toEqual([
      `Command sent: run: echo ${'x '.repeat(92)}${'█'.repeat(19)}`,
      `Approval requested: echo ${'x '.repeat(92)}…`,
      `Published: ${'d/'.repeat(94)}${'█'.repeat(19)}`,
      `${'y '.repeat(147)}…`,
      'Wait for it…',
    ]);
  });

  it.each(['cast', 'text'] as const)(
    'has no beginning of what was cut off a title in the name of its file (%s)',
    async (format) => {
      writeRecording(folder, ['x'], { title: `${'日'.repeat(484)} sk_abcdefghijklmnop`.slice(0, 500) });
      const redactions = [{ kind: 'pattern', pattern: 'sk_[a-z]{16}' } as const];
      const { fileName, removedCount } = await exported(format, redactions);
      expect(fileName).toMatch(/^airlock-[\d-]+\.(cast|txt)$/);
      expect(removedCount).toBe(0);
    },
  );

  it('refuses what is no pattern and leaves nothing', async () => {
    writeRecording(folder, STEPS);
    const plan = { folder, path: join(root, 'x'), format: 'cast', withInput: false } as const;
    const made = await makeExport({ ...plan, redactions: [{ kind: 'pattern', pattern: '[' }] });
    expect(made).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^“\[” is no regular expression: \S/),
    });
    expect(readdirSync(root)).toEqual(['recording']);
  });
});

describe('text', () => {
  it('is what a terminal shows in the end (B21)', async () => {
    const long = 'x'.repeat(5_000);
    writeRecording(folder, [
      '10%\r\x1b[K55%\r\x1b[K100%\r\nlonger text\rshort\r\nab\b\bXY\r\n',
      `${long}\r\n`,
    ]);
    expect((await exported('text')).text).toBe(`100%\nshortr text\nXY\n${long}\n`);
  });

  it('has nothing left that a rule finds, in pieces or not, and lists only what it would have shown', async () => {
    writeRecording(folder, [
      '\x1b]0;sk_title\x07a\x1b[1;6Hsec1\x1b[1;3Hsk_\r\nsk_whole\r\n',
      { input: 'sk_typed' },
    ]);
    const { text, removed, removedCount, remaining } = await exported('text', [SECRET], true);
    expect(text).toBe('a ███████\n████████\n');
    expect(removed.map(({ shown }) => shown)).toEqual(['s… (7 characters)', 'sk… (8 characters)']);
    expect({ removedCount, remaining }).toEqual({ removedCount: 2, remaining: [] });
  });

  it('has nothing left that a program broke at the edge of the screen', async () => {
    writeRecording(folder, [`${'x'.repeat(29)} AKIA012345\r\n6789ABCDEF\r\n`]);
    const key: Redaction = { kind: 'pattern', pattern: 'AKIA[0-9A-Z]{16}' };
    const { text, removedCount, remaining } = await exported('text', [key]);
    expect(text).toBe(`${'x'.repeat(29)} ${'█'.repeat(10)}\n${'█'.repeat(10)}\n`);
    expect({ removedCount, remaining }).toEqual({ removedCount: 1, remaining: [] });
  });
});

describe('HTML', () => {
  it('shows what hides in the labels of its moments, and turns none of them round', async () => {
    const label = 'pay \u202eetah\u2066 \x1b[31mnow\u200b';
    writeRecording(folder, ['one', { moment: { kind: 'notice', label, text: label } }]);
    const { text } = await exported('html');
    const [, data = ''] = /type="application\/x-asciicast">\n([\s\S]*?)<\/script>/.exec(text) ?? [];
    const labels = data
      .trim()
      .split('\n')
      .flatMap((line) => (line.includes(', "m", ') ? [JSON.parse(line)[2]] : []));
    expect(labels).toEqual(['pay <U+202E>etah<U+2066> <ESC>[31mnow<U+200B>']);
    expect(data).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]|\\u202e|\\u001b/);
  });

  it('nothing of a recording ends its element or becomes markup; its policy allows no address', async () => {
    const hostile = '</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>';
    writeRecording(folder, [hostile, { moment: { kind: 'notice', label: hostile, text: hostile } }], {
      title: hostile,
    });
    const { text } = await exported('html');
    expect(text.match(/<script/g)?.length).toBe(3);
    expect(text.includes('<img')).toBe(false);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-\S+' 'sha256-\S+' 'wasm-unsafe-eval'; style-src/,
    );
    expect(policy).not.toMatch(/https?:|\*|data:|blob:/);
    expect(text.includes('Apache License')).toBe(true);
    const [, data = ''] = /type="application\/x-asciicast">\n([\s\S]*?)<\/script>/.exec(text) ?? [];
    expect(await playedByAsciinema(data.trim())).toEqual({ output: hostile, errors: [] });
  });
});
