import { beforeEach, describe, expect, it } from 'vitest';
import { APPROVAL, DECISION_LIFETIME_MS } from '../../shared/governed/limits.ts';
import { profileSchema } from '../../shared/settings/schema.ts';
import { ApprovalQueue } from '../approvals/approval-queue.ts';
import { approveOldest, untilAsked } from '../approvals/testing/approve.ts';
import { MemoryAuditLog } from '../approvals/testing/memory-audit-log.ts';
import { GovernedBench, MANIFEST } from './controller/testing/governed-bench.ts';
import { GovernedPane } from './governed-pane.ts';

const DAY_MS = 86_400_000;

let bench: GovernedBench;
let audit: MemoryAuditLog;
let queue: ApprovalQueue;
let pane: GovernedPane;
beforeEach(() => {
  bench = new GovernedBench();
  audit = new MemoryAuditLog();
  queue = new ApprovalQueue({ audit, clock: bench.clock });
  const commands = MANIFEST.commands.map((command) => ({ ...command, needsApproval: true }));
  pane = new GovernedPane(
    {
      controller: bench.controller,
      clock: bench.clock,
      policies: { decide: () => ({ allowed: true, text: '', policies: [] }) },
      approvals: queue,
      pendingApproval: () => null,
      audit,
      grants: {
        prepare: () => {
          throw new Error('This manifest grants no files.');
        },
      },
    },
    {
      profile: profileSchema.parse({ id: 'test', name: 'Test' }),
      root: null,
      loaded: {
        manifest: { ...MANIFEST, commands },
        file: '/tools/box.clad.toml',
        origin: 'user',
        digest: 'a'.repeat(64),
        warnings: [],
      },
      project: { folder: '/', scope: null },
      principalId: 'someone',
      sink: { output: () => {}, state: () => {}, notice: () => {} },
      status: () => {},
    },
  );
});

async function runGo() {
  const result = pane.run({ command: 'go', text: 'go', args: {} });
  await untilAsked(queue);
  return { result };
}

describe('B27 a decision about a command', () => {
  it.each([DAY_MS, -DAY_MS])('stays good when the wall clock jumps by %d ms', async (jump) => {
    const { result } = await runGo();
    bench.clock.wallOffset += jump;
    await approveOldest(queue, bench.clock);
    bench.clock.wallOffset += jump;
    await bench.clock.advance(100);
    expect(await result).toMatchObject({ ok: true, value: { results: { output: expect.anything() } } });
  });

  it('A6 that has become old is not revived by a wall clock that goes back', async () => {
    const { result } = await runGo();
    const append = audit.append.bind(audit);
    audit.append = async (record) => {
      if (record.event === 'call.dispatched') {
        bench.clock.jump(DECISION_LIFETIME_MS);
        bench.clock.wallOffset -= DAY_MS;
      }
      await append(record);
    };
    await approveOldest(queue, bench.clock);
    await bench.clock.advance(100);
    expect(await result).toMatchObject({ ok: false, error: { rule: 'X1' } });
    expect(bench.workers.started).toEqual([]);
  });

  it('A5 expires by the steady clock: nothing runs, and the log says so', async () => {
    const { result } = await runGo();
    bench.clock.wallOffset += DAY_MS;
    await bench.clock.advance(APPROVAL.waitMs - 1);
    expect(queue.waiting()).toHaveLength(1);
    bench.clock.wallOffset -= 2 * DAY_MS;
    await bench.clock.advance(1);
    expect(await result).toMatchObject({ ok: false, error: { rule: 'A5', text: 'timeout' } });
    expect(audit.events).toEqual(['approval.requested', 'approval.expired']);
    expect(bench.workers.started).toEqual([]);
  });
});
