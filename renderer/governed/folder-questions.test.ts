import { expect, it } from 'vitest';
import type { Client } from '../connection/client.ts';
import { FolderQuestions } from './folder-questions.ts';

/** A field whose answers are the test's: each folder's is given by its path. */
function field() {
  const answers = new Map<string, PromiseWithResolvers<unknown>>();
  const request = (_verb: string, { path }: { path: string }) => {
    const answer = Promise.withResolvers<unknown>();
    answers.set(path, answer);
    return answer.promise;
  };
  const questions = new FolderQuestions({ request } as unknown as Client);
  const usable = (path: string) => answers.get(path)?.resolve({ ok: true, value: { usable: true, path } });
  const refused = (path: string, reason: string) =>
    answers.get(path)?.resolve({ ok: true, value: { usable: false, reason } });
  return { questions, usable, refused };
}

it('the answer to the last question counts, whichever comes last', async () => {
  const { questions, usable } = field();
  const slow = questions.ask('/slow');
  const other = questions.ask('/other');
  expect(questions.underWay).toBe('/other');
  usable('/other');
  expect(await other).toEqual({ ok: true, value: '/other' });
  usable('/slow');
  expect(await slow).toBeNull();
  expect(questions.underWay).toBeNull();
});

it('a question that was dropped has no answer; a refusal says why', async () => {
  const { questions, usable, refused } = field();
  const dropped = questions.ask('/typed');
  questions.drop();
  usable('/typed');
  expect(await dropped).toBeNull();
  const asked = questions.ask('/none');
  refused('/none', 'There is no such folder.');
  expect(await asked).toEqual({ ok: false, error: 'There is no such folder.' });
});
