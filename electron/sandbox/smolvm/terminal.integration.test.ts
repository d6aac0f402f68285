import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { close, exit, frame, OPCODE, output, type PeerTerminal, text } from './testing/peer.ts';
import { type Reading, read, smolvmWorkbench } from './testing/workbench.ts';

const PACE_MS = 20;
const bench = smolvmWorkbench({ paceMs: PACE_MS });

const unknown = (tag: string) => ({
  kind: 'unknown',
  reason: expect.stringMatching(new RegExp(`\\(${tag}\\) Whether the program ended.*"dev".*resolved\\.$`)),
});
/** For what happens in the client, which nothing announces. */
async function eventually(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('it did not come to that');
    await new Promise(setImmediate);
  }
}

const gotTo = (reading: Reading, length: number) => eventually(() => reading.bytes.length >= length);

/** The server has not been rid of anything in three turns of the loop that lie apart: both ends could have worked in each. */
async function standstill({ socket }: PeerTerminal): Promise<void> {
  let [written, turns] = [-1, 0];
  while (turns < 3) {
    await delay(100);
    turns = socket.writableNeedDrain && socket.bytesWritten === written ? turns + 1 : 0;
    written = socket.bytesWritten;
  }
}

describe('output and exit', () => {
  it('1: a normal session: output in order, input and resizes in order, the exit', async () => {
    const reading = await bench.run((terminal) => {
      terminal.send(output('$ '));
      terminal.onInput = (bytes) => {
        terminal.send(output(bytes), output('\r\n'));
        if (bytes.includes('q')) terminal.exit(7);
      };
    });
    const { terminal } = reading;
    await terminal.write(Buffer.from('a'));
    await terminal.resize({ cols: 132, rows: 43 });
    await terminal.write(Buffer.from('q'));
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 7 });
    expect(reading.bytes.toString()).toBe('$ a\r\nq\r\n');
    expect(reading.delivered.at(-1)).toBeNull();
    const peer = await bench.peer.terminal();
    expect(peer.frames.slice(0, 3).map(({ opcode, payload }) => [opcode, payload.toString()])).toEqual([
      [OPCODE.binary, 'a'],
      [OPCODE.text, '{"type":"resize","cols":132,"rows":43}'],
      [OPCODE.binary, 'q'],
    ]);
    expect(peer.frames.every(({ masked, fin }) => masked && fin)).toBe(true);
    expect(peer.request.line).toBe(
      'GET /api/v1/machines/dev/exec/interactive?cmd=%2Fbin%2Fsh&cols=80&rows=24 HTTP/1.1',
    );
    expect(await terminal.release()).toMatchObject({ removed: true });
  });

  it.each([false, true])(
    '2: exit 0 in one write with output and Close (with the 101: %s)',
    async (withUpgrade) => {
      const all = Buffer.concat([output('all'), output(' of it'), exit(0), close()]);
      if (withUpgrade) bench.peer.withUpgrade = () => all;
      bench.peer.program = (terminal) => terminal.socket.end(withUpgrade ? '' : all);
      const reading = read(await bench.open());
      expect(await reading.terminal.ended).toEqual({ kind: 'exited', code: 0 });
      expect(reading.bytes.toString()).toBe('all of it');
      expect(reading.delivered.at(-1)).toBeNull();
    },
  );

  it('3: bytes are unchanged wherever they are cut, NUL and 0xFF too', async () => {
    const all = Buffer.from([0xf0, 0x9f, 0x94, 0x92, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xff, 0x00, 0x1b]);
    const reading = await bench.run((terminal) => {
      for (const byte of all) terminal.send(output(Buffer.from([byte])));
      terminal.exit(0);
    });
    await reading.terminal.ended;
    expect(reading.bytes).toEqual(all);
  });

  it.each([
    ['the end without a Close', (terminal: PeerTerminal) => terminal.socket.end(exit(3))],
    [
      'a Close with 1000',
      (terminal: PeerTerminal) => terminal.socket.end(Buffer.concat([exit(3), close(1000)])),
    ],
    ['nothing more at all', (terminal: PeerTerminal) => terminal.send(exit(3))],
  ])('4: an exit and then %s is confirmed', async (_how, program) => {
    const { terminal } = await bench.run(program, { closeMs: 300 });
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 3 });
  });

  it.each([[undefined], [1000], [1001], [1011]])('5: Close %s without an exit is uncertain', async (code) => {
    const { terminal } = await bench.run((peer) =>
      peer.socket.end(close(code, code === 1011 ? 'success' : '')),
    );
    const outcome = await terminal.ended;
    expect(outcome).toEqual(unknown('terminal'));
    expect(JSON.stringify(outcome)).not.toContain('success');
  });

  it.each([
    ['end', (terminal: PeerTerminal) => terminal.socket.end(output('so far'))],
    ['reset', (terminal: PeerTerminal) => terminal.reset()],
  ])('6: the %s of TCP without Close is uncertain', async (_how, program) => {
    await bench.useTcp();
    const { terminal } = await bench.run(program);
    expect(await terminal.ended).toEqual(unknown('terminal'));
    expect(await terminal.release()).toMatchObject({ removed: false });
  });

  it.each([
    ['-1', 'terminal'],
    ['124', 'terminal'],
    ['130', 'terminal'],
    ['256', 'terminal'],
    ['-2', 'terminal'],
    ['7.5', 'protocol'],
    ['"7"', 'protocol'],
    ['null', 'protocol'],
  ])('7: exit code %s is uncertain', async (code, tag) => {
    const { terminal } = await bench.run((peer) =>
      peer.socket.end(Buffer.concat([text(`{"type":"exit","code":${code}}`), close()])),
    );
    expect(await terminal.ended).toEqual(unknown(tag));
  });

  it.each([
    ['7: an exit without a code', '{"type":"exit"}'],
    ['7: an exit with one member more', '{"type":"exit","code":0,"ok":true}'],
    ['8: no JSON', 'exit 0'],
    ['8: another type', '{"type":"stderr","data":"x"}'],
    ['8: 129 bytes', `{"type":"exit","code":0}${' '.repeat(105)}`],
  ])('%s is a protocol failure', async (_case, message) => {
    const { terminal } = await bench.run((peer) => peer.send(text(message)));
    expect(await terminal.ended).toEqual(unknown('protocol'));
  });

  it('8: an exit of 128 bytes is one', async () => {
    const { terminal } = await bench.run((peer) =>
      peer.socket.end(text(`{"type":"exit","code":0}${' '.repeat(104)}`)),
    );
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 0 });
  });

  it('8: text that is not UTF-8 is a protocol failure', async () => {
    const { terminal } = await bench.run((peer) => peer.send(frame(OPCODE.text, Buffer.from([0xc3, 0x28]))));
    expect(await terminal.ended).toEqual(unknown('protocol'));
  });

  it.each([
    ['output', output('more')],
    ['a second exit', exit(0)],
  ])('9: %s after the exit, in the same batch or a later one, voids it', async (_what, late) => {
    const same = await bench.run((terminal) => terminal.send(output('x'), exit(0), late));
    expect(await same.terminal.ended).toEqual(unknown('protocol'));
    expect(same.bytes.toString()).toBe('x');
    await bench.engine.machines.resolve({ address: bench.peer.address, machine: 'dev' });
    const later = await bench.run((terminal) => {
      terminal.send(exit(0));
      setTimeout(() => terminal.send(late), 30);
    });
    expect(await later.terminal.ended).toEqual(unknown('protocol'));
  });
});

describe('frames', () => {
  it('10: a frame that announces 65,537 bytes is refused at once, one of 65,536 is delivered', async () => {
    const large = await bench.run((terminal) => {
      terminal.send(
        output(Buffer.alloc(65_536, 'x')),
        frame(OPCODE.binary, Buffer.alloc(0), { announced: 65_537 }),
      );
    });
    expect(await large.terminal.ended).toEqual(unknown('output_limit'));
    expect(large.bytes.length).toBe(65_536);
  });

  const part = (opcode: number, payload: string, fin: boolean) =>
    frame(opcode, Buffer.from(payload), { fin });

  it('11: fragments under the bound are one message, a Ping between them too', async () => {
    const reading = await bench.run((terminal) => {
      terminal.send(
        part(OPCODE.binary, 'a', false),
        frame(OPCODE.ping, Buffer.from('p')),
        part(OPCODE.continuation, 'b', false),
        part(OPCODE.continuation, '', true),
      );
      terminal.exit(0);
    });
    expect(await reading.terminal.ended).toEqual({ kind: 'exited', code: 0 });
    expect(reading.delivered).toEqual([Buffer.from('ab'), null]);
  });

  it.each([
    ['whose sum is too large', () => part(OPCODE.continuation, 'x'.repeat(30_000), false)],
    ['that are empty and without end', () => part(OPCODE.continuation, '', false)],
  ])('11: fragments %s are bounded', async (_case, more) => {
    const { terminal } = await bench.run((peer) => {
      peer.send(part(OPCODE.binary, 'a', false));
      peer.send(...Array.from({ length: 2_000 }, more));
    });
    expect(await terminal.ended).toEqual(unknown('output_limit'));
  });

  it.each([
    ['11: a continuation of nothing', part(OPCODE.continuation, 'a', true)],
    ['12: a reserved bit', frame(OPCODE.binary, Buffer.from('a'), { rsv: 4 })],
    ['12: a masked frame', frame(OPCODE.binary, Buffer.from('a'), { masked: true })],
    ['12: a reserved opcode', frame(3, Buffer.from('a'))],
    ['12: a Ping of 126 bytes', frame(OPCODE.ping, Buffer.alloc(126))],
  ])('%s is a protocol failure', async (_case, bad) => {
    const { terminal } = await bench.run((peer) => peer.send(bad));
    expect(await terminal.ended).toEqual(unknown('protocol'));
  });
});

describe('a page that does not read', () => {
  const PIECE = Buffer.alloc(4096, 'y');
  const FLOOD = 4 * 1024 * 1024;

  it('17: holds a flood back, and gets all of it later', async () => {
    let put = 0;
    const terminal = await bench.open();
    const reading = read(terminal);
    terminal.pause();
    const peer = await bench.peer.terminal();
    const flooding = peer.flood(PIECE, () => {
      put += PIECE.length;
      return put <= FLOOD;
    });
    await standstill(peer);
    expect(put).toBeLessThan(FLOOD / 4);
    expect(reading.bytes.length).toBe(0);
    terminal.resume();
    await flooding;
    peer.exit(0);
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 0 });
    expect(reading.bytes.equals(Buffer.alloc(FLOOD, 'y'))).toBe(true);
  });

  it('17: Ctrl-C reaches a flood that is held back, and nothing is lost', async () => {
    let interrupted = false;
    const reading = read(await bench.open());
    const { terminal } = reading;
    terminal.pause();
    const peer = await bench.peer.terminal();
    peer.onInput = (bytes) => {
      interrupted ||= bytes.includes(3);
    };
    const flooding = peer.flood(PIECE, () => !interrupted);
    await standstill(peer);
    await terminal.write(Buffer.from([3]));
    const bytes = await flooding;
    expect(interrupted).toBe(true);
    expect(reading.bytes.length).toBe(0);
    peer.send(output('^C\r\n$ '));
    terminal.resume();
    await gotTo(reading, bytes + 6);
    expect(reading.bytes.subarray(0, bytes).equals(Buffer.alloc(bytes, 'y'))).toBe(true);
    expect(reading.bytes.subarray(bytes).toString()).toBe('^C\r\n$ ');
    peer.exit(0);
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 0 });
  });

  it('17: a flood that does not heed its input, with nobody who reads, ends as output_limit', async () => {
    const reading = read(await bench.open({ attachMs: 200 }));
    const { terminal } = reading;
    terminal.pause();
    const peer = await bench.peer.terminal();
    const before = process.memoryUsage().arrayBuffers;
    const flooding = peer.flood(PIECE, () => true);
    await standstill(peer);
    await terminal.write(Buffer.from([3]));
    expect(await terminal.ended).toEqual(unknown('output_limit'));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
    await bench.peer.until(() => peer.socket.destroyed);
    await flooding;
    // What was read until then is delivered before the end (rule 3), and never more than its bound.
    expect(reading.bytes.length).toBeGreaterThan(65_536);
    expect(reading.bytes.length).toBeLessThanOrEqual(262_144);
    expect(reading.delivered.at(-1)).toBeNull();
  });

  it('17: more than may wait, in one batch, ends as output_limit', async () => {
    const terminal = await bench.open({ maxBufferBytes: 1_024 });
    const reading = read(terminal);
    terminal.pause();
    const peer = await bench.peer.terminal();
    peer.send(...Array.from({ length: 5 }, () => output(Buffer.alloc(256))));
    expect(await terminal.ended).toEqual(unknown('output_limit'));
    expect(reading.bytes.length).toBe(1_024);
  });

  it('17: a flood of short lines, thousands in one read, is held back as well', async () => {
    const lines = 100_000;
    const reading = read(await bench.open());
    const { terminal } = reading;
    terminal.pause();
    const peer = await bench.peer.terminal();
    peer.socket.write(Buffer.concat(Array.from({ length: lines }, () => output('a line\n'))));
    await standstill(peer);
    expect(reading.bytes.length).toBe(0);
    peer.exit(0);
    terminal.resume();
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 0 });
    expect(reading.bytes.equals(Buffer.from('a line\n'.repeat(lines)))).toBe(true);
  });

  it.each([
    [1_024, { kind: 'exited', code: 0 }],
    [1_025, unknown('output_limit')],
  ])(
    '18: %d frames of one byte that nobody read, where as many bytes as 1,024 may wait',
    async (count, outcome) => {
      const { terminal } = read(await bench.open({ maxBufferBytes: 1_024 }));
      terminal.pause();
      const peer = await bench.peer.terminal();
      const all = Buffer.concat(Array.from({ length: count }, () => output('x')));
      peer.socket.end(Buffer.concat([all, exit(0), close()]));
      expect(await terminal.ended).toEqual(outcome);
    },
  );

  it('ends within the drain deadline when the program ends while it is paused (ST-21)', async () => {
    const reading = read(await bench.open());
    reading.terminal.pause();
    const peer = await bench.peer.terminal();
    peer.send(output('last words'));
    peer.exit(0);
    expect(await reading.terminal.ended).toEqual({ kind: 'exited', code: 0 });
    expect(reading.bytes.toString()).toBe('last words');
  });

  it('rule 9: a connection that nobody reads ends after its time', async () => {
    const terminal = await bench.open({ attachMs: 100 });
    expect(await terminal.ended).toEqual(unknown('terminal_consumer'));
  });

  it('rule 12: a reader that goes away ends it', async () => {
    const terminal = await bench.open();
    terminal.onOutput(() => {}).dispose();
    expect(await terminal.ended).toEqual(unknown('terminal_consumer'));
    expect((await bench.peer.terminal()).closes).toHaveLength(1);
  });
});

describe('input', () => {
  it('19: a server that stops reading fails the session within the bound of a write', async () => {
    bench.restart({ writeMs: 300 });
    const reading = await bench.run((peer) => {
      peer.socket.pause();
      // Something comes back all the time, so that nothing is paced.
      const timer = setInterval(() => peer.send(output('.')), 1);
      peer.socket.on('close', () => clearInterval(timer));
    });
    const { terminal } = reading;
    await expect(terminal.write(Buffer.alloc(1_000_000, 'x'))).rejects.toThrow('The terminal has ended.');
    expect(await terminal.ended).toEqual(unknown('terminal'));
  });

  it('a paste of 200 KB goes in pieces, and waits for each to be echoed', async () => {
    const reading = await bench.run((peer) => {
      peer.onInput = (bytes) => peer.send(output(bytes));
    });
    const paste = Buffer.from(Array.from({ length: 20_000 }, (_, n) => `${n % 10}23456789\n`).join(''));
    await reading.terminal.write(paste);
    await gotTo(reading, paste.length);
    const peer = await bench.peer.terminal();
    expect(peer.input.equals(paste)).toBe(true);
    expect(Math.max(...peer.of(OPCODE.binary).map(({ payload }) => payload.length))).toBe(1_024);
  });

  it('a paste without echo is paced by time: no two pieces together', async () => {
    const { terminal } = await bench.run(() => {});
    const started = performance.now();
    await terminal.write(Buffer.alloc(5 * 1_024));
    // All pauses together, as its sender has them: a busy receiver may get two pieces at once. A timer may be a millisecond early.
    expect(performance.now() - started).toBeGreaterThan(4 * (PACE_MS - 1));
    const peer = await bench.peer.terminal();
    await bench.peer.until(() => peer.frames.length === 5);
    expect(peer.frames.map(({ payload }) => payload.length)).toEqual(Array(5).fill(1_024));
  });

  it('keys wait for nothing, and nothing empty is sent', async () => {
    const { terminal } = await bench.run(() => {});
    for (const key of ['a', '\x03', '', '\x04', '\0']) await terminal.write(Buffer.from(key));
    const peer = await bench.peer.terminal();
    await bench.peer.until(() => peer.frames.length === 4);
    expect(peer.frames.map(({ payload }) => [...payload])).toEqual([[97], [3], [4], [0]]);
  });

  it('rule 4: all input of a session is bounded, resizes too', async () => {
    const { terminal } = await bench.run(() => {}, { maxRequestBytes: 40 });
    await terminal.resize({ cols: 100, rows: 30 });
    await expect(terminal.write(Buffer.from('abc'))).rejects.toThrow('ended');
    expect(await terminal.ended).toEqual(unknown('output_limit'));
    await expect(terminal.write(Buffer.from('a'))).rejects.toThrow('ended');
    await terminal.resize({ cols: 80, rows: 24 });
  });

  it('one input is cut at its bound', async () => {
    const { terminal } = await bench.run(() => {}, { maxInputBytes: 3 });
    await terminal.write(Buffer.from('abcdefg'));
    const peer = await bench.peer.terminal();
    await bench.peer.until(() => peer.input.length === 7);
    expect(peer.frames.map(({ payload }) => payload.toString())).toEqual(['abc', 'def', 'g']);
  });

  it('refuses an impossible size', async () => {
    const { terminal } = await bench.run(() => {});
    await expect(terminal.resize({ cols: 0, rows: 24 })).rejects.toThrow();
    await expect(terminal.resize({ cols: 80, rows: 65_536 })).rejects.toThrow();
    expect(await terminal.sendBreak()).toBeNull();
  });
});

describe('endings by this side', () => {
  it.each([
    ['terminal_idle', { idleMs: 1_000, sessionMs: 60_000 }],
    ['terminal_session', { idleMs: 1_000, sessionMs: 1_000 }],
  ])('20: %s, and Pings do not put it off', async (tag, settings) => {
    const started = performance.now();
    const { terminal } = await bench.run((peer) => {
      const timer = setInterval(() => peer.send(frame(OPCODE.ping, Buffer.from('alive'))), 50);
      peer.socket.on('close', () => clearInterval(timer));
    }, settings);
    expect(await terminal.ended).toEqual(unknown(tag));
    expect(performance.now() - started).toBeGreaterThan(990);
    expect((await bench.peer.terminal()).closes).toHaveLength(1);
  });

  it('20: output, input and resizes put the idle time off, and never the session’s', async () => {
    const { terminal } = await bench.run(
      (peer) => {
        const timer = setInterval(() => peer.send(output('.')), 100);
        peer.socket.on('close', () => clearInterval(timer));
      },
      { idleMs: 2_500, sessionMs: 3_000 },
    );
    expect(await terminal.ended).toEqual(unknown('terminal_session'));
  });

  it.each([
    ['echoes the Close', (peer: PeerTerminal) => peer.socket.end(close())],
    ['ends silently', (peer: PeerTerminal) => peer.socket.destroy()],
    ['never ends', () => {}],
  ])('21: a local close when the server %s', async (_how, onClose) => {
    const { terminal } = await bench.run(
      (peer) => {
        peer.onFrame = ({ opcode }) => opcode === OPCODE.close && onClose(peer);
      },
      { closeMs: 300 },
    );
    const started = performance.now();
    const released = terminal.release();
    expect(terminal.release()).toBe(released);
    await expect(terminal.write(Buffer.from('x'))).rejects.toThrow('ended');
    expect(await released).toMatchObject({
      removed: false,
      reason: expect.stringContaining('terminal_close'),
    });
    expect(await terminal.ended).toEqual(unknown('terminal_close'));
    expect(performance.now() - started).toBeLessThan(5_000);
    const peer = await bench.peer.terminal();
    await bench.peer.until(() => peer.socket.destroyed);
    expect(peer.of(OPCODE.binary)).toEqual([]);
  });

  it('21: an exit that comes while it closes counts, with the output before it', async () => {
    const reading = await bench.run((peer) => {
      peer.onFrame = ({ opcode }) => {
        if (opcode !== OPCODE.close) return;
        peer.send(output('bye'));
        peer.exit(4);
      };
    });
    reading.terminal.pause();
    expect(await reading.terminal.release()).toMatchObject({ removed: true });
    expect(await reading.terminal.ended).toEqual({ kind: 'exited', code: 4 });
    expect(reading.bytes.toString()).toBe('bye');
  });

  it('21: a flood held back is let go on by a close, so that it can be heard, and not delivered without end', async () => {
    const reading = read(await bench.open());
    reading.terminal.pause();
    const peer = await bench.peer.terminal();
    const flooding = peer.flood(Buffer.alloc(4096, 'y'), () => peer.closes.length === 0);
    await standstill(peer);
    expect(await reading.terminal.release()).toMatchObject({ removed: false });
    await flooding;
    expect(reading.bytes.length).toBeLessThan(3 * 262_144);
  });

  it('22: a Ping is answered with what it holds, a Pong that nobody asked for is ignored', async () => {
    const { terminal } = await bench.run((peer) => {
      peer.send(frame(OPCODE.pong, Buffer.from('?')), frame(OPCODE.ping, Buffer.from('are you there')));
    });
    const peer = await bench.peer.terminal();
    await bench.peer.until(() => peer.of(OPCODE.pong).length > 0);
    expect(peer.of(OPCODE.pong).map(({ payload }) => payload.toString())).toEqual(['are you there']);
    peer.exit(0);
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 0 });
  });

  it('26: silence after the 101 is waited for, and nothing is said before there is output', async () => {
    const reading = await bench.run((peer) => {
      setTimeout(() => peer.send(output('ready')), 1_500);
    });
    expect(reading.delivered).toEqual([]);
    await eventually(() => reading.bytes.length > 0);
    expect(reading.delivered).toEqual([Buffer.from('ready')]);
  });

  it('27: nothing is delivered after an outcome', async () => {
    const reading = await bench.run((peer) => {
      peer.send(output('before'), text('nonsense'), ...Array.from({ length: 50 }, () => output('after')));
    });
    expect(await reading.terminal.ended).toEqual(unknown('protocol'));
    const peer = await bench.peer.terminal();
    peer.send(output('later'));
    await bench.peer.until(() => peer.socket.destroyed);
    await new Promise(setImmediate);
    expect(reading.delivered).toEqual([Buffer.from('before'), null]);
  });

  it('27: nor after an overflow with more behind it, on a socket that was held', async () => {
    const reading = read(await bench.open({ maxBufferBytes: 16_384 }));
    reading.terminal.pause();
    const peer = await bench.peer.terminal();
    peer.send(...Array.from({ length: 2_000 }, () => output('z'.repeat(60))));
    expect(await reading.terminal.ended).toEqual(unknown('output_limit'));
    const { length } = reading.delivered;
    reading.terminal.resume();
    await bench.peer.until(() => peer.socket.destroyed);
    await new Promise(setImmediate);
    expect(reading.delivered.length).toBe(length);
    expect(reading.delivered.at(-1)).toBeNull();
  });
});
