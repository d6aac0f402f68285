import type { CommandReply, GovernedFailure } from '../../../shared/governed/call.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { PendingCommand } from './pending-command.ts';

/** Why a session ends, and what is still owed for it. */
export interface Ending {
  /** A sentence for a person. */
  readonly why: string;
  /** What closing the run will report besides the removal and the unpublished file (E42, E43). */
  readonly cleanup: GovernedFailure | null;
  /** Who is answered when the worker is gone, and with what (E37). */
  readonly answer: {
    readonly command: PendingCommand;
    readonly result: Result<CommandReply, GovernedFailure>;
  } | null;
}

/** The session ends because a command failed (E37). */
export function failedCommand(
  command: PendingCommand,
  failure: GovernedFailure,
  cleanup: GovernedFailure | null = null,
): Ending {
  return { why: sentence(failure.text), cleanup, answer: { command, result: fail(failure) } };
}

/** The session ends by itself: no command is told (E38). */
export function silentEnd(why: string, cleanup: GovernedFailure | null = null): Ending {
  return { why, cleanup, answer: null };
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The session ends with a command that succeeded (E36, E39). */
export function repliedEnd(why: string, command: PendingCommand, reply: CommandReply): Ending {
  return { why, cleanup: null, answer: { command, result: ok(reply) } };
}
