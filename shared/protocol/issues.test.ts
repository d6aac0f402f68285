import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { settingsSchema } from '../settings/schema.ts';
import { PROBLEMS_LISTED_MAX } from '../terminal/limits.ts';
import { describeIssues, problemsInWords } from './issues.ts';
import { clientMessageSchema } from './messages.ts';
import { requests } from './requests.ts';

function words(schema: z.ZodType, input: unknown): string {
  const parsed = schema.safeParse(input);
  return parsed.success ? '' : problemsInWords(describeIssues(parsed.error.issues, input));
}

const profile = { id: 'a', name: 'A' };
const withProfile = (more: object) => ({ profiles: [{ ...profile, ...more }], defaultProfile: 'a' });

describe('problems in words name the field and the bound', () => {
  it.each<[z.ZodType, unknown, string]>([
    [
      settingsSchema,
      { terminal: { scrollback: 999_999_999 } },
      'terminal.scrollback must be at most 200000, is 999999999',
    ],
    [settingsSchema, { terminal: { scrollback: -1 } }, 'terminal.scrollback must be at least 0, is -1'],
    [settingsSchema, { terminal: { scrollback: 1.5 } }, 'terminal.scrollback must be a whole number, is 1.5'],
    [settingsSchema, { terminal: { scrollback: '9' } }, 'terminal.scrollback must be a number, is "9"'],
    [settingsSchema, { terminal: { scrollback: Number.NaN } }, 'terminal.scrollback must be a number'],
    [settingsSchema, { terminal: { bell: 'loud' } }, 'terminal.bell must be one of "mark", "off", is "loud"'],
    [settingsSchema, { terminal: { scrolback: 9 } }, 'terminal.scrolback is not a field that exists here'],
    [settingsSchema, { terminal: { copyOnSelect: 1 } }, 'terminal.copyOnSelect must be true or false, is 1'],
    [settingsSchema, { terminal: [] }, 'terminal must be an object, is a list'],
    [
      settingsSchema,
      { profiles: [] },
      'profiles must have at least 1 entry, has 0; defaultProfile must be the id of a sandbox profile',
    ],
    [settingsSchema, { profiles: [{ id: 'a' }], defaultProfile: 'a' }, 'profiles[0].name is missing'],
    [
      settingsSchema,
      withProfile({ name: 'x'.repeat(61) }),
      'profiles[0].name must be at most 60 characters long, has 61',
    ],
    [
      settingsSchema,
      withProfile({ network: '\u202e' }),
      'profiles[0].network must be one of "none", "host", is "U+202E"',
    ],
    [
      settingsSchema,
      withProfile({ environment: { '1a': 'x' } }),
      'profiles[0].environment.1a has a name that must be a variable name',
    ],
    [settingsSchema, { version: 2 }, 'version must be 1, is 2'],
    [settingsSchema, { defaultProfile: 'x' }, 'defaultProfile must be the id of a sandbox profile'],
    [requests['session.break'].params, { sessionId: 'x' }, 'sessionId must be a UUID, is "x"'],
    [
      requests['folder.check'].params,
      { path: 'a\0b', use: 'project' },
      'path must not contain a NUL character',
    ],
    [clientMessageSchema, { type: 'shout' }, 'type must be one of the known kinds, is "shout"'],
    [clientMessageSchema, null, 'must be an object, is null'],
  ])('%#', (schema, input, expected) => {
    expect(words(schema, input)).toBe(expected);
  });

  it('cuts long values and never shows a secret', () => {
    expect(words(settingsSchema, { terminal: { bell: 'x'.repeat(10_000) } }).length).toBeLessThan(120);
    expect(words(settingsSchema, withProfile({ environment: { TOKEN: 12345 } }))).toBe(
      'profiles[0].environment.TOKEN must be a string',
    );
    expect(words(clientMessageSchema, { type: 'hello', protocol: 'x', token: 12345 })).toBe(
      'token must be a string',
    );
  });

  it(`lists at most ${PROBLEMS_LISTED_MAX} problems and counts the rest`, () => {
    const input = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`unknown${n}`, n]));
    const parsed = settingsSchema.safeParse(input);
    const problems = describeIssues(parsed.error?.issues ?? [], input);
    expect(problems).toHaveLength(PROBLEMS_LISTED_MAX + 1);
    expect(problems.at(-1)?.message).toBe(`and ${1000 - PROBLEMS_LISTED_MAX} more problems`);
  });
});
