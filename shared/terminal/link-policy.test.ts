import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINK_MAX_CHARS } from './limits.ts';
import { checkLink } from './link-policy.ts';

describe('B14 links that may be opened', () => {
  it.each([
    [
      'https://example.com/a(b)',
      'https://example.com/a(b)',
      { scheme: 'https', host: 'example.com', rest: '/a(b)' },
    ],
    ['http://example.com', 'http://example.com/', { scheme: 'http', host: 'example.com', rest: '/' }],
    [
      'HTTPS://Example.COM:443/A',
      'https://example.com/A',
      { scheme: 'https', host: 'example.com', rest: '/A' },
    ],
    [
      'http://127.0.0.1:8080/?q=1#f',
      'http://127.0.0.1:8080/?q=1#f',
      { host: '127.0.0.1:8080', rest: '/?q=1#f' },
    ],
    ['https://example.com/@user', 'https://example.com/@user', { rest: '/@user' }],
    ['https://example.com/?a=b@c', 'https://example.com/?a=b@c', { rest: '/?a=b@c' }],
    ['https://example.com/%20', 'https://example.com/%20', { rest: '/%20' }],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC', { host: 'xn--bcher-kva.example' }],
    // Cyrillic а: what is shown is not what it imitates.
    ['https://ex\u0430mple.com/', 'https://xn--exmple-4nf.com/', { host: 'xn--exmple-4nf.com' }],
  ])('%s', (text, href, parts) => {
    const verdict = checkLink(text);
    expect(verdict).toMatchObject({ ok: true, href, parts });
  });
});

describe('B14 links that stay inert, with the reason in words', () => {
  const cases: [string, string][] = [
    ['', 'empty'],
    ['javascript:alert(1)', 'Only http and https'],
    ['JaVaScRiPt:alert(1)', 'Only http and https'],
    ['file:///etc/passwd', 'Only http and https'],
    ['data:text/html,x', 'Only http and https'],
    ['smb://server/share', 'Only http and https'],
    ['ms-settings:', 'Only http and https'],
    ['vscode:extension/x', 'Only http and https'],
    ['mailto:someone@example.com', 'Only http and https'],
    ['view-source:https://example.com', 'Only http and https'],
    ['//example.com/x', 'no scheme'],
    ['example.com', 'no scheme'],
    ['https:example.com', 'no host'],
    ['https:/example.com', 'no host'],
    ['https:///example.com', 'no host'],
    ['https://', 'no host'],
    ['https://?q', 'no host'],
    ['HTTPS://user@evil.example\\@good.example', 'backslash'],
    ['https:\\\\good.example', 'backslash'],
    ['https://user@evil.example/', 'user name'],
    ['https://user:secret@evil.example/', 'user name'],
    ['https://@evil.example/', 'user name'],
    ['https://good.example%40evil.example/', 'not a valid address'],
    ['https://good.example/%0d%0a', 'encoded control'],
    ['https://good.example/?a=%0A', 'encoded control'],
    ['https://good.example/#%00', 'encoded control'],
    ['https://good.example/%7F', 'encoded control'],
    ['https://good.example/\r\nX: y', 'invisible'],
    ['java\tscript:alert(1)', 'invisible'],
    ['https://good.example/\u202Egpj.exe', 'invisible'],
    ['https://good\u200B.example/', 'invisible'],
    ['https://good.example/\u0085', 'invisible'],
    ['https://good.example/a b', 'invisible'],
    [' https://good.example/', 'invisible'],
    ['https://good.example/\u00A0', 'invisible'],
    ['https://good.example/\u2028', 'invisible'],
    ['https://good.example/\uD800', 'invisible'],
    ['https://good.example:99999/', 'not a valid address'],
    ['https://[::1/', 'not a valid address'],
    ['https://good..exa mple/', 'invisible'],
    [`https://good.example/${'a'.repeat(100_000)}`, `longer than ${LINK_MAX_CHARS}`],
    [`https://good.example/${'ü'.repeat(LINK_MAX_CHARS - 100)}`, 'when encoded'],
  ];

  it.each(cases.map(([text, reason]) => ({ name: JSON.stringify(text).slice(0, 60), text, reason })))(
    '$name: $reason',
    ({ text, reason }) => {
      expect(checkLink(text)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
    },
  );
});

describe('B14 whatever is accepted', () => {
  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom(
        'http',
        'https',
        'javascript',
        ':',
        '/',
        '//',
        '@',
        '\\',
        '#',
        '?',
        '%0d',
        '%',
        '[',
        ']',
        '.',
      ),
      fc.constantFrom('good.example', 'evil.example', '\t', '\n', '\u202e', ' ', 'xn--', ':80'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 12 },
  );

  it('is printable ASCII, stable, without credentials, and shown in full', () => {
    const anyLink = fc.oneof(
      hostile.map((parts) => parts.join('')),
      hostile.map((parts) => `https://${parts.join('')}`),
    );
    fc.assert(
      fc.property(anyLink, (text) => {
        const verdict = checkLink(text);
        if (!verdict.ok) return;
        const { href, parts } = verdict;
        expect(href).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
        expect(href).toBe(`${parts.scheme}://${parts.host}${parts.rest}`);
        expect(new URL(href)).toMatchObject({ username: '', password: '', href });
        expect(checkLink(href)).toEqual(verdict);
      }),
      { numRuns: 2_000 },
    );
  });
});
