/** What can have happened when a session looks. */
export type Fact =
  /** The run was cancelled, or the host is closing. */
  | 'stop'
  /** Whoever waits for the running command has left. */
  | 'caller-gone'
  /** The phase's deadline has passed. */
  | 'deadline'
  /** The work that was begun is over: a start, a write. */
  | 'work'
  | 'command'
  | 'output'
  /** The program's output has come to its end. */
  | 'ended'
  /** The prompt has stood still long enough. */
  | 'settled'
  /** The response took too long (E19). */
  | 'late';

/**
 * What a session heeds in each phase, the most important first (E21, E22). Several facts can hold at once; which of them
 * counts is decided here and nowhere else.
 */
export const PRIORITIES = {
  /** Between commands: an expired timer beats a command that arrives with it. */
  idle: ['stop', 'deadline', 'command', 'output', 'ended'],
  /** The worker is being started. */
  starting: ['stop', 'caller-gone', 'deadline', 'work'],
  /** The command is being written. */
  writing: ['stop', 'caller-gone', 'deadline', 'work'],
  /** The prompt is waited for: the first one, or that of a command. */
  answering: ['stop', 'caller-gone', 'deadline', 'output', 'ended', 'settled', 'late'],
} as const satisfies Record<string, readonly Fact[]>;

export type Phase = keyof typeof PRIORITIES;
export type FactOf<P extends Phase> = (typeof PRIORITIES)[P][number];

/** The fact of a phase that counts, or null while none holds. */
export function mostImportant<P extends Phase>(phase: P, holds: (fact: Fact) => boolean): FactOf<P> | null {
  const order: readonly FactOf<P>[] = PRIORITIES[phase];
  return order.find(holds) ?? null;
}
