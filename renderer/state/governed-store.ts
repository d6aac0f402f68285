import { create } from 'zustand';
import type { GovernedStatus } from '../../shared/governed/activity.ts';
import type {
  CommandCheck,
  CommandReply,
  CommandRequest,
  GovernedFailure,
} from '../../shared/governed/call.ts';
import type { ManifestCommand } from '../../shared/governed/manifest.ts';
import { EMPTY_HISTORY, type History } from '../governed/history.ts';
import { literalTexts } from '../governed/literal-texts.ts';
import type { PaneId } from '../workspace/layout-tree.ts';

/** A status with its deadlines on the page's own clock (`performance.now()`). */
export interface ShownStatus extends Omit<GovernedStatus, 'idleLeftMs' | 'lifeLeftMs'> {
  readonly idleAt: number | null;
  readonly lifeAt: number | null;
}

/** What became of the last command of a pane. */
export type CommandOutcome =
  | { readonly kind: 'answered'; readonly command: string; readonly reply: CommandReply }
  | { readonly kind: 'refused'; readonly command: string; readonly failure: GovernedFailure }
  /** The host could not say: no connection, or no such session any more. */
  | { readonly kind: 'unknown'; readonly command: string; readonly message: string };

/** What a person is about to run in a governed pane, and what came of the last command. */
export interface CommandBarState {
  readonly draft: CommandRequest;
  /** What the host said of exactly this draft; null while it has not. */
  readonly check: CommandCheck | null;
  /** Problems are not held against someone who has only begun. */
  readonly touched: boolean;
  /** A command of this bar is not answered yet. */
  readonly running: boolean;
  readonly outcome: CommandOutcome | null;
  readonly history: History;
}

interface GovernedStore {
  readonly bars: Readonly<Record<PaneId, CommandBarState>>;
  /** By session: an event may come before the answer that names the session's pane. */
  readonly statuses: Readonly<Record<string, ShownStatus>>;
}

export const useGoverned = create<GovernedStore>(() => ({ bars: {}, statuses: {} }));

export function shownStatus(status: GovernedStatus, now: number): ShownStatus {
  const { activity, interactions, idleLeftMs, lifeLeftMs } = status;
  const at = (left: number | null) => (left === null ? null : now + left);
  return { activity, interactions, idleAt: at(idleLeftMs), lifeAt: at(lifeLeftMs) };
}

/** A request for a command that nobody has filled in yet: what can only be one text is filled in. */
export function emptyRequest(command: ManifestCommand | undefined): CommandRequest {
  if (command === undefined) return { command: '', text: '', args: {} };
  const texts = literalTexts(command.pattern);
  const args = command.args.filter(({ name }) => name !== 'command');
  return {
    command: command.name,
    text: texts.length === 1 ? (texts[0] ?? '') : '',
    args: Object.fromEntries(args.map((arg) => [arg.name, arg.default ?? ''])),
  };
}

export function openBar(pane: PaneId, commands: readonly ManifestCommand[]): void {
  const history = useGoverned.getState().bars[pane]?.history ?? EMPTY_HISTORY;
  const bar: CommandBarState = {
    draft: emptyRequest(commands[0]),
    check: null,
    touched: false,
    running: false,
    outcome: null,
    history,
  };
  useGoverned.setState(({ bars }) => ({ bars: { ...bars, [pane]: bar } }));
}

/** Does nothing for a pane without a bar. */
export function changeBar(pane: PaneId, change: Partial<CommandBarState>): void {
  useGoverned.setState(({ bars }) => {
    const bar = bars[pane];
    return bar === undefined ? {} : { bars: { ...bars, [pane]: { ...bar, ...change } } };
  });
}

export function removeBar(pane: PaneId): void {
  useGoverned.setState(({ bars }) => {
    const { [pane]: _, ...others } = bars;
    return { bars: others };
  });
}
