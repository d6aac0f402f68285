import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTPUT_CREDIT, OUTPUT_FRAME, OUTPUT_SLICE } from '../../shared/terminal/limits.ts';
import { joinGraphemes } from './bounded-graphemes.ts';
import type { OutputBacklog } from './frame-pace.ts';
import { OutputStream, type OutputTarget } from './output-stream.ts';

const SAMPLE = '[A—B…C👩‍💻D𐀀E\u0301 F界G]';

/** Feeds `chunks` to a real xterm and gives its first rows, what was acknowledged, and the terminal. */
async function show(chunks: readonly Uint8Array[], size = { cols: 80, rows: 4 }) {
  const terminal = new headless.Terminal({ ...size, allowProposedApi: true });
  joinGraphemes(terminal);
  const totals: number[] = [];
  const stream = new OutputStream(terminal, { backlog: 'none' }, (total) => totals.push(total));
  for (const chunk of chunks) stream.push(chunk);
  await stream.finish();
  const rows: string[] = [];
  for (let y = 0; y < terminal.buffer.active.length; y += 1) {
    rows.push(terminal.buffer.active.getLine(y)?.translateToString(true) ?? '');
  }
  return { rows, totals, terminal };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('decoding', () => {
  it('shows the same for every cut (B01)', async () => {
    const whole = bytes(SAMPLE);
    const expected = (await show([whole])).rows;
    expect(expected[0]).toBe(SAMPLE);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      expect((await show([whole.subarray(0, cut), whole.subarray(cut)])).rows).toEqual(expected);
    }
    expect((await show([...whole].map((byte) => Uint8Array.of(byte)))).rows).toEqual(expected);
  });

  it('shows a character cut at a slice of 4096 bytes whole (B01)', async () => {
    const text = `${'a'.repeat(4_095)}界z`;
    const { rows } = await show([bytes(text)], { cols: 5_000, rows: 2 });
    expect(rows[0]).toBe(text);
  });

  it('shows a pair of surrogates cut by any slice whole (B02)', async () => {
    for (const limit of [OUTPUT_SLICE.minBytes, OUTPUT_SLICE.firstBytes, OUTPUT_SLICE.maxBytes]) {
      for (const before of [limit - 3, limit - 2, limit - 1, limit]) {
        const text = `${'a'.repeat(before)}😀`;
        const { rows } = await show([bytes(text)], { cols: limit + 10, rows: 1 });
        expect(rows[0]).toBe(text);
      }
    }
  });

  it('keeps the text around bytes that are not UTF-8 (B02)', async () => {
    const { rows } = await show([bytes('ok'), Uint8Array.of(0xff, 0xfe, 0xc0, 0x80), bytes('ok2')]);
    expect(rows[0]).toBe('ok\ufffd\ufffd\ufffd\ufffdok2');
  });

  it('ends a character that is cut at the end with one replacement mark (B01)', async () => {
    expect((await show([bytes('x'), Uint8Array.of(0xe7, 0x95)])).rows[0]).toBe('x\ufffd');
  });

  it('takes raw 9B for an invalid byte and U+009B for a control; ignores NUL (B17)', async () => {
    expect((await show([Uint8Array.of(0x61, 0x9b, 0x33, 0x31, 0x6d, 0x62)])).rows[0]).toBe('a\ufffd31mb');
    const controls = await show([bytes('a\u009b31mb\u009d0;T\u009cc\0d\u0085À Á Ā €')]);
    expect(controls.rows.slice(0, 2)).toEqual(['abcd', 'À Á Ā €']);
  });

  it('keeps a byte order mark out of the way and counts it', async () => {
    const { totals, rows } = await show([Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)]);
    expect(totals.at(-1)).toBe(4);
    expect(rows[0]?.replace('\ufeff', '')).toBe('a');
  });
});

/** Parses when told to, in one turn each: xterm without its clock. */
class ManualTarget implements OutputTarget {
  readonly written: string[] = [];
  readonly #waiting: { text: string; parsed: () => void }[] = [];
  #turnEnded: () => void = () => {};

  write(data: string | Uint8Array, parsed: () => void): void {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
    this.written.push(text);
    this.#waiting.push({ text, parsed });
  }

  onWriteParsed(listener: () => void) {
    this.#turnEnded = listener;
    return { dispose: () => {} };
  }

  /** One turn: up to `count` writes. */
  parse(count: number): void {
    for (let i = 0; i < count; i += 1) this.#waiting.shift()?.parsed();
    this.#turnEnded();
  }

  /** One turn that ends after the next text, as xterm's does when that text took long. */
  parseText(): void {
    this.parse(this.#waiting[0]?.text === '' ? 2 : 1);
  }

  get waiting(): number {
    return this.#waiting.length;
  }
}

describe('credit', () => {
  it('acknowledges only what is parsed', () => {
    const target = new ManualTarget();
    const totals: number[] = [];
    const stream = new OutputStream(target, { backlog: 'none' }, (total) => totals.push(total));
    stream.push(bytes('hello'));
    expect(totals).toEqual([]);
    target.parse(1);
    expect(totals).toEqual([5]);
  });

  it('says after each turn what is parsed by then, and the whole total when drained', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (lengths, steps) => {
          const target = new ManualTarget();
          const totals: number[] = [0];
          const stream = new OutputStream(target, { backlog: 'none' }, (total) => totals.push(total));
          for (const length of lengths) stream.push(new Uint8Array(length).fill(0x61));
          let turns = 0;
          for (; target.waiting > 0; turns += 1) target.parse(steps[turns % steps.length] ?? 1);
          expect(totals.length).toBeLessThanOrEqual(turns + 1);
          expect(target.written.join('')).toHaveLength(lengths.reduce((sum, length) => sum + length, 0));
          expect(totals.at(-1)).toBe(target.written.join('').length);
          for (let i = 1; i < totals.length; i += 1) {
            expect(totals[i]).toBeGreaterThan(totals[i - 1] ?? 0);
          }
        },
      ),
    );
  });

  it('asks for less ahead when output waits long, for more when it runs dry (B30)', () => {
    const target = new ManualTarget();
    const aheads: number[] = [];
    let now = 0;
    const stream = new OutputStream(
      target,
      { backlog: 'none' },
      (_total, ahead) => aheads.push(ahead),
      () => now,
    );
    for (let n = 0; n < 3; n += 1) stream.push(new Uint8Array(OUTPUT_FRAME.maxBytes).fill(0x61));
    now = OUTPUT_CREDIT.waitMs * 2;
    target.parse(4);
    expect(aheads.at(-1)).toBe(OUTPUT_CREDIT.high / 2);
    while (target.waiting > 0) target.parse(1);
    expect(aheads.at(-1), 'what came before says nothing about the change').toBe(OUTPUT_CREDIT.high / 2);
    stream.push(new Uint8Array(OUTPUT_FRAME.maxBytes).fill(0x61));
    while (target.waiting > 0) target.parse(1);
    expect(aheads.at(-1)).toBe((OUTPUT_CREDIT.high / 2) * OUTPUT_CREDIT.growth);
    stream.push(bytes('a prompt'));
    target.parse(1);
    expect(aheads.at(-1), 'a few bytes are no flood').toBe((OUTPUT_CREDIT.high / 2) * OUTPUT_CREDIT.growth);
  });

  it('tells what waits, is expected, or neither', () => {
    const target = new ManualTarget();
    const pace = { backlog: 'none' as OutputBacklog };
    const stream = new OutputStream(target, pace, () => {});
    stream.push(bytes('echo'));
    expect(pace.backlog).toBe('waiting');
    target.parse(1);
    expect(pace.backlog).toBe('none');
    stream.push(new Uint8Array(OUTPUT_FRAME.maxBytes).fill(0x61));
    target.parse(1);
    expect(pace.backlog).toBe('waiting');
    while (target.waiting > 0) target.parse(1);
    expect(pace.backlog).toBe('expected');
    stream.dispose();
    expect(pace.backlog).toBe('none');
  });

  it('is quiet once disposed', () => {
    const target = new ManualTarget();
    const totals: number[] = [];
    const stream = new OutputStream(target, { backlog: 'none' }, (total) => totals.push(total));
    stream.push(bytes('a'));
    stream.dispose();
    target.parse(1);
    stream.push(bytes('b'));
    expect([totals, target.written]).toEqual([[], ['a']]);
  });

  it('finishes after the last byte is parsed', async () => {
    const target = new ManualTarget();
    const stream = new OutputStream(target, { backlog: 'none' }, () => {});
    stream.push(bytes('abc'));
    let finished = false;
    const finish = stream.finish().then(() => {
      finished = true;
    });
    await Promise.resolve();
    expect(finished).toBe(false);
    while (target.waiting > 0) {
      target.parse(1);
      await new Promise((resolve) => setTimeout(resolve));
    }
    await finish;
  });
});

it('puts text of our own between two pieces of output, when the first is on the screen', async () => {
  const terminal = new headless.Terminal({ allowProposedApi: true });
  const stream = new OutputStream(terminal, { backlog: 'none' }, () => {});
  stream.push(bytes('before'.repeat(3_000)));
  stream.push(bytes('\x1b[2J\x1b[Hab'));
  stream.interject(() => `<${terminal.buffer.active.cursorX}>`);
  stream.push(bytes('cd'));
  await stream.finish();
  expect(terminal.buffer.active.getLine(terminal.buffer.active.baseY)?.translateToString(true)).toBe(
    'ab<2>cd',
  );
});

describe('slices (B30)', () => {
  /** Bytes of the slices of a long burst when a byte takes `usPerByte` microseconds to parse. */
  function slicesOf(usPerByte: number): number[] {
    let now = 0;
    const slices: number[] = [];
    const target = new ManualTarget();
    const write = target.write.bind(target);
    target.write = (text, parsed) =>
      write(text, () => {
        now += (text.length * usPerByte) / 1000;
        if (text !== '') slices.push(text.length);
        parsed();
      });
    const stream = new OutputStream(
      target,
      { backlog: 'none' },
      () => {},
      () => now,
    );
    for (let i = 0; i < 10; i += 1) stream.push(new Uint8Array(OUTPUT_SLICE.maxBytes).fill(0x61));
    while (target.waiting > 0) target.parseText();
    return slices;
  }

  it('stay long for text', () => {
    expect(Math.max(...slicesOf(0))).toBe(OUTPUT_SLICE.maxBytes);
  });

  it('become as short as needed for output that is costly to parse', () => {
    const usPerByte = 2;
    const slice = slicesOf(usPerByte).at(-1) ?? 0;
    expect((slice * usPerByte) / 1000).toBeLessThanOrEqual(OUTPUT_SLICE.longMs);
    expect(slice).toBeGreaterThan(OUTPUT_SLICE.minBytes);
    expect(slicesOf(10_000).at(-1)).toBe(OUTPUT_SLICE.minBytes);
  });

  it('are short from the third on for the costliest output, a terminal that is reset again and again', () => {
    const usPerByte = 200;
    const [first = 0, second = 0, ...others] = slicesOf(usPerByte);
    expect((Math.max(first, second) * usPerByte) / 1000).toBeLessThan(200);
    expect(Math.max(...others)).toBe(OUTPUT_SLICE.minBytes);
  });
});
