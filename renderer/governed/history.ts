import type { CommandRequest } from '../../shared/governed/call.ts';

/** Commands remembered per pane. */
const HISTORY_MAX = 200;

/** What was run before, oldest first, and where a person is in it. */
export interface History {
  readonly entries: readonly CommandRequest[];
  /** Null at the draft, which `draft` keeps while older entries are looked at. */
  readonly at: number | null;
  readonly draft: CommandRequest | null;
}

export const EMPTY_HISTORY: History = { entries: [], at: null, draft: null };

export interface Recalled {
  readonly history: History;
  readonly request: CommandRequest;
}

/** The same command twice in a row is one entry. */
export function remember({ entries }: History, request: CommandRequest): History {
  const last = entries.at(-1);
  const repeated = last !== undefined && sameRequest(last, request);
  const kept = repeated ? entries : [...entries, request].slice(-HISTORY_MAX);
  return { entries: kept, at: null, draft: null };
}

/** One step back in time; null at the oldest. `current` is what stands in the bar, and comes back with `newer`. */
export function older(history: History, current: CommandRequest): Recalled | null {
  const at = (history.at ?? history.entries.length) - 1;
  const request = history.entries[at];
  if (request === undefined) return null;
  return { history: { ...history, at, draft: history.at === null ? current : history.draft }, request };
}

/** One step forward, at last to the draft; null when there already. */
export function newer(history: History): Recalled | null {
  if (history.at === null) return null;
  const request = history.entries[history.at + 1];
  if (request !== undefined) return { history: { ...history, at: history.at + 1 }, request };
  return history.draft === null
    ? null
    : { history: { ...history, at: null, draft: null }, request: history.draft };
}

export function sameRequest(a: CommandRequest, b: CommandRequest): boolean {
  const names = Object.keys(a.args);
  return (
    a.command === b.command &&
    a.text === b.text &&
    names.length === Object.keys(b.args).length &&
    names.every((name) => a.args[name] === b.args[name])
  );
}
