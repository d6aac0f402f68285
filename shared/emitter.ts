import { type Disposable, toDisposable } from './disposable.ts';

/** Named events with one payload each; a listener that unsubscribes while an event is fired is not called again. */
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
      (listener as (payload: Events[Name]) => void)(payload);
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
