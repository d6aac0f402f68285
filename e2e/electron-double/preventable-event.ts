import type { EventEmitter } from 'node:events';

/** What Electron's listeners get first: an event whose default they may prevent, with the event's own fields. */
export class PreventableEvent {
  defaultPrevented = false;

  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** Emits `name` and says whether a listener prevented the default. `fields` are set on the event itself. */
export function emitPreventable(
  emitter: EventEmitter,
  name: string,
  fields: object = {},
  ...args: unknown[]
): boolean {
  const event = Object.assign(new PreventableEvent(), fields);
  emitter.emit(name, event, ...args);
  return event.defaultPrevented;
}
