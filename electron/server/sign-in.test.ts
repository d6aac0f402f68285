import { describe, expect, it } from 'vitest';
import { PROTOCOL } from '../../shared/protocol/version.ts';
import { SIGN_IN } from '../../shared/terminal/limits.ts';
import { SignIn } from './sign-in.ts';
import { launchWith } from './testing/launch.ts';

const hello = (credential: { token?: string; key?: string }) => ({
  type: 'hello' as const,
  protocol: PROTOCOL,
  ...credential,
});

async function keyOf(signIn: SignIn, token: string): Promise<string> {
  const launch = launchWith(token);
  if (!(await signIn.admits(launch))) throw new Error('not let in');
  return launch.key;
}

describe('sign-in', () => {
  it('a token is taken once, and the key that came with it keeps working', async () => {
    const signIn = new SignIn();
    const token = signIn.issueToken();
    expect(Buffer.from(token, 'base64url')).toHaveLength(SIGN_IN.secretBytes);
    const key = await keyOf(signIn, token);
    expect(await signIn.authenticate(hello({ key }))).toEqual({ ok: true });
    expect(await signIn.authenticate(hello({ key }))).toEqual({ ok: true });
    expect(await signIn.authenticate(hello(launchWith(token)))).toMatchObject({ ok: false });
  });

  it('a page that is loaded again before it hears the answer gets in with the same token and key', async () => {
    const signIn = new SignIn();
    const launch = launchWith(signIn.issueToken());
    expect(await Promise.all([signIn.admits(launch), signIn.admits(launch)])).toEqual([true, true]);
  });

  it('a key that a host would not have drawn is refused, and the token stays', async () => {
    const signIn = new SignIn();
    const token = signIn.issueToken();
    const keys = [undefined, '', 'short', 'x'.repeat(44), `${'x'.repeat(42)}=`];
    const answers = await Promise.all(keys.map((key) => signIn.admits({ token, key })));
    expect(new Set(answers)).toEqual(new Set([false]));
    expect(await keyOf(signIn, token)).toBeTruthy();
  });

  it('refuses everything else, late, and says what to do', async () => {
    const signIn = new SignIn();
    const token = signIn.issueToken();
    const key = await keyOf(signIn, signIn.issueToken());
    const before = performance.now();
    const attempts = [
      {},
      { token },
      { key: token },
      { key: '' },
      launchWith(''),
      launchWith(key),
      launchWith(`${token}x`),
    ];
    const answers = await Promise.all(attempts.map((attempt) => signIn.authenticate(hello(attempt))));
    for (const answer of answers) {
      expect(answer).toMatchObject({
        ok: false,
        error: { tag: 'not-authenticated', message: expect.stringContaining('needs a fresh one') },
      });
    }
    expect(performance.now() - before).toBeGreaterThanOrEqual(SIGN_IN.failureDelayMs - 5);
    // The right one still works at once.
    expect(await keyOf(signIn, token)).toBeTruthy();
  });

  it(`keeps the newest ${SIGN_IN.openTokensMax} tokens and ${SIGN_IN.keysMax} keys`, async () => {
    const signIn = new SignIn();
    const tokens = Array.from({ length: SIGN_IN.openTokensMax + 1 }, () => signIn.issueToken());
    const keys = [await keyOf(signIn, tokens.at(-1) as string)];
    while (keys.length <= SIGN_IN.keysMax) keys.push(await keyOf(signIn, signIn.issueToken()));
    const [oldest, newest] = await Promise.all(
      [keys[0], keys.at(-1)].map((key) => signIn.authenticate(hello({ key: key as string }))),
    );
    expect([oldest?.ok, newest?.ok]).toEqual([false, true]);
    expect((await signIn.authenticate(hello({ token: tokens[0] as string }))).ok).toBe(false);
  });
});
