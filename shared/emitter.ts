import { type Disposable, toDisposable } from './disposable.ts';

/**
 * Named events with one payload each. A listener that unsubscribes while an event is fired is not called again; one that
 * throws fails by itself, as an uncaught error: neither the other listeners nor whoever fired the event notice it.
 */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(payload: never) => void>>();

  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): Disposable {
    const own = (payload: Events[Name]) => listener(payload);
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(own);
    return toDisposable(() => listeners.delete(own));
  }

  fire<Name extends keyof Events>(name: Name, payload: Events[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        (listener as (payload: Events[Name]) => void)(payload);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
