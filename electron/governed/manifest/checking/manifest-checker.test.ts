import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { Disposable } from '../../../../shared/disposable.ts';
import { NO_CUSTOM_TYPES } from '../custom-types.ts';
import { patternEngine } from '../pattern-engine.ts';
import { manifestWith, VALID } from '../testing/manifest-text.ts';
import { ManifestChecker } from './manifest-checker.ts';

const owned: Disposable[] = [];
afterEach(() => {
  for (const one of owned.splice(0)) one.dispose();
});

/** A project whose manifests are read as often as wanted: the problems of each file, by line and key. */
function project(folderMs?: number) {
  const checker = new ManifestChecker(folderMs);
  owned.push(checker);
  return async (...texts: string[]) => {
    const time = checker.newTime();
    const types = { types: NO_CUSTOM_TYPES, digest: '' };
    const parsed = await Promise.all(
      texts.map((text) => checker.check({ text, digest: sha256(text) }, types, time)),
    );
    return parsed.map(({ problems }) =>
      problems.map(({ line, key, message }) => `${line} ${key}: ${message}`),
    );
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function withPatterns(...patterns: string[]): string {
  const commands = patterns.map(
    (pattern, n) => `[session.commands.c${n}]\npattern = '${pattern}'\ndescription = ""\n`,
  );
  return manifestWith(commands.join(''));
}

const TOO_LARGE =
  'X7: invalid session command pattern: is too large: \\w, \\d and \\p mean all of Unicode, so write which characters may stand there';
const NOT_LOOKED_AT =
  'X7: invalid session command pattern: not looked at, for a pattern before it is too large';
const TOO_MUCH = 'null : its patterns take too long or too much memory to compile';

test('a pattern that takes too much memory is a problem of its key; what comes after it is checked as ever', async () => {
  const read = project();
  const before = patternEngine().memoryBytes;
  const large = withPatterns('a', '\\w{300}', ...Array(38).fill('\\w{300}'));
  const [tooLarge, ready, fine] = await read(
    large,
    manifestWith('', '').replace("'>'", "'\\w{300}'"),
    withPatterns('\\d{1,9}', '\\w{1,40}', '\\w{1,40}', '\\w{1,40}'),
  );
  expect(tooLarge).toHaveLength(39);
  expect(tooLarge?.slice(0, 2)).toEqual([
    `14 session.commands.c1.pattern: ${TOO_LARGE}`,
    `17 session.commands.c2.pattern: ${NOT_LOOKED_AT}`,
  ]);
  expect(ready?.[0]).toContain('8 session.ready_pattern: X12: invalid terminal ready pattern: is too large');
  expect(fine).toEqual([]);
  // Nothing of it was compiled here.
  expect(patternEngine().memoryBytes).toBe(before);
});

test('a file that takes too long is a problem, for which only what comes after it in its folder waits until the next time', async () => {
  const read = project(3_000);
  // Two classes for each of its bytes: many seconds, and the engine only counts once it has read them all.
  const endless = withPatterns('\\w'.repeat(100_000));
  const later = 'null : not looked at yet: the files before it took 3 s; it is when the folder is read again';
  expect(await read(endless, VALID)).toEqual([[TOO_MUCH], [later]]);
  expect(await read(endless, VALID)).toEqual([[TOO_MUCH], []]);
});

test('a text is checked once, and anew with other types', async () => {
  const checker = new ManifestChecker();
  owned.push(checker);
  const check = (digest: string) =>
    checker.check({ text: VALID, digest: 'same' }, { types: NO_CUSTOM_TYPES, digest }, checker.newTime());
  expect((await check('a')).manifest).not.toBeNull();
  expect(await check('a')).toBe(await check('a'));
  expect(await check('b')).not.toBe(await check('a'));
});

test('what is asked when it closes is answered', async () => {
  const checker = new ManifestChecker();
  const check = () =>
    checker.check(
      { text: withPatterns('\\w'.repeat(100_000)), digest: '' },
      { types: NO_CUSTOM_TYPES, digest: '' },
      checker.newTime(),
    );
  const asked = [check(), check()];
  checker.dispose();
  for (const { manifest } of await Promise.all(asked)) expect(manifest).toBeNull();
});
