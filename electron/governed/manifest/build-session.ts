import { INTERACTION_OUTPUT, INTERACTIONS, TIMER_MAX_MS } from '../../../shared/governed/limits.ts';
import type { Manifest } from '../../../shared/governed/manifest.ts';
import { compileBounded } from './bounded-pattern.ts';
import type { Findings } from './findings.ts';
import type { ManifestShape } from './manifest-shape.ts';
import { needsOuterSpace } from './pattern-findings.ts';
import { startupArgv } from './startup-argv.ts';

const BOUNDS = 'X9: terminal startup, idle, lifetime and interaction bounds must be positive and finite';
const LIFETIME = 'X14: terminal lifetime exceeds supported range';

/** Milliseconds of a `…_seconds` key: positive (X9), and no longer than a timer can wait. */
export function millisecondsOf(seconds: bigint, path: readonly string[], findings: Findings): number {
  const max = BigInt(TIMER_MAX_MS) / 1000n;
  if (seconds === 0n) findings.problem(path, `must be 1 to ${max} seconds, is 0 (${BOUNDS})`);
  if (seconds > max) findings.problem(path, `must be 1 to ${max} seconds, is ${seconds} (${LIFETIME})`);
  return Number(seconds) * 1000;
}

/** `[session]` without its commands: E10.9 at load (M3). */
export function buildSession(shape: ManifestShape['session'], findings: Findings): Manifest['session'] {
  const seconds = (key: 'startup' | 'idle' | 'session') =>
    millisecondsOf(shape[`${key}_timeout_seconds`], ['session', `${key}_timeout_seconds`], findings);

  const argv = startupArgv(shape.startup_command);
  if (!argv.ok) {
    const hint = 'split like shell words, without a shell; quotes must be closed, the program named';
    findings.problem(['session', 'startup_command'], `${hint} (${argv.error})`);
  }
  checkReadyPattern(shape.ready_pattern, findings);

  const interactions = Number(shape.max_interactions);
  if (interactions < INTERACTIONS.min || interactions > INTERACTIONS.max) {
    findings.problem(
      ['session', 'max_interactions'],
      `must be ${INTERACTIONS.min} to ${INTERACTIONS.max}, is ${interactions} (${BOUNDS})`,
    );
  }
  return {
    startupArgv: argv.ok ? argv.value : [],
    readyPattern: shape.ready_pattern,
    startupTimeoutMs: seconds('startup'),
    idleTimeoutMs: seconds('idle'),
    sessionTimeoutMs: seconds('session'),
    maxInteractions: interactions,
    ...interaction(shape.interaction, findings),
  };
}

function interaction(
  shape: ManifestShape['session']['interaction'],
  findings: Findings,
): Pick<Manifest['session'], 'outputMaxBytes' | 'outputWaitMs'> {
  const bounded = 'X14: terminal output must be bounded to at most 4 MiB with a positive wait';
  const { output_max_bytes: bytes, output_wait_ms: wait } = shape;
  if (bytes < 1n || bytes > BigInt(INTERACTION_OUTPUT.maxBytes)) {
    findings.problem(
      ['session', 'interaction', 'output_max_bytes'],
      `must be 1 to ${INTERACTION_OUTPUT.maxBytes} bytes, is ${bytes} (${bounded})`,
    );
  }
  const waitMax = BigInt(Math.floor(TIMER_MAX_MS / INTERACTION_OUTPUT.waitFactor));
  if (wait < 1n || wait > waitMax) {
    const rule = wait < 1n ? bounded : 'X14: terminal wait exceeds supported range';
    findings.problem(
      ['session', 'interaction', 'output_wait_ms'],
      `must be 1 to ${waitMax} milliseconds, is ${wait} (${rule})`,
    );
  }
  return { outputMaxBytes: Number(bytes), outputWaitMs: Number(wait) };
}

function checkReadyPattern(source: string, findings: Findings): void {
  const path = ['session', 'ready_pattern'];
  const pattern = compileBounded(source, findings);
  if (!pattern.ok) {
    findings.problem(path, `X12: invalid terminal ready pattern: ${pattern.error}`);
    return;
  }
  if (pattern.value.matchesWhole('')) {
    findings.problem(path, 'X13: terminal ready pattern must not match empty output');
  } else if (needsOuterSpace(pattern.value)) {
    findings.warn(path, 'never matches: it needs a space at an end, and is compared with a trimmed line');
  }
  pattern.value.free();
}
