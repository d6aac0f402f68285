import { COMMAND_QUEUE_MAX } from '../../../shared/governed/limits.ts';
import { fail } from '../../../shared/result.ts';
import { failure } from './failures.ts';
import type { PendingCommand } from './pending-command.ts';

/**
 * The way into a session, in order of arrival (E8): COMMAND_QUEUE_MAX commands are queued, more wait for a place until their
 * own deadline. A queued command whose caller has left keeps its place until the session gets to it (E23).
 */
export class Admission {
  readonly #queue: PendingCommand[] = [];
  #waiting: PendingCommand[] = [];
  #closed = false;

  get hasCommand(): boolean {
    return this.#queue.length > 0;
  }

  add(command: PendingCommand): void {
    if (this.#closed) {
      command.answer(fail(failure('closedBeforeAdmission')));
      return;
    }
    this.#waiting.push(command);
    this.#admit();
  }

  take(): PendingCommand | null {
    const command = this.#queue.shift() ?? null;
    this.#admit();
    return command;
  }

  /** Nobody is let in any more; whoever is here hears so (X21, X23). */
  close(): void {
    this.#closed = true;
    for (const command of this.#queue.splice(0)) command.answer(fail(failure('closedBeforeResponse')));
    for (const command of this.#waiting.splice(0)) command.answer(fail(failure('closedBeforeAdmission')));
  }

  #admit(): void {
    this.#waiting = this.#waiting.filter((command) => !command.isAnswered);
    while (this.#queue.length < COMMAND_QUEUE_MAX) {
      const command = this.#waiting.shift();
      if (command === undefined) return;
      command.move('queued');
      this.#queue.push(command);
    }
  }
}
