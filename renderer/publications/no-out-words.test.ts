import { expect, it } from 'vitest';
import { profileSchema } from '../../shared/settings/schema.ts';
import { engineKindSchema } from '../../shared/terminal/engine-status.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import { noOutWords } from './no-out-words.ts';

const pane = (engine: string, outBytes?: null) => ({
  profile: profileSchema.parse({ id: 'p', name: 'P', engine }),
  session: { id: 's', posture: { limits: { ...(outBytes === null && { outBytes }) } } as SandboxPosture },
});

it('a session without /out says why, by its engine, and what to do instead', () => {
  const said = engineKindSchema.options.map((engine) => noOutWords(pane(engine)));
  expect(new Set(said.map((words) => words?.[0])).size).toBe(engineKindSchema.options.length);
  for (const words of said) {
    expect(words?.[0]).toContain(' has no /out to publish from');
    expect(words?.[1]).toMatch(/^To publish a file, make it in /);
  }
});

it('one with an /out, bounded or not, and one that is not open, say nothing', () => {
  expect(noOutWords(pane('container', null))).toBeNull();
  expect(noOutWords({ ...pane('attach'), session: null })).toBeNull();
});
