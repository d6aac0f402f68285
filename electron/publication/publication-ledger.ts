import type { Disposable } from '../../shared/disposable.ts';
import { Emitter } from '../../shared/emitter.ts';
import type { AuditEntry } from '../../shared/governed/audit.ts';
import type { Publication, Receipt } from '../../shared/governed/receipt.ts';
import type { AuditLog } from '../governed/ports.ts';
import { examineIntent, type Intent, leftoverWords } from './examine-intent.ts';
import {
  isPublicationEvent,
  type PublicationData,
  type PublicationEvent,
  publicationRecords,
  type RecoveryState,
} from './publication-records.ts';

/** One publication as its records tell it. */
export interface PublicationItem {
  readonly sessionId: string;
  readonly sealed: PublicationData<'publication.sealed'>;
  /** Of the latest attempt; null while there was none. */
  readonly attempt: PublicationData<'publication.sealed'>['attempt'];
  readonly intent: Intent | null;
  /** Intents of attempts before it: of each a private copy may have been left beside its destination. */
  readonly leftovers: readonly Intent[];
  readonly state: PublicationState;
}

export type PublicationState =
  | { readonly kind: 'sealed' | 'prepared' | 'discarded' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly at: string;
      readonly recovery: RecoveryState | null;
    }
  | { readonly kind: 'published'; readonly receipt: Receipt };

/** What publication needs of the audit log: to write, and to read what an earlier run wrote. */
export type PublicationAudit = AuditLog & { entries(): AsyncIterable<AuditEntry> };

/** The publications of a data folder, rebuilt from the audit log and kept in step with it. */
export class PublicationLedger {
  readonly #audit: AuditLog;
  readonly #items = new Map<string, PublicationItem>();
  /** Sealed files of which the log does not know yet. */
  readonly #unrecorded = new Set<string>();
  readonly #events = new Emitter<{ changed: undefined }>();

  private constructor(audit: AuditLog) {
    this.#audit = audit;
  }

  static async read(audit: PublicationAudit): Promise<PublicationLedger> {
    const ledger = new PublicationLedger(audit);
    for await (const entry of audit.entries()) {
      if (isPublicationEvent(entry.event)) ledger.#fold(entry.event, entry.sessionId, entry.data);
    }
    return ledger;
  }

  /**
   * Resolves when it is on the disk; rejects when it is not, and then nothing has changed here. No record stands without that of
   * its sealed file.
   */
  async record<E extends PublicationEvent>(
    event: E,
    sessionId: string,
    data: PublicationData<E>,
  ): Promise<void> {
    await this.#recordSealed(data.publication_id);
    await this.#audit.append({ event, sessionId, data });
    this.#fold(event, sessionId, data);
    this.#events.fire('changed', undefined);
  }

  async recordFailure(id: string, reason: string): Promise<void> {
    const at = new Date().toISOString();
    const error = reason + (await leftoverWords(this.get(id)));
    await this.#recordAnyway('publication.failed', { publication_id: id, confirmed: false, error, at });
  }

  /** A sealed file that the log could not take: kept and shown as a failure, and recorded once the log takes it. */
  async keepUnrecorded(
    sessionId: string,
    sealed: PublicationData<'publication.sealed'>,
    error: string,
  ): Promise<void> {
    this.#fold('publication.sealed', sessionId, sealed);
    this.#unrecorded.add(sealed.publication_id);
    await this.recordFailure(sealed.publication_id, error);
  }

  /** After the moment at which the file may have got its name: says what is there now (F10). */
  async recordUnconfirmed(id: string, error: string): Promise<void> {
    const item = this.get(id);
    if (!item?.intent) return this.recordFailure(id, error);
    const { state } = await examineIntent(item.intent);
    const at = new Date().toISOString();
    const detail = error + (await leftoverWords(item));
    await this.#recordAnyway('publication.recovered', { publication_id: id, state, detail, at });
  }

  async #recordSealed(id: string): Promise<void> {
    const item = this.#unrecorded.has(id) ? this.get(id) : null;
    if (item === null) return;
    const { sessionId, sealed: data } = item;
    await this.#audit.append({ event: 'publication.sealed', sessionId, data });
    this.#unrecorded.delete(id);
  }

  /** Shown although it may not be recorded: the log itself may be what failed. The next start settles it then. */
  async #recordAnyway<E extends PublicationEvent>(event: E, data: PublicationData<E>): Promise<void> {
    const sessionId = this.get(data.publication_id)?.sessionId ?? '';
    await this.record(event, sessionId, data).catch(() => {
      this.#fold(event, sessionId, data);
      this.#events.fire('changed', undefined);
    });
  }

  get(id: string): PublicationItem | null {
    return this.#items.get(id) ?? null;
  }

  all(): PublicationItem[] {
    return [...this.#items.values()];
  }

  /** Published and failed ones, the latest first. */
  list(): Publication[] {
    return this.all().flatMap(asPublication).reverse();
  }

  onChange(listener: () => void): Disposable {
    return this.#events.on('changed', listener);
  }

  #fold(event: PublicationEvent, sessionId: string | null, data: unknown): void {
    const parsed = publicationRecords[event].safeParse(data);
    // Our own records, signed: one of another shape is of another version, and `airlock verify` names it.
    if (!parsed.success) return;
    const id = parsed.data.publication_id;
    const next = foldRecord(this.#items.get(id) ?? null, event, sessionId, parsed.data);
    if (next !== null) this.#items.set(id, next);
  }
}

function foldRecord(
  item: PublicationItem | null,
  event: PublicationEvent,
  sessionId: string | null,
  data: unknown,
): PublicationItem | null {
  if (event === 'publication.sealed') {
    const sealed = data as PublicationData<typeof event>;
    return {
      sessionId: sessionId ?? '',
      sealed,
      attempt: sealed.attempt,
      intent: null,
      leftovers: [],
      state: { kind: 'sealed' },
    };
  }
  if (item === null) return null;
  switch (event) {
    case 'publication.started': {
      const { attempt } = data as PublicationData<typeof event>;
      const leftovers = item.intent === null ? item.leftovers : [...item.leftovers, item.intent];
      return { ...item, attempt, intent: null, leftovers, state: { kind: 'sealed' } };
    }
    case 'publication.prepared':
      return { ...item, intent: data as PublicationData<typeof event>, state: { kind: 'prepared' } };
    case 'publication.finished': {
      const { receipt } = data as PublicationData<typeof event>;
      return { ...item, state: { kind: 'published', receipt } };
    }
    case 'publication.failed': {
      const { error, at } = data as PublicationData<typeof event>;
      return { ...item, state: { kind: 'failed', reason: error, at, recovery: null } };
    }
    case 'publication.recovered': {
      const { state, detail, at } = data as PublicationData<typeof event>;
      return { ...item, state: { kind: 'failed', reason: detail, at, recovery: state } };
    }
    case 'publication.discarded':
      return { ...item, state: { kind: 'discarded' } };
  }
}

function asPublication({ state, sealed, attempt, sessionId }: PublicationItem): Publication[] {
  if (state.kind === 'published') return [{ state: 'published', receipt: state.receipt }];
  if (state.kind !== 'failed') return [];
  return [
    {
      state: 'failed',
      id: sealed.publication_id,
      sessionId,
      path: sealed.path,
      destination: attempt?.destination ?? '',
      bytes: sealed.bytes,
      sha256: sealed.sha256,
      reason: state.reason,
      kept: sealed.kept,
      at: state.at,
      ...(state.recovery === null ? {} : { recovery: state.recovery }),
    },
  ];
}
