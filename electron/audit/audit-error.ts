/** Why nothing can be recorded; `message` says what happened and what to do. */
export class AuditError extends Error {
  /**
   * `locked`: another process writes this log. `broken`: the log or its key is not as it was left. `refused`: this record
   * cannot be written, others can. `failed`: the disk refused; nothing more is recorded until the log is opened again.
   */
  readonly tag: 'locked' | 'broken' | 'refused' | 'failed';
  constructor(tag: AuditError['tag'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AuditError';
    this.tag = tag;
  }
}
