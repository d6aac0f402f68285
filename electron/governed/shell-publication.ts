import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalPayload } from '../../shared/governed/approval.ts';
import type { Publication, Receipt } from '../../shared/governed/receipt.ts';
import { type TaggedError, taggedError } from '../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { OUT_FOLDER } from '../../shared/terminal/inside.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import type { PublicationStore, SealedFile } from '../publication/publication-store.ts';
import { sha256 } from '../publication/sha256.ts';
import type { OutFolder } from '../sandbox/engine.ts';
import type { Clock } from './controller/clock.ts';
import { postureWords } from './planned-posture.ts';
import { type Approvals, type Decision, FileError, type PublicationAuthority } from './ports.ts';
import { usedInTime } from './used-in-time.ts';

/** The shell that a file comes from. */
export interface PublishingShell {
  readonly id: string;
  readonly posture: SandboxPosture;
  /** Null where there is none. */
  readonly outFolder: OutFolder | null;
}

type Approved = Extract<Decision, { outcome: 'approved' }>;

interface Sealed {
  readonly id: string;
  readonly sessionId: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** "Publish…" (DESIGN 7): seal first, so that the one approval shows size and SHA-256; then publish exactly that. */
export class ShellPublication {
  readonly #store: PublicationStore;
  readonly #approvals: Approvals;
  readonly #clock: Clock;
  readonly #placeOf: (sessionId: string) => Receipt['transcript'];

  /** `placeOf`: where a session's transcript is now. */
  constructor(
    store: PublicationStore,
    approvals: Approvals,
    clock: Clock,
    placeOf: (sessionId: string) => Receipt['transcript'],
  ) {
    this.#store = store;
    this.#approvals = approvals;
    this.#clock = clock;
    this.#placeOf = placeOf;
  }

  /** Fails with no-out-folder, publication-refused: then nothing was published, and nothing is kept that is not listed. */
  async begin(
    shell: PublishingShell,
    path: string,
    destination: string,
    signal: AbortSignal,
  ): Promise<Result<Publication, TaggedError>> {
    const { id: sessionId, outFolder, posture } = shell;
    if (outFolder === null)
      return fail(taggedError('no-out-folder', 'This session has no /out folder to publish from.'));
    try {
      await this.#store.checkDestination(destination);
      const sealed = await this.#store.sealFromShell({ sessionId, outFolder, path });
      return await this.#askAndPublish(sealed, destination, posture, signal);
    } catch (error) {
      return refused(error);
    }
  }

  /** The kept file of a failure, to another place. Fails with publication-unknown, publication-refused. */
  async retry(
    id: string,
    destination: string,
    signal: AbortSignal,
  ): Promise<Result<Publication, TaggedError>> {
    const failed = this.#find(id);
    if (failed?.state !== 'failed')
      return fail(taggedError('publication-unknown', 'There is no such failed publication.'));
    try {
      await this.#store.checkDestination(destination);
      const decision = await this.#ask(failed, destination, null, signal);
      if (decision.outcome !== 'approved') return fail(saidNo(decision.text));
      await this.#store.retry(id, destination, this.#authorityOf(failed.sessionId, decision));
      return this.#outcomeOf(id);
    } catch (error) {
      const now = this.#find(id);
      // What was refused before a new attempt began has left the earlier failure as it was.
      return now === undefined || isDeepStrictEqual(now, failed) ? refused(error) : ok(now);
    }
  }

  async #askAndPublish(
    sealed: SealedFile,
    destination: string,
    posture: SandboxPosture,
    signal: AbortSignal,
  ): Promise<Result<Publication, TaggedError>> {
    const decision = await this.#ask(sealed, destination, posture, signal);
    if (decision.outcome !== 'approved') {
      await this.#store.discardSealed(sealed, decision.text);
      return fail(saidNo(decision.text));
    }
    try {
      await this.#store.publishSealed(sealed, destination, this.#authorityOf(sealed.sessionId, decision));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
    }
    return this.#outcomeOf(sealed.id);
  }

  #ask(sealed: Sealed, destination: string, posture: SandboxPosture | null, signal: AbortSignal) {
    const payload: ApprovalPayload = {
      kind: 'publication',
      call_id: randomUUID(),
      tool: null,
      command: null,
      arguments: {},
      manifest: null,
      fingerprint: `sha256:${sha256(Buffer.from(JSON.stringify([sealed.id, sealed.sha256, destination])))}`,
      engine: posture?.engine ?? '',
      posture: posture === null ? [] : postureWords(posture),
      effects: ['Publishes this sealed file. An existing file is never replaced.'],
      files: { create: [sealed.path], overwrite: false },
      destination,
      staged: { bytes: sealed.bytes, sha256: sealed.sha256 },
      session_finalizes: false,
    };
    return this.#approvals.ask(
      {
        sessionId: sealed.sessionId,
        title: publicationTitle(sealed.path, destination),
        payload,
      },
      signal,
    );
  }

  #authorityOf(sessionId: string, decision: Approved): PublicationAuthority {
    const { approver, approvalId, goodUntil } = decision;
    return {
      sessionId,
      command: null,
      approver,
      approvalId,
      transcriptPlace: () => this.#placeOf(sessionId),
      stillHolds: usedInTime(this.#clock, goodUntil),
    };
  }

  #find(id: string): Publication | undefined {
    return this.#store.list().find((one) => idOf(one) === id);
  }

  #outcomeOf(id: string): Result<Publication, TaggedError> {
    const found = this.#find(id);
    return found === undefined
      ? fail(taggedError('publication-unknown', 'The publication is not listed; look at the audit log.'))
      : ok(found);
  }
}

/** What is made and where comes first: a title that is too long loses its end, and says so. */
function publicationTitle(path: string, destination: string): string {
  const name = basename(destination);
  const from = path === name ? '' : `, from ${OUT_FOLDER}/${path}`;
  return `Publish ${name} into ${dirname(destination)}${from}`;
}

function idOf(publication: Publication): string {
  return publication.state === 'published' ? publication.receipt.id : publication.id;
}

function saidNo(text: string): TaggedError {
  return taggedError('publication-refused', `Nothing was published: ${text}.`);
}

function refused(error: unknown): Result<never, TaggedError> {
  if (!(error instanceof FileError)) throw error;
  return fail(
    taggedError('publication-refused', `Nothing was published: ${error.message}.`, { rule: error.rule }),
  );
}
