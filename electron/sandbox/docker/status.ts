import { type EngineFix, fixInWords } from '../../../shared/terminal/engine-status.ts';
import { PROBE_DEADLINE_MS } from '../../../shared/terminal/limits.ts';
import { EngineError } from '../engine.ts';
import { DaemonError } from './daemon-error.ts';
import { type DockerEndpoint, sshTarget, startPodman } from './endpoint.ts';

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

/** How to get a daemon that answers. `said` is what was said instead. */
export function daemonFixes(endpoint: DockerEndpoint | null, said: string): EngineFix[] {
  if (endpoint?.kind === 'ssh') return [sshFix(endpoint, said)];
  if (endpoint?.kind === 'tcp')
    return [{ text: 'Check that it listens with TLS, and that the certificates are for it.', command: null }];
  return [
    { text: 'Docker:', command: 'sudo systemctl start docker' },
    { text: 'Podman:', command: startPodman() },
  ];
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

/** One sentence about a failure, for a status, and what else it said as steps. */
export function failureInWords(
  error: unknown,
  endpoint: DockerEndpoint | null,
): { summary: string; fixes: EngineFix[] } {
  const message = error instanceof Error ? error.message : String(error);
  const [summary = '', ...steps] = message.split('\n');
  // One that refuses is there.
  if (error instanceof DaemonError)
    return { summary, fixes: error.status === null ? daemonFixes(endpoint, message) : [] };
  if (error instanceof EngineError && steps.length > 0) return { summary, fixes: steps.map(asFix) };
  return { summary, fixes: [] };
}

/** A daemon that cannot be used, with what to do, for an opening: nothing was created. */
export function unreachable(error: unknown, endpoint: DockerEndpoint): EngineError {
  const { summary, fixes } = failureInWords(error, endpoint);
  return new EngineError('engine-unavailable', [summary, ...fixes.map(fixInWords)].join('\n'));
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

/** "Docker: sudo systemctl start docker", or a command alone, or a sentence. */
function asFix(step: string): EngineFix {
  const labelled = /^([A-Z][^:]*:) ((?:sudo|systemctl|docker|podman|ssh) .*)$/.exec(step);
  if (labelled) return { text: labelled[1] ?? '', command: labelled[2] ?? '' };
  return step.startsWith('sudo ') ? { text: 'Run:', command: step } : { text: step, command: null };
}
