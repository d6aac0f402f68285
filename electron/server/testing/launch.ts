import { randomBytes } from 'node:crypto';
import { SIGN_IN } from '../../../shared/terminal/limits.ts';

/** What a page makes of the token in its address: with it goes a key that the page has drawn. */
export function launchWith(token: string): { token: string; key: string } {
  return { token, key: randomBytes(SIGN_IN.secretBytes).toString('base64url') };
}
