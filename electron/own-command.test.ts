import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { isCheckout, ownCommand } from './own-command.ts';

it('names its own commands as they are typed in a checkout, from wherever in it', () => {
  expect(isCheckout(import.meta.dirname)).toBe(true);
  expect(ownCommand('guest build')).toBe('npm run airlock -- guest build');
  expect(isCheckout(tmpdir())).toBe(false);
});
