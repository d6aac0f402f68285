import { LINK_MAX_CHARS } from './limits.ts';

/**
 * Which links of a program may be opened at all (B14): one policy, applied by the page before it offers a link and
 * by the host before it opens one. Nothing is repaired: a link that could be read in two ways is refused.
 */
export type LinkVerdict =
  | { readonly ok: true; readonly href: string; readonly parts: LinkParts }
  | { readonly ok: false; readonly reason: string };

/** The real target, for the question to the person. All parts are ASCII: a foreign host name is in its xn-- form. */
export interface LinkParts {
  readonly scheme: 'http' | 'https';
  /** Host and, unless it is the scheme's own, the port. */
  readonly host: string;
  /** Path, query and fragment. */
  readonly rest: string;
}

/** Each names what is wrong with a link when its test is true, in the order in which they are asked. */
const OBJECTIONS: readonly { readonly applies: (text: string) => boolean; readonly reason: string }[] = [
  { applies: (text) => text === '', reason: 'The link is empty.' },
  {
    applies: (text) => text.length > LINK_MAX_CHARS,
    reason: `The link is longer than ${LINK_MAX_CHARS} characters.`,
  },
  {
    // C: controls, formats such as direction marks, surrogates, private use, unassigned. Z: blanks and separators.
    applies: (text) => /[\p{C}\p{Z}]/u.test(text),
    reason: 'The link contains a blank, a control or an invisible character.',
  },
  { applies: (text) => text.includes('\\'), reason: 'The link contains a backslash.' },
  {
    applies: (text) => !/^[a-z][a-z0-9+.-]*:/i.test(text),
    reason: 'The link has no scheme; only http and https links can be opened.',
  },
  {
    applies: (text) => !/^https?:/i.test(text),
    reason: 'Only http and https links can be opened.',
  },
  {
    applies: (text) => !/^https?:\/\/[^/?#]/i.test(text),
    reason: 'The link names no host.',
  },
  {
    applies: (text) => authority(text).includes('@'),
    reason: 'The link carries a user name or password, which hides the real host.',
  },
  {
    applies: (text) => /%(?:[01][0-9a-f]|7f)/i.test(text),
    reason: 'The link contains an encoded control character such as a line break.',
  },
];

/** Judges a link. `href` is the normalized form, the only one that may be shown and opened. */
export function checkLink(text: string): LinkVerdict {
  const objection = OBJECTIONS.find(({ applies }) => applies(text));
  if (objection) return { ok: false, reason: objection.reason };
  const url = URL.parse(text);
  if (url === null) return { ok: false, reason: 'The link is not a valid address.' };
  if (url.href.length > LINK_MAX_CHARS) {
    return { ok: false, reason: `The link is longer than ${LINK_MAX_CHARS} characters when encoded.` };
  }
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const rest = url.href.slice(`${scheme}://${url.host}`.length);
  return { ok: true, href: url.href, parts: { scheme, host: url.host, rest } };
}

function authority(text: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
}
