import { describe, expect, it } from 'vitest';
import { KeptOutput } from './kept-output.ts';

function given(kept: KeptOutput): string[] {
  const pieces: string[] = [];
  kept.drain(
    (piece) => pieces.push(Buffer.from(piece).toString()),
    () => true,
  );
  return pieces;
}

describe('output that is kept', () => {
  it('gathers short messages, and keeps their order among long ones', () => {
    const kept = new KeptOutput(65_536);
    const messages = ['a', 'b', 'c'.repeat(5_000), 'd', 'e'.repeat(4_095), 'f'];
    for (const message of messages) expect(kept.push(Buffer.from(message))).toBe(true);
    expect(kept.bytes).toBe(messages.join('').length);
    expect(given(kept)).toEqual(['ab', 'c'.repeat(5_000), `d${'e'.repeat(4_095)}`, 'f']);
    expect(kept.bytes).toBe(0);
  });

  it('is bounded in bytes: what is too much is not kept in part', () => {
    const kept = new KeptOutput(3);
    expect(kept.push(Buffer.from('ab'))).toBe(true);
    expect(kept.push(Buffer.from('cd'))).toBe(false);
    expect(kept.push(Buffer.from('c'))).toBe(true);
    expect(given(kept)).toEqual(['abc']);
  });

  it('is given once, also when whoever gets it asks for more', () => {
    const kept = new KeptOutput(65_536);
    for (const name of 'abc') kept.push(Buffer.alloc(4_096, name));
    const names: string[] = [];
    const deliver = (piece: Uint8Array) => {
      names.push(String.fromCharCode(piece[0] ?? 0));
      kept.drain(deliver, () => true);
    };
    kept.drain(deliver, () => true);
    expect(names).toEqual(['a', 'b', 'c']);
    expect(kept.bytes).toBe(0);
  });
});
