import { expect, it } from 'vitest';
import { literalTexts } from './literal-texts.ts';

it.each([
  ['save-report', ['save-report']],
  ['rates|count', ['rates', 'count']],
  ['finished = 1', ['finished = 1']],
  ['a\\.b\\\\g', ['a.b\\g']],
  ['a\\|b', ['a|b']],
])('%s stands for plain texts', (pattern, texts) => expect(literalTexts(pattern)).toEqual(texts));

it.each(['add [A-Z]{1,40}', '.*', '(a|b)', 'a\\d', '^a$', 'a?', '', 'a|', 'a\\'])('%s does not', (pattern) =>
  expect(literalTexts(pattern)).toEqual([]),
);
