import { expect, test } from 'vitest';
import { compileManifest } from './compiled-manifest.ts';
import { NO_CUSTOM_TYPES } from './custom-types.ts';
import { patternOf } from './kept-patterns.ts';
import { parseManifest } from './parse-manifest.ts';
import { patternEngine } from './pattern-engine.ts';
import { manifestWith } from './testing/manifest-text.ts';

test('a manifest that is opened again takes no more memory', () => {
  const text = manifestWith(
    Array.from(
      { length: 4 },
      (_, n) => `[session.commands.c${n}]\npattern = '\\w{1,3${n}}'\ndescription = ""\n`,
    ).join(''),
  );
  const { manifest } = parseManifest(text, NO_CUSTOM_TYPES);
  if (manifest === null) throw new Error('not valid');
  const open = () => {
    const compiled = compileManifest(structuredClone(manifest));
    return (
      manifest.commands.every(({ name }) => compiled.commandMatches(name, 'abc')) &&
      compiled.readyMatches('>')
    );
  };
  expect(open()).toBe(true);
  const once = patternEngine().memoryBytes;
  for (let n = 0; n < 20; n++) expect(open()).toBe(true);
  expect(patternEngine().memoryBytes).toBe(once);
});

test('when the engine is another one, patterns are compiled anew, and what is held of the old one still works', () => {
  const pattern = patternOf('a');
  expect(patternOf('a')).toBe(pattern);
  const engine = patternEngine();
  expect(patternEngine(engine.memoryBytes)).toBe(engine);
  expect(patternEngine(engine.memoryBytes - 1)).not.toBe(engine);
  expect(patternOf('a')).not.toBe(pattern);
  expect([patternOf('a').matchesWhole('a'), pattern.matchesWhole('a')]).toEqual([true, true]);
});
