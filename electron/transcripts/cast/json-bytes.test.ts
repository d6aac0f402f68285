import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonBytes } from './json-bytes.ts';

function jsonOf(text: string): string {
  return jsonBytes(Buffer.from(text)).toString();
}

it('is what JSON.stringify says, of every byte of ASCII', () => {
  const ascii = String.fromCharCode(...Array(128).keys());
  expect(jsonOf(ascii)).toBe(JSON.stringify(ascii));
});

it('is what JSON.stringify says, of whatever text there is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(jsonOf(text)).toBe(JSON.stringify(text));
    }),
  );
});

it('has room for a long text of nothing but escapes', () => {
  const text = '\x1b'.repeat(100_000);
  expect(jsonOf(text)).toBe(JSON.stringify(text));
});
