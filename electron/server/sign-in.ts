import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { Hello } from '../../shared/protocol/messages.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { SIGN_IN } from '../../shared/terminal/limits.ts';

/**
 * Lets browsers in: a launch address carries a one-time token. With it comes a key that the page has drawn and kept for its
 * tab, and that is good from then on: a page that never hears the answer can ask again. Only hashes are kept. No cookies: browsers send them to every port of a host. The right secret always
 * works, whatever others try; a wrong one is answered late, on a connection that is then cut.
 *
 * There is one for each origin (DESIGN 6), and one for windows that approve. A launch address names the approval page, which exchanges its
 * token for a key of its own and for a fresh token of the main page's, and passes the latter on. So the main page, which
 * comes second, never has anything that the approval page lets in.
 */
export class SignIn {
  readonly #tokens: Buffer[] = [];
  readonly #keys: Buffer[] = [];

  /** A fresh one-time token; of those that are not used yet, the newest SIGN_IN.openTokensMax count. */
  issueToken(): string {
    return issue(this.#tokens, SIGN_IN.openTokensMax);
  }

  /** Uses up a token and resolves to a fresh key of this host's; late, to null, for what is none. */
  async exchange(token: string): Promise<string | null> {
    if (take(this.#tokens, token)) return issue(this.#keys, SIGN_IN.keysMax);
    return late(null);
  }

  /** Whether this is a key that was given. */
  knows(key: string): boolean {
    return find(this.#keys, key) !== -1;
  }

  /** Whether the key is good, or becomes so by a token, which is used up. Answered late where not. */
  async admits({ token, key }: Credential): Promise<boolean> {
    if (key === undefined || !SECRET.test(key)) return late(false);
    if (token !== undefined && take(this.#tokens, token)) {
      keep(this.#keys, key, SIGN_IN.keysMax);
      return true;
    }
    return this.knows(key) || late(false);
  }

  /** The same for a greeting. Fails with not-authenticated. */
  async authenticate(hello: Hello): Promise<Result<undefined, TaggedError>> {
    if (await this.admits(hello)) return ok(undefined);
    return fail(taggedError('not-authenticated', REFUSAL));
  }
}

type Credential = Pick<Hello, 'token' | 'key'>;

/** SIGN_IN.secretBytes in base64url. */
const SECRET = /^[\w-]{43}$/;

function late<T>(answer: T): Promise<T> {
  return delay(SIGN_IN.failureDelayMs, answer, { ref: false });
}

const REFUSAL = 'This page is not signed in, or its address was used before. It needs a fresh one.';

function issue(kept: Buffer[], max: number): string {
  const secret = randomBytes(SIGN_IN.secretBytes).toString('base64url');
  keep(kept, secret, max);
  return secret;
}

function keep(kept: Buffer[], secret: string, max: number): void {
  kept.push(digest(secret));
  if (kept.length > max) kept.shift();
}

function take(kept: Buffer[], secret: string): boolean {
  const at = find(kept, secret);
  if (at === -1) return false;
  kept.splice(at, 1);
  return true;
}

/** Compares with every one, so that the time says nothing about how near a guess was. */
function find(kept: readonly Buffer[], secret: string): number {
  const wanted = digest(secret);
  return kept.reduce((found, hash, at) => (timingSafeEqual(hash, wanted) ? at : found), -1);
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
