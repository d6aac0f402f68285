import type { AuditLog, AuditRecord } from '../../governed/ports.ts';

/** Keeps records in memory; can be told to fail, or to keep writers waiting until it is let go. */
export class MemoryAuditLog implements AuditLog {
  readonly records: AuditRecord[] = [];
  /** Events whose record cannot be written. */
  readonly failing = new Set<string>();
  #gate: Promise<void> = Promise.resolve();

  get events(): string[] {
    return this.records.map(({ event }) => event);
  }

  /** Writers wait until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  async append(record: AuditRecord): Promise<void> {
    await this.#gate;
    if (this.failing.has(record.event)) throw new Error('disk full');
    this.records.push(record);
  }
}
