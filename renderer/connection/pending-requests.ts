import type { TaggedError } from '../../shared/protocol/errors.ts';
import { taggedError } from '../../shared/protocol/errors.ts';
import { type ResultOf, requests, type Verb } from '../../shared/protocol/requests.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

export type Answer<V extends Verb> = Result<ResultOf<V>, TaggedError>;

interface Pending {
  readonly verb: Verb;
  readonly settle: (answer: Result<unknown, TaggedError>) => void;
}

/** The requests of one link that the host has not answered yet. */
export class PendingRequests {
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  /** `send` gets the id under which the answer will come. */
  add<V extends Verb>(verb: V, send: (id: number) => void): Promise<Answer<V>> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, { verb, settle: (answer) => resolve(answer as Answer<V>) });
      send(id);
    });
  }

  /** A result that is not what the verb promises is a failure of the host, told as one. */
  reply(id: number, result: unknown): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    const read = requests[pending.verb].result.safeParse(result);
    pending.settle(read.success ? ok(read.data) : fail(unreadable(pending.verb)));
  }

  failure(id: number, error: TaggedError): void {
    this.#take(id)?.settle(fail(error));
  }

  failAll(error: TaggedError): void {
    for (const { settle } of this.#pending.values()) settle(fail(error));
    this.#pending.clear();
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

function unreadable(verb: Verb): TaggedError {
  return taggedError('malformed-message', `The host answered ${verb} with something this page cannot read.`);
}
