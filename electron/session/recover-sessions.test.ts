import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../connection/testing/eventually.ts';
import type { RecoveryReport } from '../sandbox/engine.ts';
import { thisHost } from './host-identity.ts';
import { type LedgerHeader, parseLedger } from './ledger-entries.ts';
import { recoverSessions } from './recover-sessions.ts';
import { type LedgerFact, SessionLedger } from './session-ledger.ts';
import { readLedgers } from './testing/ledgers.ts';
import { MemoryEngine } from './testing/memory-sandbox.ts';

const at = '2026-01-01T00:00:00.000Z';
const identity = { kind: 'machine', machine: 'memory', execution: '1' } as const;
/** This process's number with another start time: the number was used again. */
const deadHost: LedgerHeader = { ...thisHost(), startTime: '1' };

let folder: string;
let engine: MemoryEngine;
let ledger: SessionLedger;
let closing: AbortController;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-ledger-'));
  engine = new MemoryEngine();
  ledger = new SessionLedger(folder);
  closing = new AbortController();
});
afterEach(() => {
  ledger.close();
  rmSync(folder, { recursive: true });
});

const recover = () => recoverSessions(ledger, new Map([['bubblewrap', engine]]), closing.signal);

function leaveLedger(header: LedgerHeader, facts: LedgerFact[], name = 'left.jsonl'): void {
  const lines = [header, ...facts.map((fact) => ({ ...fact, at }))];
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** This host dies, and another one looks at what it carried over. */
function nextStart(): void {
  const carried = ledger.path as string;
  ledger.close();
  ledger = new SessionLedger(folder);
  const [, ...lines] = readFileSync(carried, 'utf8').split('\n').filter(Boolean);
  rmSync(carried);
  writeFileSync(join(folder, 'left.jsonl'), [JSON.stringify(deadHost), ...lines, ''].join('\n'));
}

const intent = (session: string): LedgerFact => ({
  event: 'intent',
  session,
  engine: 'bubblewrap',
  profile: 'shell',
});
const committed = (session: string): LedgerFact => ({
  event: 'committed',
  session,
  engine: 'bubblewrap',
  identity,
});

describe('ST-26 a dead host', () => {
  it('a ledger that is no regular file, or far too long, is reported and not read', async () => {
    symlinkSync('/dev/null', join(folder, 'device.jsonl'));
    writeFileSync(join(folder, 'long.jsonl'), '');
    truncateSync(join(folder, 'long.jsonl'), 2 ** 27);
    const { problems } = await recover();
    expect(problems.join('\n')).toMatch(
      /device.jsonl: it is not a regular file\n.*long.jsonl: it must have at most/,
    );
  });

  it.each(['absent', 'removed'] as const)(
    'a session found %s is recorded as ended by host loss',
    async (kind) => {
      engine.onRecover = async () => ({ kind });
      leaveLedger(deadHost, [intent('one'), committed('one')]);
      const summary = await recover();
      expect(engine.recovered).toEqual([identity]);
      expect(summary.hostLost.map(({ session }) => session)).toEqual(['one']);
      expect(summary.needsAttention).toEqual([]);
      expect(readdirSync(folder)).toHaveLength(1);
      expect(readLedgers(folder).map(({ event }) => event)).toEqual(['intent', 'committed', 'host-lost']);
    },
  );

  it('a session in release is recovered, a clean one is not', async () => {
    leaveLedger(deadHost, [
      intent('one'),
      committed('one'),
      { event: 'releasing', session: 'one', cause: 'user' },
      intent('two'),
      committed('two'),
      { event: 'clean', session: 'two', outcome: null },
    ]);
    expect((await recover()).hostLost.map(({ session }) => session)).toEqual(['one']);
  });

  it('an intent without an identity is recorded as host loss: its sandbox died with the host', async () => {
    leaveLedger(deadHost, [intent('one')]);
    expect((await recover()).hostLost).toHaveLength(1);
    expect(engine.recovered).toEqual([]);
  });

  it('an engine that is not here is named as in the menus; its session stays on record', async () => {
    leaveLedger(deadHost, [{ ...intent('one'), engine: 'attach' } as LedgerFact]);
    const detail = 'The engine “Running container” is not available here.';
    expect((await recover()).needsAttention).toEqual([{ session: 'one', detail }]);
    expect(readLedgers(folder).at(-1)).toMatchObject({ event: 'needs-attention', reason: detail });
  });

  it('ST-25 an intent of an engine whose sandboxes may outlive the host needs attention until a person knows', async () => {
    engine.leftByOpening = 'A container of it may be left.';
    leaveLedger(deadHost, [intent('one')]);
    const { hostLost, needsAttention } = await recover();
    expect(hostLost).toEqual([]);
    const detail = 'A container of it may be left.';
    expect(needsAttention).toEqual([{ session: 'one', detail, untraceable: true }]);
    expect(readLedgers(folder).at(-1)).toMatchObject({ event: 'needs-attention', reason: detail });
    expect(ledger.unconfirmed).toBe(1);

    nextStart();
    expect((await recover()).needsAttention).toEqual([{ session: 'one', detail, untraceable: true }]);
    ledger.append({ event: 'host-lost', session: 'one', detail });
    nextStart();
    expect((await recover()).needsAttention).toEqual([]);
  });

  it('a failed opening keeps what was recorded of it', async () => {
    engine.leftByOpening = 'It was still being opened.';
    const reason = 'The container "one" may be left.';
    leaveLedger(deadHost, [intent('one'), { event: 'needs-attention', session: 'one', reason }]);
    expect((await recover()).needsAttention).toMatchObject([{ session: 'one', detail: reason }]);
    expect(readLedgers(folder).at(-1)).toMatchObject({ event: 'needs-attention', reason });
  });

  it('sessions are asked about side by side', async () => {
    const asked = Promise.withResolvers<RecoveryReport>();
    engine.onRecover = () => asked.promise;
    leaveLedger(deadHost, [intent('one'), committed('one'), intent('two'), committed('two')]);
    leaveLedger(deadHost, [intent('three'), committed('three')], 'other.jsonl');
    const recovering = recover();
    await eventually(() => expect(engine.recovered).toHaveLength(3));
    asked.resolve({ kind: 'removed' });
    expect((await recovering).hostLost).toHaveLength(3);
  });

  it('what a closing host has not heard of yet is left to the next one', async () => {
    const asked = Promise.withResolvers<RecoveryReport>();
    engine.onRecover = () => asked.promise;
    leaveLedger(deadHost, [intent('one'), committed('one')]);
    const recovering = recover();
    await eventually(() => expect(engine.recovered).toHaveLength(1));
    closing.abort();
    ledger.close();
    asked.resolve({ kind: 'removed' });
    expect((await recovering).hostLost).toEqual([]);
    expect(readdirSync(folder)).toEqual(['left.jsonl']);
  });

  it('a ledger with a torn last line is recovered', async () => {
    leaveLedger(deadHost, [intent('one'), committed('one')]);
    writeFileSync(join(folder, 'left.jsonl'), '{"event":"rele', { flag: 'a' });
    expect((await recover()).hostLost).toHaveLength(1);
  });

  it('is recovered once: the next start finds nothing to do', async () => {
    leaveLedger(deadHost, [intent('one'), committed('one')]);
    await recover();
    expect(await recover()).toEqual({ hostLost: [], needsAttention: [], problems: [] });
  });

  it('one of an earlier boot is dead whatever runs under its number', async () => {
    leaveLedger({ ...thisHost(), bootId: 'another' }, [intent('one')]);
    expect((await recover()).hostLost).toHaveLength(1);
  });
});

describe('ST-25 what is not confirmed', () => {
  it.each([
    ['a mismatch', async () => ({ kind: 'mismatch', reason: 'Another process has the number.' }) as const],
    ['a failure', () => Promise.reject(new Error('Another process has the number.'))],
  ])('%s stays on record, needs attention and is looked at again by the next host', async (_name, answer) => {
    engine.onRecover = answer;
    leaveLedger(deadHost, [intent('one'), committed('one')]);
    const expected = [{ session: 'one', detail: 'Another process has the number.' }];
    expect((await recover()).needsAttention).toEqual(expected);

    nextStart();
    expect((await recover()).needsAttention).toEqual(expected);
  });

  it('a session of an engine that this host does not have needs attention', async () => {
    leaveLedger(deadHost, [
      { event: 'intent', session: 'one', engine: 'smolvm', profile: 'vm' },
      { event: 'committed', session: 'one', engine: 'smolvm', identity },
    ]);
    expect((await recover()).needsAttention).toHaveLength(1);
  });
});

describe('ledgers that are not ours to recover', () => {
  it.each([
    ['a live host', thisHost()],
    ['a host of another machine', { ...deadHost, machine: `not-${hostname()}` }],
    ['a live host on a system without start times', { ...thisHost(), startTime: null }],
  ])('%s keeps its ledger and its sessions', async (_name, header) => {
    leaveLedger(header, [intent('one'), committed('one')]);
    expect(await recover()).toEqual({ hostLost: [], needsAttention: [], problems: [] });
    expect(engine.recovered).toEqual([]);
    expect(readdirSync(folder)).toEqual(['left.jsonl']);
  });

  it('a file whose header is torn is left alone', async () => {
    writeFileSync(join(folder, 'left.jsonl'), '{"ledger":1,"mach');
    expect(await recover()).toEqual({ hostLost: [], needsAttention: [], problems: [] });
    expect(readdirSync(folder)).toEqual(['left.jsonl']);
  });

  it('one that cannot be read is named, and does not keep the others from being recovered', async () => {
    leaveLedger(deadHost, [intent('one')], 'b.jsonl');
    mkdirSync(join(folder, 'a.jsonl'));
    const summary = await recover();
    expect(summary.problems).toEqual([expect.stringContaining('a.jsonl')]);
    expect(summary.hostLost).toHaveLength(1);
  });
});

describe('the file', () => {
  it('is readable for its owner only, and gone after clean ends', () => {
    ledger.append({ event: 'intent', session: 'one', engine: 'bubblewrap', profile: 'shell' });
    expect(statSync(ledger.path as string).mode & 0o777).toBe(0o600);
    ledger.append({ event: 'clean', session: 'one', outcome: null });
    ledger.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('half a line that a full disk left does not spoil the next entry', () => {
    ledger.append({ event: 'intent', session: 'one', engine: 'bubblewrap', profile: 'shell' });
    writeFileSync(ledger.path as string, '{"session":"one","ev', { flag: 'a' });
    ledger.append({ event: 'committed', session: 'one', engine: 'bubblewrap', identity });
    const contents = parseLedger(readFileSync(ledger.path as string, 'utf8'));
    expect(contents?.header).toMatchObject({ pid: process.pid });
    expect(contents?.records).toMatchObject([{ session: 'one', identity, last: 'committed' }]);
  });

  it('keeps a host loss on record after the host has closed', async () => {
    leaveLedger(deadHost, [intent('one')]);
    await recover();
    ledger.close();
    expect(readLedgers(folder).at(-1)).toMatchObject({ event: 'host-lost', session: 'one' });
    expect(ledger.unconfirmed).toBe(0);
  });
});
