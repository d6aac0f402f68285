import type { EngineFix } from '../../../shared/terminal/engine-status.ts';
import { PROBE_DEADLINE_MS } from '../../../shared/terminal/limits.ts';
import { EngineError } from '../engine.ts';
import { CurableError } from './curable-error.ts';
import { DaemonError } from './daemon-error.ts';
import { type DockerEndpoint, sshTarget, startFixes } from './endpoint.ts';

/** Milliseconds of a check's deadline that are left for what is said of a slow daemon. */
const MARGIN_MS = 1_000;

/** Ends the check of a daemon that answers too slowly, in words, before nobody waits for them any more. */
export function checkDeadline({ address }: DockerEndpoint): AbortSignal {
  const limitMs = PROBE_DEADLINE_MS - MARGIN_MS;
  const slow = new AbortController();
  const words = `${address} is slow: it has not answered everything within ${limitMs / 1_000} seconds.`;
  setTimeout(() => slow.abort(new DaemonError(null, words)), limitMs).unref();
  return slow.signal;
}

/** How to get to a daemon that was not reached; one that was is there, whatever it answers. */
function daemonFixes({ status, contact, message }: DaemonError, endpoint: DockerEndpoint): EngineFix[] {
  if (endpoint.kind === 'ssh') return status === null ? [sshFix(endpoint, message)] : [];
  if (contact === 'made') return [];
  if (endpoint.kind === 'tcp')
    return [{ text: 'Check that it listens with TLS, and that the certificates are for it.', command: null }];
  return contact === 'absent' ? startFixes() : [];
}

/** By what ssh says, which it says in English everywhere. */
function sshFix(endpoint: Extract<DockerEndpoint, { kind: 'ssh' }>, said: string): EngineFix {
  const to = sshTarget(endpoint);
  const byHand = `ssh ${to} docker version`;
  if (said.includes('has changed'))
    return {
      text: 'It shows another key than before, as when somebody stands between. Ask whose machine it is; only where its key was really replaced, take the old one out of known_hosts, as ssh says:',
      command: byHand,
    };
  if (said.includes('Host key verification failed'))
    return { text: 'Log in once by hand, so that the host is known; compare its key:', command: byHand };
  if (said.includes('Permission denied'))
    return {
      text: 'It must take your key without a question (one with a passphrase: ssh-add first). To give it your key:',
      command: `ssh-copy-id ${to}`,
    };
  if (said.includes('neither docker nor podman'))
    return {
      text: 'Install Docker or Podman there, on the PATH of programs that ssh starts.',
      command: null,
    };
  return { text: 'See what it says by hand:', command: byHand };
}

/** One sentence about a failure, for a status, and what to do. */
export function failureInWords(
  error: unknown,
  endpoint: DockerEndpoint | null,
): { summary: string; fixes: EngineFix[] } {
  if (error instanceof CurableError) return { summary: error.summary, fixes: [...error.fixes] };
  const summary = error instanceof Error ? error.message : String(error);
  const isCurable = error instanceof DaemonError && endpoint !== null;
  return { summary, fixes: isCurable ? daemonFixes(error, endpoint) : [] };
}

/** A daemon that cannot be used, with what to do, for an opening: nothing was created. */
export function unreachable(error: unknown, endpoint: DockerEndpoint): EngineError {
  const { summary, fixes } = failureInWords(error, endpoint);
  return new CurableError('engine-unavailable', summary, fixes);
}

/** What a failure of an opening means whose `signal` may have been aborted, and what it left. The rest keeps its words. */
export function openFailure(
  error: unknown,
  signal: AbortSignal,
  { left, leftIdentity }: Pick<EngineError, 'left' | 'leftIdentity'> = leftBy(error),
): EngineError {
  const cause = signal.aborted ? signal.reason : error;
  if (cause instanceof EngineError)
    return cause.left === left ? cause : new EngineError(cause.tag, cause.message, left, leftIdentity);
  const cancelled = `Opening was cancelled${left === null ? '; what had been started was ended' : ''}.`;
  const message = error instanceof Error ? error.message : String(error);
  return new EngineError('open-failed', signal.aborted ? cancelled : message, left, leftIdentity);
}

function leftBy(error: unknown): Pick<EngineError, 'left' | 'leftIdentity'> {
  return error instanceof EngineError ? error : { left: null, leftIdentity: null };
}
