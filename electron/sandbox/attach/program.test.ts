import { afterEach, expect, it } from 'vitest';
import { profileOf } from '../testing/sandbox-shell.ts';
import { startProgram } from './program.ts';
import { CONTAINER_ID, HelperDaemon, type Says } from './testing/helper-daemon.ts';

const SIZE = { cols: 80, rows: 24 };

const open: HelperDaemon[] = [];
afterEach(() => {
  for (const daemon of open.splice(0)) daemon.close();
});

async function openingAt(says: Says, exec?: object, limitMs?: number) {
  const daemon = await HelperDaemon.start(says);
  open.push(daemon);
  if (exec) daemon.exec = exec;
  const spec = { sessionId: 's', profile: profileOf(['/bin/sh']), project: null };
  const { signal } = new AbortController();
  const client = await daemon.client();
  const opening = startProgram(client, CONTAINER_ID, spec, SIZE, signal, limitMs).catch(
    (error: unknown) => error,
  );
  return { daemon, opening };
}

const RUBBISH: Says = (act) => (act === 'program' ? 'rubbish\r\n' : 'found no grep\r\n');

it('ST-25 an opening whose shell may be left says so, and by what it is found again', async () => {
  const { daemon, opening } = await openingAt(RUBBISH);
  expect(await opening).toMatchObject({
    tag: 'open-failed',
    message: expect.stringContaining('did not say what it should: rubbish'),
    left: `Whether anything of the session is left in container ${'a'.repeat(12)} cannot be told: it has no grep to look with.`,
    leftIdentity: {
      kind: 'program',
      container: CONTAINER_ID,
      mark: expect.any(String),
      endpoint: daemon.endpoint,
    },
  });
});

it('ST-6 an opening whose shell has ended leaves nothing, and nobody has to look for it', async () => {
  const { daemon, opening } = await openingAt(RUBBISH, { Running: false, ExitCode: 125 });
  expect(await opening).toMatchObject({ tag: 'open-failed', left: null, leftIdentity: null });
  expect(daemon.acts.map(({ act }) => act)).toEqual(['program']);
});

it('ST-25 what a daemon has not started in time it may yet start', async () => {
  const { opening } = await openingAt(() => null, {}, 20);
  expect(await opening).toMatchObject({
    message: expect.stringContaining('did not start the program within 20 ms'),
    left: 'It was still being opened: a shell of it, "airlock-gate", may wait in its container.',
    leftIdentity: { kind: 'program' },
  });
});
