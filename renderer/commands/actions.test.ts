import { expect, it } from 'vitest';
import { createActions } from './actions.ts';
import { CATALOGUE } from './catalogue.ts';

it('has an action for every command of the catalogue, and none besides', () => {
  // Making the actions only binds them to the services; nothing here runs one.
  const actions = createActions({} as Parameters<typeof createActions>[0]);
  expect(Object.keys(actions).toSorted()).toEqual(CATALOGUE.map(({ id }) => id).toSorted());
});
