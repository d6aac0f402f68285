import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DECISION_LIFETIME_MS } from '../../shared/governed/limits.ts';
import { ApprovalQueue } from '../approvals/approval-queue.ts';
import { approveOldest } from '../approvals/testing/approve.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { eventually } from '../connection/testing/eventually.ts';
import type { PublicationStep } from '../publication/publish-file.ts';
import { Workbench } from '../publication/testing/workbench.ts';
import { FakeClock } from './controller/testing/fake-clock.ts';
import { SCRIPTED_POSTURE } from './controller/testing/scripted-workers.ts';
import { ShellPublication } from './shell-publication.ts';

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

let bench: Workbench;
let clock: FakeClock;
let queue: ApprovalQueue;
let publication: ShellPublication;
beforeEach(async () => {
  bench = await new Workbench().start();
  clock = new FakeClock();
  queue = new ApprovalQueue({ audit: bench.audit, clock });
  publication = new ShellPublication(bench.store, queue, clock, () => null);
  bench.write('out/a', 'x');
});
afterEach(() => bench.end());

/** Publishes out/a, and does something when it has come to a step. */
async function publish(step: PublicationStep, then: () => void) {
  bench.onStep = (now) => {
    if (now === step) then();
  };
  const shell = { id: 'shell-1', posture: SCRIPTED_POSTURE, outFolder: bench.out };
  const published = publication.begin(shell, 'a', bench.path('data/a'), never);
  await approveOldest(queue, clock);
  return published;
}

it.each([DAY_MS, -DAY_MS])('B27 a wall clock that jumps by %d ms takes no decision away', async (jump) => {
  const published = await publish('candidate-written', () => {
    clock.wallOffset += jump;
  });
  expect(published).toMatchObject({ ok: true, value: { state: 'published' } });
  expect(readFileSync(bench.path('data/a'), 'utf8')).toBe('x');
  expect(await verifyAudit(bench.dataDir)).toMatchObject({ ok: true, receipts: 1 });
});

it('a request names the file that is made and its folder first, then where it comes from; too long it is cut at its end', async () => {
  const titleOf = async (path: string, destination: string) => {
    const shell = { id: 'shell-1', posture: SCRIPTED_POSTURE, outFolder: bench.out };
    const cancel = new AbortController();
    const asked = publication.begin(shell, path, destination, cancel.signal);
    await eventually(() => expect(queue.waiting()).toHaveLength(1));
    const title = queue.waiting()[0]?.request.title;
    cancel.abort();
    await asked;
    return title;
  };
  expect(await titleOf('a', bench.path('data/a'))).toBe(`Publish a into ${bench.path('data')}`);
  bench.write('out/q3/report.csv', 'x');
  expect(await titleOf('q3/report.csv', bench.path('data/b'))).toBe(
    `Publish b into ${bench.path('data')}, from /out/q3/report.csv`,
  );
  const deep = `${'d'.repeat(120)}/${'e'.repeat(120)}`;
  bench.write(`out/${deep}/a`, 'x');
  const title = await titleOf(`${deep}/a`, bench.path('data/c'));
  expect(title).toMatch(/^Publish c into \/.*\/data, from \/out\/d.*…$/);
  expect(title?.length).toBe(200);
});

it('X2 a log that takes neither the question nor the refusal: nothing is published, and the sealed file is listed', async () => {
  const append = bench.audit.append.bind(bench.audit);
  bench.audit.append = async (record) => {
    if (record.event !== 'publication.sealed') throw new Error('disk full');
    await append(record);
  };
  const shell = { id: 'shell-1', posture: SCRIPTED_POSTURE, outFolder: bench.out };
  const begun = await publication.begin(shell, 'a', bench.path('data/a'), never);
  const reason = 'approval request could not be recorded';
  expect(begun).toMatchObject({ ok: false, error: { message: `Nothing was published: ${reason}.` } });
  const [listed] = bench.store.list();
  if (listed?.state !== 'failed') return expect.fail('nothing is listed');
  expect(listed.reason).toBe(reason);
  expect(readFileSync(listed.kept, 'utf8')).toBe('x');
});

it('F4 a retry that is refused says why, not what the first attempt failed of', async () => {
  const first = await publish('candidate-written', () => bench.write('data/a', 'another'));
  if (!first.ok || first.value.state !== 'failed') return expect.fail('it was published');
  const { id, reason } = first.value;
  bench.write('data/b', 'another');
  expect(await publication.retry(id, bench.path('data/b'), never)).toMatchObject({
    ok: false,
    error: { details: { rule: 'F4' }, message: expect.stringContaining('already exists') },
  });
  expect(bench.store.list()).toMatchObject([{ state: 'failed', id, reason }]);
  bench.onStep = () => {};
  const retried = publication.retry(id, bench.path('data/c'), never);
  await approveOldest(queue, clock);
  expect(await retried).toMatchObject({ ok: true, value: { state: 'published' } });
});

it('A6 a decision that is used in time stays good, however long the disk takes for the copy', async () => {
  const published = await publish('candidate-written', () => clock.jump(DECISION_LIFETIME_MS));
  expect(published).toMatchObject({ ok: true, value: { state: 'published' } });
  expect(readFileSync(bench.path('data/a'), 'utf8')).toBe('x');
});

it('B27 A6 a decision that has become old is not revived by a wall clock that goes back', async () => {
  const append = bench.audit.append.bind(bench.audit);
  bench.audit.append = async (record) => {
    await append(record);
    if (record.event !== 'publication.started') return;
    clock.jump(DECISION_LIFETIME_MS);
    clock.wallOffset -= DAY_MS;
  };
  const shell = { id: 'shell-1', posture: SCRIPTED_POSTURE, outFolder: bench.out };
  const begun = publication.begin(shell, 'a', bench.path('data/a'), never);
  await approveOldest(queue, clock);
  const published = await begun;
  expect(published).toMatchObject({
    ok: true,
    value: { state: 'failed', reason: 'effect journal authority is closed or expired' },
  });
  expect(() => readFileSync(bench.path('data/a'))).toThrow('ENOENT');
});
