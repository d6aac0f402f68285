import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { GuestLink } from './guest-link.ts';
import { parseGuestLine } from './protocol.ts';

it.each([
  ['started 103', { verb: 'started' }],
  ['failed No such file or directory', { verb: 'failed', reason: 'No such file or directory' }],
  ['ended exit 42', { verb: 'ended', outcome: { kind: 'exited', code: 42 } }],
  ['ended signal 9', { verb: 'ended', outcome: { kind: 'signalled', signal: 9, name: 'SIGKILL' } }],
  ['drained 9007199254740991', { verb: 'drained', bytes: Number.MAX_SAFE_INTEGER }],
  ['collected 10 0 7', { verb: 'collected', sent: 10, sizes: [0, 7] }],
  ['broke nul', { verb: 'broke', meaning: 'nul' }],
])('the line "%s" is understood', (line, meaning) => {
  expect(parseGuestLine(line)).toEqual(meaning);
});

it.each([
  ...[
    '',
    'ended',
    'ended exit 256',
    'ended exit -1',
    'ended exit',
    'ended signal 0',
    'ended signal 65',
    'ended maybe 1',
  ],
  ...['drained', 'drained -1', 'drained 1e3', 'drained 9007199254740993', 'drained 99999999999999999'],
  ...[
    'collected',
    'collected x',
    'collected 1 x',
    'collected 1  2',
    'broke loose',
    'HELLO',
    'hello',
    'hello 1',
  ],
  'hello 1 kernel=6.1 user=0 capabilities=zz processors=1 interfaces=0',
  'hello 1 kernel=\u001b[2J user=0 capabilities=0 processors=1 interfaces=0',
])('the line %j of a hostile guest is none', (line) => {
  expect(parseGuestLine(line)).toBeNull();
});

/** A link, and the guest's ends of its channels. */
function linked() {
  const [hostControl, control] = duplexPair();
  const [hostData, data] = duplexPair();
  return {
    link: new GuestLink({ control: hostControl, data: hostData }),
    seen: [] as string[],
    control,
    data,
  };
}

it('ST-21 the end waits for the very last byte, whichever channel is faster', async () => {
  const { link, seen, control, data } = linked();
  link.onOutput((bytes) => seen.push(Buffer.from(bytes).toString()));
  control.write('ended exit 0\ndrained 6\n');
  await link.ended;
  let drained = false;
  const done = link.drained.then(() => {
    drained = true;
  });
  data.write('abc');
  await turn();
  expect(drained).toBe(false);
  data.write('def');
  await done;
  expect(seen.join('')).toBe('abcdef');
});

it('F6 files are told from the output before them, and are no longer than was agreed', async () => {
  const { link, seen, control, data } = linked();
  link.onOutput((bytes) => seen.push(Buffer.from(bytes).toString()));
  const collected = link.collect(2, 10, 5_000);
  control.write('collected 3 4 0\n');
  data.write('out');
  let asked = '';
  for await (const words of control) {
    asked += words;
    if (asked === 'collect\nsend\n') break;
  }
  data.write('file');
  expect((await collected).map(String)).toEqual(['file', '']);
  expect(seen.join('')).toBe('out');

  const greedy = linked();
  const refused = greedy.link.collect(1, 10, 5_000);
  greedy.control.write('collected 0 11\n');
  await expect(refused).rejects.toThrow('1 files of 11 bytes; 1 of at most 10');
});

it.each([
  ['a line without an end', 'x'.repeat(5_000)],
  ['a line that is none of its protocol', 'ended badly\n'],
  ['more lines than it was asked for', 'started\n'.repeat(5)],
  ['another number of bytes', 'drained 5\ndrained 6\n'],
])('a guest that sends %s is given up', async (words, text) => {
  const { link, control } = linked();
  const waiting = link.next('sized');
  waiting.catch(() => {});
  control.write(text);
  expect(await link.closed).toContain(words);
  await expect(waiting).rejects.toThrow(words);
  await expect(link.write(new Uint8Array(1))).rejects.toThrow('ended');
});

it('a guest may answer every question, and late', async () => {
  const { link, control } = linked();
  control.write('started\n');
  for (let asked = 0; asked < 100; asked++) {
    const answer = link.ask('size 80 24', 'sized');
    control.write('sized\n');
    await answer;
  }
  for (let asked = 0; asked < 100; asked++) await expect(link.ask('break', 'broke', 0)).rejects.toThrow();
  const ended = link.ended;
  control.write(`${'broke nul\n'.repeat(100)}ended exit 3\n`);
  expect(await ended).toEqual({ kind: 'exited', code: 3 });
});
