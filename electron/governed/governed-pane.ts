import { randomUUID } from 'node:crypto';
import type { GovernedStatus } from '../../shared/governed/activity.ts';
import type { ApprovalPayload } from '../../shared/governed/approval.ts';
import type {
  CommandCheck,
  CommandReply,
  CommandRequest,
  GovernedFailure,
} from '../../shared/governed/call.ts';
import { WORKER_SIZE } from '../../shared/governed/limits.ts';
import type { LoadedManifest } from '../../shared/governed/manifest.ts';
import type { Receipt } from '../../shared/governed/receipt.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { ReleaseCause } from '../../shared/terminal/outcome.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';
import { visibleLine } from '../../shared/terminal/visible-text.ts';
import { momentWords } from '../../shared/transcripts/moment-words.ts';
import type { SessionRecording, SessionRecordings } from '../session/recording.ts';
import type { SessionSink } from '../session/sink.ts';
import type { GovernedCall, Run } from './controller/call.ts';
import type { Clock } from './controller/clock.ts';
import type { GovernedController } from './controller/controller.ts';
import type { GovernedSession } from './controller/session.ts';
import { ViewerFeed } from './controller/viewer-feed.ts';
import { type CheckedCall, checkCall, commandCheckOf } from './manifest/arguments/check-call.ts';
import type { Project } from './manifest/arguments/project-checks.ts';
import { type CompiledManifest, compileManifest } from './manifest/compiled-manifest.ts';
import { plannedPosture, postureWords } from './planned-posture.ts';
import {
  bindingOf,
  type CallFacts,
  callNameOf,
  contractDigestOf,
  fingerprintOf,
} from './policy/invocation.ts';
import {
  type Approvals,
  type AuditLog,
  type Decision,
  FileError,
  type FileGrants,
  type FilePlan,
  type Policies,
  ruleOfRefusal,
} from './ports.ts';
import { usedInTime } from './used-in-time.ts';

/** Milliseconds that a pane's run may last: longer than any manifest's session; the pane's end ends it before. */
const RUN_MAX_MS = 24 * 60 * 60 * 1000;
/** Of a moment of a transcript. */
const LABEL_CHARS = 200;

/** What all governed panes of a host share. */
export interface GovernedParts {
  readonly controller: GovernedController;
  readonly clock: Clock;
  readonly policies: Policies;
  readonly approvals: Approvals;
  /** The request that waits for this session, if one does. */
  readonly pendingApproval: (sessionId: string) => string | null;
  readonly audit: AuditLog;
  readonly grants: FileGrants;
  readonly recordings: SessionRecordings;
}

export interface PaneTerms {
  readonly profile: Profile;
  /** Root of the file grants: absolute; null without one. */
  readonly root: string | null;
  readonly loaded: LoadedManifest;
  readonly project: Project;
  /** Who is asked about in policies (C1). */
  readonly principalId: string;
  readonly sink: SessionSink;
  readonly status: (status: GovernedStatus) => void;
}

/**
 * One governed session as its pane has it: the order of A2 for every command. Prepare, policy as if approved, ask the
 * person, policy again, record, dispatch. A pane is one run of its own: closing it closes the run (E45).
 */
export class GovernedPane {
  readonly id = randomUUID();
  /** Resolves when everything of it is gone and that was told. Never rejects. */
  readonly closed: Promise<void>;
  readonly terms: PaneTerms;
  readonly #parts: GovernedParts;
  readonly #compiled: CompiledManifest;
  readonly #feed: ViewerFeed;
  readonly #run: Run;
  readonly #planned: SandboxPosture;
  readonly #recording: SessionRecording;
  readonly #closeTold: () => void;
  #session: GovernedSession | null = null;
  /** What a person is being asked, oldest first: several commands may be under way. */
  readonly #questions = new Set<{ readonly command: string; readonly abort: AbortController }>();
  /** The commands that are under way, from their first check to their end. */
  readonly #underWay = new Set<AbortController>();
  #ending: ReleaseCause | null = null;
  /** The page has all output, or nobody waits until it has. */
  readonly #watched = Promise.withResolvers<void>();

  constructor(parts: GovernedParts, terms: PaneTerms) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#closeTold = resolve;
    this.#parts = parts;
    this.terms = terms;
    this.#compiled = compileManifest(terms.loaded.manifest);
    this.#planned = plannedPosture(terms.profile);
    this.#recording = parts.recordings.start({
      id: this.id,
      kind: 'governed',
      title: terms.loaded.manifest.name,
      profile: terms.profile,
      posture: this.#planned,
      size: WORKER_SIZE,
    });
    this.#feed = new ViewerFeed({
      arrived: (bytes) => this.#recording.output(bytes),
      output: (bytes) => terms.sink.output(bytes),
      ended: () => this.#watched.resolve(),
    });
    this.#run = {
      principal: this.id,
      startedAt: new Date(parts.clock.wall()).toISOString(),
      deadline: parts.clock.now() + RUN_MAX_MS,
    };
    setImmediate(() => this.#begin());
  }

  /** What was asked of the engine, and whether the session is recorded now. */
  get posture(): SandboxPosture {
    const { stopped } = this.#recording;
    return {
      ...this.#planned,
      recorded: stopped === null,
      ...(stopped !== null && { recordingStopped: stopped }),
    };
  }

  get status(): GovernedStatus {
    const { manifest } = this.terms.loaded;
    const status = this.#session?.status ?? {
      activity: { kind: 'idle' },
      interactions: { count: 0, limit: manifest.session.maxInteractions },
      idleLeftMs: null,
      lifeLeftMs: null,
    };
    if (this.#ending !== null && status.activity.kind !== 'closed')
      return { ...status, activity: { kind: 'closed', why: 'This session was ended.' } };
    const [question] = this.#questions;
    const approvalId = question === undefined ? null : this.#parts.pendingApproval(this.id);
    if (question === undefined || approvalId === null) return status;
    return {
      ...status,
      activity: { kind: 'waiting-for-approval', command: question.command, approvalId },
    };
  }

  /** What `run` would send, or field by field why it would not; touches nothing. */
  check(request: CommandRequest): CommandCheck {
    return commandCheckOf(this.#compiled, request, checkCall(this.#compiled, request, this.terms.project));
  }

  /** Runs one command to its end. Fails with what the page shows: the rule and its text. */
  async run(request: CommandRequest): Promise<Result<CommandReply, GovernedFailure>> {
    if (this.#ending !== null) return fail(CLOSED);
    const checked = checkCall(this.#compiled, request, this.terms.project);
    if (!checked.ok) {
      const [first] = checked.error;
      return fail(refusal(first?.rule ?? 'M7', checked.error.map(({ message }) => message).join('; ')));
    }
    const abort = new AbortController();
    this.#underWay.add(abort);
    try {
      return await this.#runChecked(checked.value, abort);
    } finally {
      this.#underWay.delete(abort);
    }
  }

  /** Takes open questions away, or stops what is under way: a running command, and with it the session (A9, X38). */
  cancel(): void {
    if (this.isAsking) this.#takeQuestionsAway();
    else for (const abort of this.#underWay) abort.abort();
  }

  /** Ends the session; `closed` tells when. Idempotent, but that a lost client is not waited for, even if it is lost later. */
  end(cause: ReleaseCause): void {
    if (cause === 'client-lost' || cause === 'host-closing') this.#watched.resolve();
    if (this.#ending !== null) return;
    this.#ending = cause;
    this.#takeQuestionsAway();
    this.#tellState({ kind: 'releasing', cause });
    void this.#close(cause);
  }

  parsed(total: number, ahead?: number): void {
    this.#feed.parsed(total, ahead);
  }

  /** The controller made this session for one of this pane's calls, or it changed. */
  sessionChanged(session: GovernedSession): void {
    this.#session = session;
    this.tellStatus();
    if (session.status.activity.kind === 'closed') this.end('program-ended');
  }

  owns(session: GovernedSession): boolean {
    return session.run.principal === this.#run.principal;
  }

  /** Also when the queue of approvals changed: which request waits is part of the status. */
  tellStatus(): void {
    this.terms.status(this.status);
  }

  get isAsking(): boolean {
    return this.#questions.size > 0;
  }

  #takeQuestionsAway(): void {
    for (const { abort } of this.#questions) abort.abort();
  }

  #begin(): void {
    if (this.#ending !== null) return;
    this.#tellRoute('sandbox');
    this.tellStatus();
    this.#recording.onStopped((why) => this.#recordingLost(why));
  }

  /** T3: a governed session is recorded or it ends. */
  #recordingLost(why: string): void {
    if (this.#ending !== null) return;
    this.terms.sink.notice({ kind: 'recording-stopped', why });
    this.end('recording-lost');
  }

  async #runChecked(
    { command, args, line }: CheckedCall,
    abort: AbortController,
  ): Promise<Result<CommandReply, GovernedFailure>> {
    const files = await this.#prepareFiles(args);
    if (!files.ok) return files;
    try {
      const { loaded, profile } = this.terms;
      const facts = {
        callId: randomUUID(),
        manifest: loaded.manifest,
        manifestDigest: loaded.digest,
        command,
        args,
        files: files.value?.descriptor ?? null,
        tier: profile.engine,
      };
      return await this.#decideAndDispatch(facts, line, files.value, abort);
    } finally {
      files.value?.close();
    }
  }

  /** Why a command must not go on; asked after everything that was waited for. */
  #whyNot({ signal }: AbortController): GovernedFailure | null {
    if (this.#ending !== null) return CLOSED;
    return signal.aborted ? CANCELLED : null;
  }

  async #prepareFiles(
    args: Readonly<Record<string, string>>,
  ): Promise<Result<FilePlan | null, GovernedFailure>> {
    const { filesystem } = this.terms.loaded.manifest;
    if (filesystem === null) return ok(null);
    if (this.terms.root === null)
      return fail(refusal('F2', 'filesystem path is outside configured mount ceilings'));
    try {
      return ok(await this.#parts.grants.prepare(filesystem, args, this.terms.root));
    } catch (error) {
      if (error instanceof FileError) return fail(refusal(error.rule, error.message));
      throw error;
    }
  }

  async #decideAndDispatch(
    facts: CallFacts,
    line: string,
    files: FilePlan | null,
    abort: AbortController,
  ): Promise<Result<CommandReply, GovernedFailure>> {
    const notPrepared = this.#whyNot(abort);
    if (notPrepared !== null) return fail(notPrepared);
    const fingerprint = fingerprintOf(facts);
    const asked = facts.command.needsApproval;
    // As if approved: nobody is asked for what a policy forbids anyway (A2).
    const before = this.#policy(facts, fingerprint, asked ? fingerprint : null);
    if (!before.allowed) return this.#denied(facts, fingerprint, before);
    const decision = asked ? await this.#ask(facts, fingerprint, line, abort) : null;
    if (decision !== null && decision.outcome !== 'approved')
      return fail(refusal(ruleOfRefusal(decision.outcome), decision.text));
    const notDecided = this.#whyNot(abort);
    if (notDecided !== null) return fail(notDecided);
    const after = this.#policy(facts, fingerprint, decision === null ? null : fingerprint);
    if (!after.allowed) return this.#denied(facts, fingerprint, after);
    return this.#dispatch(facts, fingerprint, line, files, decision, after.policies, abort);
  }

  #policy(facts: CallFacts, fingerprint: string, approvedFingerprint: string | null) {
    const { principalId } = this.terms;
    return this.#parts.policies.decide({ ...facts, principalId, fingerprint, approvedFingerprint });
  }

  async #denied(
    facts: CallFacts,
    fingerprint: string,
    { text, policies }: ReturnType<Policies['decide']>,
  ): Promise<Result<never, GovernedFailure>> {
    await this.#record('call.denied', { tool: callNameOf(facts), fingerprint, reason: text, policies });
    return fail(refusal('C6', policies.length === 0 ? text : `${text}; forbidden by ${policies.join(', ')}`));
  }

  async #ask(facts: CallFacts, fingerprint: string, line: string, abort: AbortController): Promise<Decision> {
    const command = callNameOf(facts);
    const staged = facts.command.finalize ? await this.#stagedSoFar() : null;
    const payload = { ...this.#payload(facts, fingerprint, line), staged };
    return this.#hold(command, `${command}: ${line}`, payload, abort);
  }

  /** DESIGN 7: what a finalizing command would publish if nothing more were written. */
  async #stagedSoFar(): Promise<ApprovalPayload['staged']> {
    const bytes = (await this.#session?.stagedBytes()) ?? null;
    return bytes === null ? null : { bytes, sha256: null };
  }

  /** DESIGN 7: the sealed file, before it is published. */
  async #secondLook(
    facts: CallFacts,
    fingerprint: string,
    { path, destination, bytes, sha256 }: Pick<Receipt, 'path' | 'destination' | 'bytes' | 'sha256'>,
    abort: AbortController,
  ): Promise<Decision> {
    const payload: ApprovalPayload = {
      ...this.#payload(facts, fingerprint, facts.args['command'] ?? ''),
      kind: 'publication',
      effects: ['Publishes this sealed file. An existing file is never replaced.'],
      destination,
      staged: { bytes, sha256 },
    };
    return this.#hold(callNameOf(facts), `Publish ${path}`, payload, abort);
  }

  async #hold(
    command: string,
    title: string,
    payload: ApprovalPayload,
    abort: AbortController,
  ): Promise<Decision> {
    if (this.#whyNot(abort) !== null) return { outcome: 'cancelled', text: 'cancelled' };
    const question = { command, abort };
    if (!this.isAsking) this.#toPrompt();
    this.#questions.add(question);
    try {
      return await this.#parts.approvals.ask({ sessionId: this.id, title, payload }, abort.signal);
    } finally {
      this.#questions.delete(question);
      if (!this.isAsking) this.#toSandbox();
      this.tellStatus();
    }
  }

  /** ST-18: the page gets no output beside a question; the recording has all of it at once. */
  #toPrompt(): void {
    this.#feed.setHeld(true);
    this.#tellRoute('prompt');
  }

  /** ST-20: what was held comes after the end of the question. */
  #toSandbox(): void {
    if (this.#ending === null) this.#tellRoute('sandbox');
    this.#feed.setHeld(false);
  }

  #payload(facts: CallFacts, fingerprint: string, line: string): ApprovalPayload {
    const { loaded, profile, root } = this.terms;
    const { manifest, command, args, files } = facts;
    const create = files?.create[0] ?? null;
    const posture = this.#session?.posture ?? this.posture;
    const { command: _line, ...others } = args;
    return {
      kind: 'command',
      call_id: facts.callId,
      tool: callNameOf(facts),
      command: line,
      arguments: others,
      manifest: {
        name: manifest.name,
        version: manifest.version,
        digest: `sha256:${loaded.digest}`,
        file: loaded.file,
      },
      fingerprint: fingerprint as ApprovalPayload['fingerprint'],
      engine: profile.engine,
      posture: postureWords(posture),
      effects: effectsOf(command.finalize, create, posture),
      files,
      destination: create === null || root === null ? null : `${root}/${create}`,
      staged: null,
      session_finalizes: command.finalize,
    };
  }

  async #dispatch(
    facts: CallFacts,
    fingerprint: string,
    line: string,
    files: FilePlan | null,
    decision: Extract<Decision, { outcome: 'approved' }> | null,
    policies: readonly string[],
    abort: AbortController,
  ): Promise<Result<CommandReply, GovernedFailure>> {
    const tool = callNameOf(facts);
    const { clock, controller } = this.#parts;
    const approvalId = decision?.approvalId ?? null;
    const about = { tool, fingerprint, approvalId };
    this.#recording.mark({ kind: 'command-start', command: tool, line, label: commandLabel(tool, line) });
    const unwritten = await this.#recording.written();
    if (unwritten !== null) return fail(refusal('T3', `not recorded, so not run: ${unwritten}`, 'ended'));
    const recorded = await this.#record('call.dispatched', { ...about, command: line, policies });
    if (!recorded) {
      const unrecorded = fail(refusal('X2', 'not recorded in the audit log, so not run'));
      this.#markEnd(tool, unrecorded);
      return unrecorded;
    }
    // Closing the run has passed by then, and would never end what starts now.
    const notRecorded = this.#whyNot(abort);
    if (notRecorded !== null) return this.#finished(about, fail(notRecorded));
    const deadline = Math.min(
      clock.now() + facts.manifest.timeoutMs,
      decision?.goodUntil ?? Number.POSITIVE_INFINITY,
    );
    let secondHolds = () => true;
    const result = await controller.call(
      {
        ...this.#owner(facts),
        ...{ deadline, manifest: facts.manifest, matcher: this.#compiled },
        ...{ tool, text: line, args: facts.args, files },
        authority: {
          sessionId: this.id,
          command: tool,
          approver: decision?.approver ?? null,
          approvalId,
          transcriptPlace: () => this.#recording.place,
          stillHolds: () => (this.#ending === null || this.#ending === 'program-ended') && secondHolds(),
          ...(this.terms.profile.secondLook && {
            secondLook: async (sealed) => {
              const second = await this.#secondLook(facts, fingerprint, sealed, abort);
              if (second.outcome === 'approved') secondHolds = usedInTime(clock, second.goodUntil);
              return second;
            },
          }),
        },
      },
      abort.signal,
    );
    return this.#finished(about, result);
  }

  async #finished(
    about: { readonly tool: string } & Record<string, unknown>,
    result: Result<CommandReply, GovernedFailure>,
  ): Promise<Result<CommandReply, GovernedFailure>> {
    this.#markEnd(about.tool, result);
    const said = result.ok ? { execution_status: result.value.execution_status } : { error: result.error };
    await this.#record('call.finished', { ...about, ...said });
    return result;
  }

  /** In the transcript, of a command whose start is in it. */
  #markEnd(tool: string, result: Result<CommandReply, GovernedFailure>): void {
    const status = result.ok ? result.value.execution_status : result.error.text;
    const ended = { kind: 'command-end', command: tool, status, label: '' } as const;
    const { what, rest } = momentWords(ended);
    this.#recording.mark({ ...ended, label: commandLabel(what, rest) });
  }

  #owner(
    facts: CallFacts,
  ): Pick<GovernedCall, 'run' | 'binding' | 'contract' | 'profile' | 'workerMaxMs' | 'viewer'> {
    const { profile, principalId } = this.terms;
    return {
      run: this.#run,
      binding: bindingOf({
        run: `${this.#run.principal}:${this.#run.startedAt}`,
        context: { principal: principalId },
        configuration: profile,
      }),
      contract: contractDigestOf(facts),
      profile,
      workerMaxMs: null,
      viewer: this.#feed,
    };
  }

  #tellRoute(route: 'sandbox' | 'prompt'): void {
    this.#tellState({ kind: 'running', route, suspended: false });
  }

  #tellState(state: SessionState): void {
    this.terms.sink.state(state);
    this.#recording.state(state);
  }

  /** False when it is not on the disk: then nothing that follows from it may happen. */
  async #record(event: string, data: Record<string, unknown>): Promise<boolean> {
    return this.#parts.audit.append({ event, sessionId: this.id, data }).then(
      () => true,
      () => false,
    );
  }

  /** The last output comes before the end (ST-21); what closing the run says is what the pane says. */
  async #close(cause: ReleaseCause): Promise<void> {
    const closed = await this.#parts.controller.close(this.#run);
    if (this.#session === null) this.#watched.resolve();
    await this.#watched.promise;
    this.#feed.dispose();
    const activity = this.#session?.status.activity;
    const why = activity?.kind === 'closed' ? activity.why : 'No command was run.';
    await this.#record('session.closed', { cause, why, problem: closed.ok ? null : closed.error.text });
    const removed = closed.ok || closed.error.rule !== 'X47';
    this.#tellState({
      kind: removed ? 'ended' : 'needs-attention',
      cause,
      outcome: closed.ok
        ? { kind: 'concluded', reason: why }
        : { kind: 'unknown', reason: closed.error.text },
      release: { removed, steps: [], ...(!closed.ok && { reason: closed.error.text }) },
    });
    this.tellStatus();
    this.#closeTold();
  }
}

const CLOSED = refusal('X17', 'terminal session is closed; start a new run', 'ended');
/** Nothing was sent, so the session lives on. */
const CANCELLED = refusal('X38', 'terminal caller cancelled');

/** A refusal before anything was dispatched: the session, if there is one, lives on. */
function refusal(rule: string, text: string, session: GovernedFailure['session'] = 'lives'): GovernedFailure {
  return { rule, text, session };
}

function commandLabel(what: string, text: string): string {
  return visibleLine(`${what}: ${text}`, LABEL_CHARS);
}

function effectsOf(finalizes: boolean, create: string | null, { network }: SandboxPosture): string[] {
  if (!finalizes && network === 'none') return ['Runs in the sandbox. Nothing leaves it.'];
  if (!finalizes) return ['Runs in the sandbox; it can reach the network.'];
  if (create === null) return ['Ends the session.'];
  return [
    'Ends the session.',
    `Publishes ${create} as the command leaves it. An existing file is never replaced.`,
  ];
}
