import type { AuditLog, AuditRecord } from './ports.ts';

/** An audit log that is still being opened: what is appended meanwhile waits, and fails when it cannot be opened. */
export class LateAuditLog implements AuditLog {
  readonly #log: Promise<AuditLog>;

  constructor(log: Promise<AuditLog>) {
    this.#log = log;
    // Whoever appends is told.
    log.catch(() => {});
  }

  async append(record: AuditRecord): Promise<void> {
    await (await this.#log).append(record);
  }
}
