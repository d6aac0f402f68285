import { expect, it } from 'vitest';
import { type EndFacts, outcomeOf } from './outcome.ts';

const exited = {
  Status: 'exited',
  Running: false,
  OOMKilled: false,
  ExitCode: 42,
  Error: null,
};
const facts = (rest: Partial<EndFacts> = {}): EndFacts => ({
  ...{ waited: 42, waitFailure: null, state: exited },
  ...rest,
});

it('B08 takes the code of a container that has ended', () => {
  expect(outcomeOf(facts())).toEqual({ kind: 'exited', code: 42 });
  expect(outcomeOf(facts({ waited: null }))).toEqual({ kind: 'exited', code: 42 });
});

it('B08 waits for a code that is not there yet, and takes none for zero', () => {
  expect(outcomeOf(facts({ state: { ...exited, ExitCode: null } }))).toBeNull();
  for (const Status of ['created', 'stopping', 'stopped', null])
    expect(outcomeOf(facts({ waited: null, state: { ...exited, Status, ExitCode: 0 } }))).toBeNull();
});

it('says that memory ran out only of a program that was killed', () => {
  const killed = { ...exited, ExitCode: 137, OOMKilled: true };
  expect(outcomeOf(facts({ waited: 137, state: killed }))).toEqual({
    kind: 'signalled',
    signal: 9,
    name: 'SIGKILL, out of memory',
  });
  expect(outcomeOf(facts({ state: { ...exited, OOMKilled: true } }))).toEqual({ kind: 'exited', code: 42 });
});

it.each([
  ['the connection was lost while it ran', { state: { ...exited, Running: true } }, 'lost while it ran'],
  ['somebody removed it', { state: null }, 'removed by somebody else'],
  ['there are two codes', { waited: 0 }, 'two exit statuses'],
  ['the daemon reports an error', { state: { ...exited, Error: 'broken' } }, 'broken'],
  ['the code is none', { waited: -1, state: { ...exited, ExitCode: -1 } }, 'exit status -1'],
])('ST-22 is unknown when %s', (_, rest, words) => {
  const outcome = outcomeOf(facts(rest));
  expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining(words) });
});
