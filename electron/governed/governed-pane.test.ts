import { beforeEach, describe, expect, it } from 'vitest';
import { governedFailureSchema } from '../../shared/governed/call.ts';
import { APPROVAL, DECISION_LIFETIME_MS } from '../../shared/governed/limits.ts';
import type { Manifest } from '../../shared/governed/manifest.ts';
import { type Profile, profileSchema } from '../../shared/settings/schema.ts';
import { OUTPUT_CREDIT } from '../../shared/terminal/limits.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';
import { ApprovalQueue } from '../approvals/approval-queue.ts';
import { ADA, approveOldest, untilAsked } from '../approvals/testing/approve.ts';
import { MemoryAuditLog } from '../approvals/testing/memory-audit-log.ts';
import { MemoryRecordings } from '../session/testing/memory-recordings.ts';
import { turns } from './controller/testing/fake-clock.ts';
import { GovernedBench, MANIFEST } from './controller/testing/governed-bench.ts';
import { GovernedPane } from './governed-pane.ts';
import type { FilePlan, Policies, PolicyCall, PublicationAuthority } from './ports.ts';

const DAY_MS = 86_400_000;
const PERMITTED = { allowed: true, text: 'permitted', policies: ['p'] };
const DENIED = { allowed: false, text: 'Cedar denied it', policies: [] };

let bench: GovernedBench;
let audit: MemoryAuditLog;
let queue: ApprovalQueue;
let recordings: MemoryRecordings;
let pane: GovernedPane;
let states: SessionState[];
/** What the page got: output, and the routes between it. */
let shown: string[];
/** What the policies were asked, and how they answer. */
let decided: PolicyCall[];
let decide: Policies['decide'];
/** The files of every call with a grant. */
let prepare: () => Promise<FilePlan>;
beforeEach(() => {
  bench = new GovernedBench();
  audit = new MemoryAuditLog();
  queue = new ApprovalQueue({ audit, clock: bench.clock });
  recordings = new MemoryRecordings();
  decided = [];
  decide = () => PERMITTED;
  prepare = async () => bench.files();
  pane = paneOf();
});

/** `asking` says whether its commands need a person. */
function paneOf(
  changes: Partial<Manifest> = {},
  asking = true,
  network: Profile['network'] = 'none',
): GovernedPane {
  const told: SessionState[] = [];
  const seen: string[] = [];
  states = told;
  shown = seen;
  const commands = MANIFEST.commands.map((command) => ({ ...command, needsApproval: asking }));
  return new GovernedPane(
    {
      controller: bench.controller,
      clock: bench.clock,
      policies: {
        decide: (call) => {
          decided.push(call);
          return decide(call);
        },
      },
      approvals: queue,
      pendingApproval: (sessionId) =>
        queue.waiting().find(({ request }) => request.sessionId === sessionId)?.request.id ?? null,
      audit,
      grants: { prepare: () => prepare() },
      recordings,
    },
    {
      profile: profileSchema.parse({ id: 'test', name: 'Test', secondLook: true, network }),
      root: '/project',
      loaded: {
        manifest: { ...MANIFEST, commands, ...changes },
        file: '/tools/box.clad.toml',
        origin: 'user',
        digest: 'a'.repeat(64),
        warnings: [],
      },
      project: { folder: '/', scope: null },
      principalId: 'someone',
      sink: {
        output: (bytes) => seen.push(Buffer.from(bytes).toString()),
        state: (state) => {
          told.push(state);
          if (state.kind === 'running') seen.push(state.route);
        },
        notice: () => {},
      },
      status: () => {},
    },
  );
}

const go = () => pane.run({ command: 'go', text: 'go', args: {} });
const save = () => pane.run({ command: 'save', text: 'save', args: {} });
const WITH_FILE = { filesystem: { read: [], create: 'out.csv', maxFileBytes: 1024 } };
const routes = () => states.flatMap((state) => (state.kind === 'running' ? [state.route] : []));

async function runGo() {
  const result = go();
  await untilAsked(queue);
  return { result };
}

describe('one command, in the order of A2 and E11', () => {
  it('what a policy forbids nobody is asked about: no worker, the session lives, the log says why', async () => {
    decide = () => DENIED;
    expect(await go()).toEqual({
      ok: false,
      error: { rule: 'C6', text: 'Cedar denied it', session: 'lives' },
    });
    expect(audit.records).toMatchObject([
      { event: 'call.denied', data: { tool: 'box.go', reason: 'Cedar denied it' } },
    ]);
    expect(bench.workers.started).toEqual([]);
  });

  it('C6 a denial names the policies that forbid, and so does the log', async () => {
    decide = () => ({ ...DENIED, policies: ['mine.cedar#no-go', 'mine.cedar#2'] });
    const text = 'Cedar denied it; forbidden by mine.cedar#no-go, mine.cedar#2';
    expect(await go()).toMatchObject({ ok: false, error: { rule: 'C6', text } });
    expect(audit.records).toMatchObject([{ data: { policies: ['mine.cedar#no-go', 'mine.cedar#2'] } }]);
  });

  it('A1 C4 the policy is asked as if approved, and again with the approval, which cannot override it', async () => {
    decide = () => (decided.length === 1 ? PERMITTED : DENIED);
    const { result } = await runGo();
    expect(decided).toHaveLength(1);
    await approveOldest(queue, bench.clock);
    expect(await result).toMatchObject({ ok: false, error: { rule: 'C6' } });
    const [asIf, after] = decided;
    expect([asIf?.approvedFingerprint, after?.approvedFingerprint]).toEqual([
      asIf?.fingerprint,
      asIf?.fingerprint,
    ]);
    expect(audit.events).toEqual(['approval.requested', 'approval.approved', 'call.denied']);
    expect(bench.workers.started).toEqual([]);
  });

  it('A1 C4 what needs no person is never said to be approved', async () => {
    pane = paneOf({}, false);
    const result = go();
    await bench.clock.advance(100);
    expect(await result).toMatchObject({ ok: true });
    expect(decided.map(({ approvedFingerprint }) => approvedFingerprint)).toEqual([null, null]);
    expect(audit.records.find(({ event }) => event === 'call.dispatched')?.data['approvalId']).toBeNull();
  });

  it('E11 A10 is recorded with its decision before anything starts, and when it is over', async () => {
    const { result } = await runGo();
    const recorded: string[][] = [];
    bench.workers.onStart = async () => {
      recorded.push([...audit.events]);
    };
    await approveOldest(queue, bench.clock);
    await bench.clock.advance(100);
    expect(await result).toMatchObject({ ok: true });
    expect(recorded).toEqual([['approval.requested', 'approval.approved', 'call.dispatched']]);
    expect(audit.records.at(-1)).toMatchObject({
      event: 'call.finished',
      data: { tool: 'box.go', execution_status: 'prompt_observed', approvalId: expect.any(String) },
    });
  });

  it('E11 X2 what cannot be recorded is not dispatched, though it is approved', async () => {
    audit.failing.add('call.dispatched');
    const { result } = await runGo();
    await approveOldest(queue, bench.clock);
    const text = 'not recorded in the audit log, so not run';
    expect(await result).toMatchObject({ ok: false, error: { rule: 'X2', text, session: 'lives' } });
    expect(bench.workers.started).toEqual([]);
    expect(recordings.moments).toMatchObject([
      { kind: 'command-start' },
      { kind: 'command-end', status: text },
    ]);
  });

  it('T3 what cannot be recorded in the transcript is not dispatched, and ends the session', async () => {
    recordings.failure = 'The disk is full.';
    const { result } = await runGo();
    await approveOldest(queue, bench.clock);
    const refused = await result;
    expect(refused).toMatchObject({ ok: false, error: { rule: 'T3', session: 'ended' } });
    // Or else the page could not tell it from an unknown outcome.
    expect(governedFailureSchema.safeParse(!refused.ok && refused.error).success).toBe(true);
    expect(bench.workers.started).toEqual([]);
    expect(audit.events).not.toContain('call.dispatched');
  });

  it('E12 what fails after its dispatch has ended the session, and the log keeps the error', async () => {
    pane = paneOf({}, false);
    bench.workers.onStarted = (worker) => worker.exit();
    expect(await go()).toMatchObject({ ok: false, error: { rule: 'X31', session: 'ended' } });
    expect(audit.records.filter(({ event }) => event.startsWith('call.'))).toMatchObject([
      { event: 'call.dispatched' },
      { event: 'call.finished', data: { error: { rule: 'X31' } } },
    ]);
  });

  it.each([
    ['tool.timeout_seconds', 20_000, true, 20_000],
    ['tool.timeout_seconds, without a person', 40_000, false, 40_000],
    ['the decision', 40_000, true, DECISION_LIFETIME_MS],
  ])('E20 A6 its time ends with %s', async (_, timeoutMs, asking, ends) => {
    const session = { ...MANIFEST.session, startupTimeoutMs: 50_000, outputWaitMs: 20_000 };
    pane = paneOf({ timeoutMs, session }, asking);
    bench.workers.onStarted = (worker) => worker.print('> ');
    let over = false;
    const result = go().then((value) => {
      over = true;
      return value;
    });
    if (asking) await approveOldest(queue, bench.clock);
    await bench.clock.advance(ends - 1);
    expect(over).toBe(false);
    await bench.clock.advance(1);
    expect(await result).toMatchObject({ ok: false, error: { rule: 'X22' } });
  });

  it('ST-19 the route is the prompt while a person is asked, and the sandbox before and after', async () => {
    await turns();
    expect(routes()).toEqual(['sandbox']);
    const { result } = await runGo();
    expect(routes()).toEqual(['sandbox', 'prompt']);
    expect(pane.status.activity).toMatchObject({ kind: 'waiting-for-approval', command: 'box.go' });
    pane.cancel();
    expect(await result).toMatchObject({ ok: false, error: { rule: 'A8', session: 'lives' } });
    expect(routes()).toEqual(['sandbox', 'prompt', 'sandbox']);
    expect(pane.status.activity).toMatchObject({ kind: 'idle' });
  });

  /** A session whose worker runs, while a person is asked about its second command. */
  async function askedSecond(): Promise<{ second: ReturnType<typeof go> }> {
    const commands = MANIFEST.commands.map((command) => ({
      ...command,
      needsApproval: command.name === 'say',
    }));
    pane = paneOf({ commands });
    const first = go();
    await bench.clock.advance(100);
    expect(await first).toMatchObject({ ok: true });
    shown.length = 0;
    const second = pane.run({ command: 'say', text: 'say hello', args: {} });
    await untilAsked(queue);
    return { second };
  }

  it('ST-18 ST-20 while a person is asked the page gets no output; afterwards all of it, in order', async () => {
    const { second } = await askedSecond();
    bench.workers.worker.print('one');
    bench.workers.worker.print('two');
    await turns();
    expect(shown).toEqual(['prompt']);
    pane.cancel();
    expect(await second).toMatchObject({ ok: false });
    expect(shown).toEqual(['prompt', 'sandbox', 'one', 'two']);
  });

  it('ST-21 what is held when the session ends comes before its end', async () => {
    const { second } = await askedSecond();
    bench.workers.worker.print('last words');
    pane.end('user');
    expect(await second).toMatchObject({ ok: false });
    await pane.closed;
    expect(shown).toEqual(['prompt', 'last words']);
  });

  it.each([
    ['none', 'Runs in the sandbox. Nothing leaves it.'],
    ['host', 'Runs in the sandbox; it can reach the network.'],
  ] as const)('A10 the request says what may leave the sandbox: network %s', async (network, words) => {
    pane = paneOf({}, true, network);
    await runGo();
    const [waiting] = queue.waiting();
    expect(JSON.parse(waiting?.request.payload ?? '').effects).toEqual([words]);
  });

  it('E45 nothing starts for a session that ended while its dispatch was recorded', async () => {
    pane = paneOf({}, false);
    const append = audit.append.bind(audit);
    audit.append = async (record) => {
      await append(record);
      if (record.event === 'call.dispatched') pane.end('client-lost');
    };
    const result = go();
    await bench.clock.advance(100);
    expect(await result).toMatchObject({ ok: false, error: { rule: 'X17' } });
    await pane.closed;
    expect(bench.workers.started).toEqual([]);
    expect(bench.controller.sessions).toEqual([]);
    expect(audit.events.filter((event) => event.startsWith('call.'))).toEqual([
      'call.dispatched',
      'call.finished',
    ]);
  });
});

describe('F8 the word of a finalizing command', () => {
  /** Plays the publication, with the files of the command in its hands. */
  async function publishing(play: (authority: PublicationAuthority) => Promise<void>): Promise<void> {
    pane = paneOf(WITH_FILE, false);
    const files = bench.files();
    prepare = async () => files;
    const played = Promise.withResolvers<void>();
    files.onPublish = (authority) => play(authority).then(played.resolve, played.reject);
    const result = save();
    await bench.clock.advance(100);
    await played.promise;
    await result;
  }
  const SEALED = { path: 'out.csv', destination: '/project/out.csv', bytes: 3, sha256: 'a'.repeat(64) };

  it('holds no more once the session is ended', () =>
    publishing(async (authority) => {
      expect(authority.stillHolds()).toBe(true);
      pane.end('user');
      expect(authority.stillHolds()).toBe(false);
    }));

  it('nor does that of a second look', () =>
    publishing(async (authority) => {
      const second = authority.secondLook?.(SEALED);
      await approveOldest(queue, bench.clock);
      expect(await second).toMatchObject({ approver: ADA });
      expect(authority.stillHolds()).toBe(true);
      pane.end('user');
      expect(authority.stillHolds()).toBe(false);
    }));

  it.each([
    ['used in time stays good, however long the disk takes', true],
    ['not used in time is good no more', false],
  ])('A6 a second look %s', (_, inTime) =>
    publishing(async (authority) => {
      const second = authority.secondLook?.(SEALED);
      await approveOldest(queue, bench.clock);
      await second;
      if (inTime) expect(authority.stillHolds()).toBe(true);
      bench.clock.jump(DECISION_LIFETIME_MS);
      expect(authority.stillHolds()).toBe(inTime);
    }),
  );

  it('a second look that is taken back is none, and nobody is asked for one after the end', () =>
    publishing(async (authority) => {
      const second = authority.secondLook?.(SEALED);
      await untilAsked(queue);
      pane.cancel();
      expect(await second).toEqual({ outcome: 'cancelled', text: 'cancelled' });
      pane.end('user');
      expect(await authority.secondLook?.(SEALED)).toMatchObject({ outcome: 'cancelled' });
      expect(queue.waiting()).toHaveLength(0);
      expect(audit.events.filter((event) => event === 'approval.requested')).toHaveLength(1);
    }));
});

describe('several commands at once', () => {
  it('ST-19 the route is the prompt until the last of them is decided', async () => {
    await turns();
    const first = go();
    const second = go();
    await turns();
    expect(queue.waiting()).toHaveLength(2);
    const [oldest] = queue.waiting();
    if (oldest === undefined) throw new Error('Nobody is asked.');
    await queue.deny(oldest.request, '', ADA);
    expect(await first).toMatchObject({ ok: false, error: { rule: 'A8' } });
    expect(routes().at(-1)).toBe('prompt');
    expect(pane.status.activity).toMatchObject({ kind: 'waiting-for-approval' });
    pane.cancel();
    expect(await second).toMatchObject({ ok: false });
    expect(routes().at(-1)).toBe('sandbox');
  });

  it('A9 the end of the session takes all of their questions away', async () => {
    const results = [go(), go(), go()];
    await turns();
    expect(queue.waiting()).toHaveLength(3);
    pane.end('client-lost');
    await turns();
    expect(queue.waiting().length).toBe(0);
    for (const result of await Promise.all(results)) expect(result).toMatchObject({ ok: false });
    await pane.closed;
    expect(bench.workers.started).toEqual([]);
  });

  it('X38 cancelling stops all that were dispatched', async () => {
    pane = paneOf({}, false);
    bench.workers.onStarted = (worker) => worker.print('> ');
    const results = [go(), go()];
    await bench.clock.advance(100);
    pane.cancel();
    const rules = (await Promise.all(results)).map((result) => !result.ok && result.error.rule);
    expect(rules).toEqual(['X38', 'X27']);
  });
});

describe('X38 cancelling before the dispatch', () => {
  const CANCELLED = { ok: false, error: { rule: 'X38', session: 'lives' } };

  it('while the files are read: nobody is asked, nothing starts', async () => {
    pane = paneOf(WITH_FILE);
    const read = Promise.withResolvers<FilePlan>();
    prepare = () => read.promise;
    const result = save();
    pane.cancel();
    read.resolve(bench.files());
    expect(await result).toMatchObject(CANCELLED);
    expect(audit.events).toEqual([]);
    expect(bench.workers.started).toEqual([]);
  });

  it('while the dispatch is recorded: the log says that it is over', async () => {
    pane = paneOf({}, false);
    const append = audit.append.bind(audit);
    audit.append = async (record) => {
      await append(record);
      if (record.event === 'call.dispatched') pane.cancel();
    };
    expect(await go()).toMatchObject(CANCELLED);
    expect(bench.workers.started).toEqual([]);
    expect(audit.events).toEqual(['call.dispatched', 'call.finished']);
  });

  it('what is called off leaves the session as it is for the next command', async () => {
    pane = paneOf(WITH_FILE, false);
    const read = Promise.withResolvers<FilePlan>();
    prepare = () => read.promise;
    const result = go();
    pane.cancel();
    read.resolve(bench.files());
    expect(await result).toMatchObject(CANCELLED);
    const next = go();
    await bench.clock.advance(100);
    expect(await next).toMatchObject({ ok: true });
  });
});

it.each(['client-lost', 'user'] as const)(
  'A9 nobody is asked for a session that ended (%s) while the files of its command were read',
  async (cause) => {
    pane = paneOf(WITH_FILE);
    const read = Promise.withResolvers<FilePlan>();
    prepare = () => read.promise;
    const result = save();
    pane.end(cause);
    await pane.closed;
    read.resolve(bench.files());
    await turns();
    expect(queue.waiting().length).toBe(0);
    expect(await result).toMatchObject({ ok: false, error: { rule: 'X17' } });
    expect(states.at(-1)).toMatchObject({ kind: 'ended', cause });
  },
);

it.each(['client-lost', 'host-closing'] as const)(
  'ST-21 a session that ended with output that the page has not taken waits for it, but not once that is lost (%s)',
  async (cause) => {
    pane = paneOf({}, false);
    bench.controller.on('sessionChanged', (session) => pane.sessionChanged(session));
    bench.workers.onStarted = (worker) => {
      worker.print('> ');
      worker.answer = () => {
        worker.print('x'.repeat(OUTPUT_CREDIT.high + 1));
        return 'and this waits for the page';
      };
    };
    const result = go();
    await bench.clock.advance(100);
    expect(await result).toMatchObject({ ok: false, error: { session: 'ended' } });
    await turns();
    expect(states.at(-1)).toMatchObject({ kind: 'releasing', cause: 'program-ended' });
    pane.end(cause);
    await pane.closed;
    expect(states.at(-1)).toMatchObject({ kind: 'ended', cause: 'program-ended' });
  },
);

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
