import { expect, it } from 'vitest';
import { WEBGL_CONTEXTS_MAX } from '../../shared/terminal/limits.ts';
import { WebglBudget } from './webgl-budget.ts';

it('gives out a bounded number of contexts, and each again when it came back', () => {
  const budget = new WebglBudget();
  const holders = Array.from({ length: WEBGL_CONTEXTS_MAX }, () => ({}));
  for (const holder of holders) expect(budget.acquire(holder)).toBe(true);
  for (const holder of holders) expect(budget.acquire(holder)).toBe(true);
  const late = {};
  expect(budget.acquire(late)).toBe(false);
  budget.release(late);
  expect(budget.acquire(late)).toBe(false);
  budget.release(holders[0] ?? {});
  expect(budget.acquire(late)).toBe(true);
});
