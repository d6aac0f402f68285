import { afterEach, expect, it } from 'vitest';
import { RELEASE } from '../../../shared/terminal/limits.ts';
import { releaseProgram } from './release.ts';
import { CONTAINER_ID, found, HelperDaemon, type Says } from './testing/helper-daemon.ts';

const open: HelperDaemon[] = [];
const daemonThat = async (says: Says) => {
  const daemon = await HelperDaemon.start(says);
  open.push(daemon);
  const { endpoint, acts } = daemon;
  const identity = {
    kind: 'program',
    container: CONTAINER_ID,
    exec: CONTAINER_ID,
    mark: 'mark',
    endpoint,
  } as const;
  return {
    acts,
    release: async () => releaseProgram(await daemon.client(), identity),
    signals: () => acts.map(({ act }) => act).filter((act) => act !== 'look'),
  };
};
afterEach(() => {
  for (const daemon of open.splice(0)) daemon.close();
});

it('ST-24 a process that outlives its terminal has its graces before it is killed', async () => {
  let isKilled = false;
  const daemon = await daemonThat((act) => {
    isKilled ||= act === 'KILL';
    return found(isKilled && act === 'look' ? 0 : 1);
  });
  const { removed, steps } = await daemon.release();
  expect(removed).toBe(true);
  expect(steps.map(({ step }) => step)).toEqual(['SIGHUP', 'SIGTERM', 'SIGKILL', 'no process is left']);
  const at = Object.fromEntries(
    daemon.acts.filter(({ act }) => act !== 'look').map((one) => [one.act, one.atMs]),
  );
  expect((at['TERM'] ?? 0) - (at['HUP'] ?? 0)).toBeGreaterThanOrEqual(RELEASE.hangupGraceMs);
  expect((at['KILL'] ?? 0) - (at['TERM'] ?? 0)).toBeGreaterThanOrEqual(RELEASE.terminateGraceMs);
});

it('ST-24 a grace ends as soon as no process is left', async () => {
  const daemon = await daemonThat((act) => found(act === 'HUP' ? 2 : 0));
  const { removed, steps } = await daemon.release();
  expect(removed).toBe(true);
  expect(steps).toEqual([{ step: 'SIGHUP', detail: '2 processes' }, { step: 'no process is left' }]);
  expect(daemon.signals()).toEqual(['HUP']);
});

it('ST-24 what a look did not get through is killed, and is gone when the next one says so', async () => {
  const daemon = await daemonThat((act) => (act === 'HUP' ? '' : found(act === 'KILL' ? 900 : 0)));
  const { removed, steps } = await daemon.release();
  expect(removed).toBe(true);
  expect(daemon.signals()).toEqual(['HUP', 'KILL']);
  expect(steps[0]).toEqual({ step: 'SIGHUP', detail: 'the look at its processes did not finish' });
});

it.each([
  ['', 'the look at its processes did not finish'],
  ['found no grep\r\n', 'it has no grep to look with'],
])(
  'ST-25 what a helper leaves open with %j is killed and not confirmed, and why is said',
  async (said, why) => {
    const daemon = await daemonThat(() => said);
    const { removed, reason } = await daemon.release();
    expect(removed).toBe(false);
    expect(daemon.signals()).toEqual(['HUP', 'KILL']);
    expect(reason).toBe(
      `Whether anything of the session is left in container ${'a'.repeat(12)} cannot be told: ${why}.`,
    );
  },
);

it('ST-24 what became another user is looked for as that user, and ended', async () => {
  let isEnded = false;
  const daemon = await daemonThat((act, user) => {
    if (user === null) return isEnded ? found(0) : 'found 0 processes 99:99\r\n';
    isEnded ||= act === 'HUP';
    return found(1);
  });
  const { removed, steps } = await daemon.release();
  expect(removed).toBe(true);
  expect(steps).toEqual([{ step: 'SIGHUP', detail: '1 processes' }, { step: 'no process is left' }]);
  expect(daemon.acts.slice(0, 2)).toMatchObject([
    { act: 'HUP', user: null },
    { act: 'HUP', user: '99:99' },
  ]);
});

it.each([
  ['99:99', 'processes of 99:99 that began since cannot be looked at'],
  ['1:1 2:2 3:3 4:4 5:5', 'too many users have begun processes since'],
])('ST-25 what not even its own user may look at is not confirmed: %s', async (users, why) => {
  const daemon = await daemonThat(() => `found 0 processes ${users}\r\n`);
  expect(await daemon.release()).toMatchObject({
    removed: false,
    reason: `Whether anything of the session is left in container ${'a'.repeat(12)} cannot be told: ${why}.`,
  });
});
