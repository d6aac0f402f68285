import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import type { Hello } from '../../shared/protocol/messages.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { SIGN_IN } from '../../shared/terminal/limits.ts';

/**
 * Lets browsers in: a launch address carries a one-time token, which is exchanged for a key that the page keeps for
 * its tab. Only hashes are kept. No cookies: browsers send them to every port of a host. The right secret always
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

  /** Uses up a token and resolves to a fresh key; late, to null, for what is none. */
  async exchange(token: string): Promise<string | null> {
    if (take(this.#tokens, token)) return issue(this.#keys, SIGN_IN.keysMax);
    return late(null);
  }

  /** Whether this is a key that was given. */
  knows(key: string): boolean {
    return find(this.#keys, key) !== -1;
  }

  /** The same; a wrong one is answered late. */
  async admits(key: string): Promise<boolean> {
    return this.knows(key) || late(false);
  }

  /** The `key` of the result is what the client can present the next time. Fails with not-authenticated. */
  async authenticate({ token, key }: Hello): Promise<Result<{ key?: string }, TaggedError>> {
    if (token !== undefined && take(this.#tokens, token)) {
      return ok({ key: issue(this.#keys, SIGN_IN.keysMax) });
    }
    if (key !== undefined && find(this.#keys, key) !== -1) return ok({});
    return late(fail(taggedError('not-authenticated', REFUSAL)));
  }
}

function late<T>(answer: T): Promise<T> {
  return delay(SIGN_IN.failureDelayMs, answer, { ref: false });
}

const REFUSAL = 'This page is not signed in, or its address was used before. It needs a fresh one.';

function issue(kept: Buffer[], max: number): string {
  const secret = randomBytes(SIGN_IN.secretBytes).toString('base64url');
  kept.push(digest(secret));
  if (kept.length > max) kept.shift();
  return secret;
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
