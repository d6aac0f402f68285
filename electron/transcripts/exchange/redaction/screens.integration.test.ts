import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import type { Redaction } from '../../../../shared/transcripts/transcript.ts';
import { readEvents } from '../../cast/reader.ts';
import { ReplayTerminal } from '../../library/terminal/replay-terminal.ts';
import { FinalText } from '../../library/text/final-text.ts';
import { makeExport } from '../export/make-export.ts';
import { type Step, writeRecording } from '../testing/recordings.ts';

const SECRET = 'hunter2pass';
const BY: Redaction[] = [{ kind: 'text', text: SECRET }];
const BACKSPACE = '\x7f';
const [HOME, END, KILL, LEFT, UP] = ['\x01', '\x05', '\x15', '\x1b[D', '\x1b[A'];

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'airlock-screens-'));
  folder = join(root, 'recording');
});
afterEach(() => rmSync(root, { recursive: true }));

/** What a shell draws while somebody types into it, key by key. */
async function typed(command: string[], keys: readonly string[], size: TerminalSize): Promise<string[]> {
  const [file = '', ...args] = command;
  const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', PS1: '> ', HOME: root };
  const shell = spawn(file, args, { ...size, env, cwd: root });
  const drawn: string[] = [];
  shell.onData((data) => drawn.push(data));
  const ended = new Promise((resolve) => shell.onExit(resolve));
  await vi.waitFor(() => expect(drawn.join('')).toContain('> '), { timeout: 10_000 });
  for (const key of keys) {
    const before = drawn.length;
    shell.write(key);
    await vi.waitFor(() => expect(drawn.length).toBeGreaterThan(before), { timeout: 20_000, interval: 2 });
  }
  shell.write('\rexit\r');
  await ended;
  return drawn;
}

/** Exports what was drawn, and looks at every screen of the copy, at its bytes, and at the text in the end. */
async function expectRemoved(drawn: readonly Step[], size: TerminalSize): Promise<string> {
  writeRecording(folder, drawn, { term: { ...size, type: 'xterm-256color' } });
  const path = join(root, 'made.cast');
  const plan = { folder, format: 'cast', redactions: BY, withInput: false } as const;
  const made = await makeExport({ ...plan, path });
  if (!made.ok) throw new Error(made.error);
  expect(made.value.remaining).toEqual([]);
  expect(made.value.removedCount).toBeGreaterThan(0);
  const copy = join(root, 'copy');
  mkdirSync(copy);
  writeFileSync(join(copy, '0001.cast'), readFileSync(path));
  const parts = fragments();
  const leaks = new Set<string>();
  const note = (text: string, where: string) => {
    for (const part of parts) if (text.includes(part)) leaks.add(`${where}: ${part}`);
  };
  const screen = new ReplayTerminal(size);
  let written = '';
  for (const event of readEvents(copy)) {
    if (event.kind === 'resize') screen.resize(event.size);
    if (event.kind !== 'output') continue;
    written += event.text;
    for (const character of event.text) {
      screen.write(character);
      note(textOf(screen), 'screen');
    }
  }
  screen.dispose();
  note(written.replace(/\x1b\[[\d;?]*[@-~]|[\x00-\x1f]/g, ''), 'bytes');
  expect([...leaks]).toEqual([]);
  const text = finalText(copy, size);
  // What is not masked is what it was.
  const original = finalText(folder, size);
  expect(text).toBe(Array.from(original, (one, at) => (text[at] === '█' ? '█' : one)).join(''));
  expect(original.length).toBe(text.length);
  expect(fragments().filter((part) => text.includes(part))).toEqual([]);
  const page = await makeExport({ ...plan, path: join(root, 'made.html'), format: 'html' });
  expect(page).toMatchObject({ ok: true, value: { remaining: [] } });
  return text;
}

/** Six characters of it, wherever: what is shorter may be part of something else. */
function fragments(): string[] {
  return Array.from({ length: SECRET.length - 5 }, (_, at) => SECRET.slice(at, at + 6));
}

function textOf({ active }: ReplayTerminal): string {
  let text = '';
  for (let row = active.ybase; row < active.lines.length; row += 1) {
    text += active.lines.get(row)?.translateToString(true) ?? '';
  }
  return text;
}

function finalText(from: string, size: TerminalSize): string {
  const lines: string[] = [];
  const final = new FinalText(size, ({ text }) => lines.push(text));
  for (const event of readEvents(from)) {
    if (event.kind === 'output') final.write(event.text, event.atMs);
    if (event.kind === 'resize') final.resize(event.size, event.atMs);
  }
  final.finish();
  final.dispose();
  return lines.join('\n');
}

const BASH = ['bash', '--norc', '--noprofile', '-i'];
const WIDE = { cols: 80, rows: 10 };
const NARROW = { cols: 20, rows: 10 };

const EDITED: readonly (readonly [string, readonly string[]])[] = [
  ['with backspaces', [...'echo hunterXX', BACKSPACE, BACKSPACE, ...'2pass']],
  ['from the middle', [...'echo huter2pass', ...Array<string>(8).fill(LEFT), 'n', END]],
  ['from its beginning', [...'unter2pass', HOME, ...'echo h', END]],
  ['after a first try was killed', [...'echo hunter2pa', KILL, ...'echo hunter2', 'p', 'a', 's', 's']],
  ['and called back', [...'echo hunter2pasX', BACKSPACE, 's', '\r', UP, ...' again']],
];

describe.each([
  ['bash', BASH, WIDE],
  ['bash, wrapped at 20 columns', BASH, NARROW],
  ['zsh', ['zsh', '-f', '-i'], WIDE],
  ['zsh, wrapped at 20 columns', ['zsh', '-f', '-i'], NARROW],
] as const)('a secret typed into %s', (_, command, size) => {
  const isThere = spawnSync(command[0], ['-c', 'true']).status === 0;
  it.runIf(isThere).each(EDITED)('%s is on no screen and not in the text', async (__, keys) => {
    const text = await expectRemoved(await typed([...command], keys, size), size);
    expect(text).toContain('█'.repeat(11));
  });
});

describe('a secret that a program draws', () => {
  it('over itself, by returns', async () => {
    await expectRemoved(
      ['token hunter\rtoken ', 'hunter2\rtoken hunter2', 'pas\b\b\bpas', 's ok\r\n', 'next\r\n'],
      WIDE,
    );
  });

  it('and wipes out within one event', async () => {
    await expectRemoved(['a\x1b[1;6Hter2pass\x1b[1;3Hhun\r\x1b[2K', 'b\x1b[2J\x1b[H', 'c'], WIDE);
  });

  it('in rows that it wraps itself', async () => {
    await expectRemoved(['\x1b[1;15Hhunte', '\x1b[3;1Hx\x1b[2;2H2pass\x1b[2;1Hr', '\x1b[5;1H'], {
      cols: 19,
      rows: 6,
    });
  });

  it('and inserts into, and that moves with its row', async () => {
    await expectRemoved(
      ['huner2pass\x1b[3D\x1b[1G\x1b[3C', '\x1b[@t', '\r\n\x1b[2L\x1b[3M', 'end\r\n'],
      WIDE,
    );
  });

  it('in a full-screen program, beside wide characters', async () => {
    await expectRemoved(
      ['\x1b[?1049h\x1b[2;3H日本 hunter\x1b[4;1H', '\x1b[2;14H2pass 語', '\x1b[?1049l', 'back\r\n'],
      WIDE,
    );
  });

  it('and wraps anew when the window narrows', async () => {
    await expectRemoved(
      ['0123456789 hun\x1b[3C2pass\r\n', { cols: 14, rows: 10 }, '\x1b[2;1Hter', { cols: 60, rows: 10 }, '!'],
      WIDE,
    );
  });
});
