import { thisProcess } from '../sandbox/host-process.ts';
import type { LedgerHeader } from './ledger-entries.ts';

export { isOfThisMachine, mayBeAlive } from '../sandbox/host-process.ts';

/** What a ledger that this process begins says of it. */
export function thisHost(): LedgerHeader {
  return { ledger: 1, ...thisProcess(), at: new Date().toISOString() };
}
