import type { EngineKind } from '../../shared/terminal/engine-status.ts';
import type { Outcome, ReleaseCause } from '../../shared/terminal/outcome.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';

/** A session's last state. */
export type Ending = Extract<SessionState, { kind: 'ended' | 'needs-attention' }>;

/** How a session ended, for the pane that it leaves. `tone` is `danger` for everything that is not a plain success. */
export interface EndingWords {
  readonly title: string;
  readonly details: readonly string[];
  readonly tone: 'plain' | 'danger' | 'attention';
}

/** An unknown outcome is said as such and never looks like a success (ST-22). `engine`: where something may be left. */
export function endingWords(ending: Ending, engine: EngineKind = 'bubblewrap'): EndingWords {
  const cause = causeWords(ending.cause);
  const outcome = outcomeSentence(ending.outcome);
  if (ending.kind === 'needs-attention') {
    const reason = ending.release.reason ?? 'Its sandbox could not be confirmed gone';
    // What is unknown is often one thing: whether it ended and whether it is gone.
    const isSaid = ending.outcome.kind === 'unknown' && reason.includes(ending.outcome.reason);
    return {
      title: 'This session needs attention.',
      details: [sentence(reason), WHERE_LEFT[engine], ...withoutNull(cause, isSaid ? null : outcome)],
      tone: 'attention',
    };
  }
  // Whoever ended a session knows why its program got a signal.
  if (wasAsked(ending))
    return { title: cause ?? outcome, details: cause === null ? [] : [outcome], tone: 'plain' };
  const { kind } = ending.outcome;
  const success = kind === 'concluded' || (kind === 'exited' && ending.outcome.code === 0);
  return {
    title: outcome,
    details: withoutNull(signalHint(ending.outcome), cause),
    tone: success ? 'plain' : 'danger',
  };
}

/** Where a person looks for what could not be confirmed gone. */
const WHERE_LEFT: Readonly<Record<EngineKind, string>> = {
  bubblewrap:
    'Nothing was signalled that might belong to another program. Look for what is left in your system’s process list and end it yourself.',
  microvm:
    'Nothing was signalled that might belong to another program. Look for what is left in your system’s process list and end it yourself.',
  container:
    'Nothing was removed that might be somebody else’s. Look for what is left among the daemon’s containers (label dev.airlock.session) and remove it yourself.',
  attach: 'Look for what is left inside that container and end it yourself. The container was left as it is.',
  smolvm:
    'Its program may still run. When you have looked, say so in the profile: until then the machine takes no session.',
};

/** What closing ends, and what becomes of the files, a sentence for each kind of engine. */
export function closeWords(engines: readonly EngineKind[]): string[] {
  return [...new Set(engines.map((engine) => WHEN_CLOSED[engine]))];
}

const ALL_GONE = 'What runs in the sandbox is stopped. Its private files are gone with it.';
const WHEN_CLOSED: Readonly<Record<EngineKind, string>> = {
  bubblewrap: ALL_GONE,
  container: ALL_GONE,
  microvm: ALL_GONE,
  attach: 'What was started in the running container is stopped. The files that it left there stay.',
  smolvm:
    'The connection to the machine is closed. Whether the program ends is not known: until you have looked, the machine takes no other session. Leave the program first, and it is known. The files that it left there stay.',
};

/** "Exit code 2.", "Ended by SIGKILL (signal 9).", "Outcome unknown: …" */
export function outcomeSentence(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'exited':
      return `Exit code ${outcome.code}.`;
    case 'signalled':
      return `Ended by ${outcome.name} (signal ${outcome.signal}).`;
    case 'concluded':
      return sentence(outcome.reason);
    case 'unknown':
      return `Outcome unknown: ${sentence(outcome.reason)}`;
  }
}

const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
};

/** What codes above 128 usually stand for on Linux; a program may mean something else by them. */
function signalHint(outcome: Outcome): string | null {
  const name = outcome.kind === 'exited' ? SIGNALS[outcome.code - 128] : undefined;
  return name === undefined ? null : `This code usually means that the program was ended by ${name}.`;
}

/** The few words that fit behind a tab's title: "exit 2", "SIGKILL", "unknown". */
export function outcomeMark(ending: Ending): string {
  if (ending.kind === 'needs-attention') return 'needs attention';
  const { outcome } = ending;
  if (wasAsked(ending) || outcome.kind === 'concluded') return 'ended';
  if (outcome.kind === 'exited') return `exit ${outcome.code}`;
  return outcome.kind === 'signalled' ? outcome.name : 'outcome unknown';
}

/** Null when the program ended by itself. */
function causeWords(cause: ReleaseCause): string | null {
  const words: Record<ReleaseCause, string | null> = {
    'program-ended': null,
    escape: 'Disconnected with the escape sequence.',
    user: 'You ended this session.',
    'client-lost': 'The connection ended, and the session with it.',
    'terminal-lost': 'Its terminal was lost.',
    deadline: 'It did not end within its time limit.',
    'recording-lost': 'It could not be recorded any more, and a governed session is always recorded.',
    'host-closing': 'Airlock was closed.',
  };
  return words[cause];
}

/** Ending a session oneself is no failure, whatever signal that took; but what is unknown stays unknown. */
function wasAsked({ cause, outcome }: Ending): boolean {
  return (cause === 'user' || cause === 'escape' || cause === 'host-closing') && outcome.kind !== 'unknown';
}

function withoutNull(...texts: readonly (string | null)[]): string[] {
  return texts.filter((text) => text !== null);
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
