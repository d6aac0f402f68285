import { create } from 'zustand';
import type { LoadedManifest } from '../../shared/governed/manifest.ts';
import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { Profile } from '../../shared/settings/schema.ts';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import type { ClipboardConfirmation, PasteConfirmation, TerminalLink } from '../terminal/terminal-events.ts';
import type { TabId } from '../workspace/layout.ts';
import type { PaneId } from '../workspace/layout-tree.ts';

/** A session's state as the host says it, and two more that only the page knows. */
export type PaneState =
  | SessionState
  /** Nothing was started, or what was started is gone again. */
  | { readonly kind: 'failed'; readonly error: TaggedError }
  /** The connection ended and the session with it (ST-23). */
  | { readonly kind: 'lost'; readonly reason: string };

/** What a person wants closed, and the panes whose sessions this ends. */
export interface Closing {
  /** Null for the pane alone. */
  readonly tab: TabId | null;
  readonly ends: readonly PaneId[];
  /** On the clock of `performance.now()`. */
  readonly askedAt: number;
}

/** Something a pane asks the person. At most one of each kind at a time. */
export type PaneAsk =
  | { readonly kind: 'close'; readonly closing: Closing }
  | { readonly kind: 'paste'; readonly paste: PasteConfirmation }
  | { readonly kind: 'clipboard'; readonly request: ClipboardConfirmation }
  | { readonly kind: 'link'; readonly link: TerminalLink; readonly href: string };

export interface EscapeSequence {
  readonly keys: string;
  readonly meaning: string;
}

/** Something a pane tells the person, beside the terminal. At most one of each kind at a time. */
export type PaneNotice =
  /** Goes by itself. */
  | { readonly kind: 'message'; readonly text: string }
  /** `~?` while a program has the whole screen (ST-14). */
  | { readonly kind: 'escape-help'; readonly sequences: readonly EscapeSequence[] }
  /** Stays until it is dismissed; the header goes on saying that the pane is no longer recorded. */
  | { readonly kind: 'recording-stopped'; readonly why: string }
  /** A file of /out on its way out of the sandbox, and how that ended. */
  | {
      readonly kind: 'publishing';
      readonly path: string;
      readonly state: 'asking' | 'published' | 'failed' | 'refused';
      readonly text: string;
      /** Names the sealed file of one that failed, which can still be published. */
      readonly keptId?: string;
    };

/** What is looked for in a pane, and what was found. */
export interface Find {
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
  readonly regex: boolean;
  /** Of the marked match, from 0; -1 when there are more than are counted, or none. */
  readonly index: number;
  readonly count: number;
  /** Counts how often the bar was asked for: each time its text is selected anew. */
  readonly asked: number;
}

export interface Pane {
  readonly id: PaneId;
  /** What the session was opened with; until it is open, what is asked for. */
  readonly profile: Profile;
  /** A throw-away session: what it is opened with stands here alone, saved or not. Null for every other one. */
  readonly trial: Profile | null;
  /** The project folder of this pane alone, in place of the profile's. */
  readonly project: string | null;
  /** The manifest of a governed session; null for a shell. */
  readonly governed: LoadedManifest | null;
  /** Null until the session is open. */
  readonly session: { readonly id: string; readonly posture: SandboxPosture } | null;
  readonly state: PaneState;
  /** The program's title, cleaned (B15); empty when it set none. */
  readonly title: string;
  readonly bell: boolean;
  readonly size: TerminalSize | null;
  readonly hasSelection: boolean;
  readonly asks: readonly PaneAsk[];
  readonly notices: readonly PaneNotice[];
  /** Null while the find bar is closed. */
  readonly find: Find | null;
  /** The link under the pointer. */
  readonly hovered: TerminalLink | null;
}

interface PanesStore {
  readonly panes: Readonly<Record<PaneId, Pane>>;
}

export const usePanes = create<PanesStore>(() => ({ panes: {} }));

export function paneOf(id: PaneId | null): Pane | null {
  return id === null ? null : (usePanes.getState().panes[id] ?? null);
}

/** Does nothing for a pane that is gone. */
export function changePane(id: PaneId, change: Partial<Pane> | ((pane: Pane) => Partial<Pane>)): void {
  usePanes.setState(({ panes }) => {
    const pane = panes[id];
    if (pane === undefined) return {};
    return {
      panes: { ...panes, [id]: { ...pane, ...(typeof change === 'function' ? change(pane) : change) } },
    };
  });
}

export function addPane(
  id: PaneId,
  { profile, trial, project, governed }: Pick<Pane, 'profile' | 'trial' | 'project' | 'governed'>,
): void {
  const pane: Pane = {
    id,
    profile,
    trial,
    project,
    governed,
    session: null,
    state: { kind: 'opening' },
    title: '',
    bell: false,
    size: null,
    hasSelection: false,
    asks: [],
    notices: [],
    find: null,
    hovered: null,
  };
  usePanes.setState(({ panes }) => ({ panes: { ...panes, [id]: pane } }));
}

export function removePane(id: PaneId): void {
  usePanes.setState(({ panes }) => {
    const { [id]: _, ...others } = panes;
    return { panes: others };
  });
}

/** Shows a notice in place of the last one of its kind. */
export function showNotice(id: PaneId, notice: PaneNotice): void {
  changePane(id, ({ notices }) => ({
    notices: [...notices.filter(({ kind }) => kind !== notice.kind), notice],
  }));
}

export function showMessage(id: PaneId, text: string): void {
  showNotice(id, { kind: 'message', text });
}

export function dropNotices(id: PaneId, ...kinds: readonly PaneNotice['kind'][]): void {
  changePane(id, ({ notices }) => ({ notices: notices.filter(({ kind }) => !kinds.includes(kind)) }));
}

/** Shows an ask in place of the last one of its kind. */
export function showAsk(id: PaneId, ask: PaneAsk): void {
  changePane(id, ({ asks }) => ({ asks: [...asks.filter(({ kind }) => kind !== ask.kind), ask] }));
}

export function dropAsk(id: PaneId, kind: PaneAsk['kind']): void {
  changePane(id, ({ asks }) => ({ asks: asks.filter((ask) => ask.kind !== kind) }));
}

/** What a pane is called: by its manifest, or by its profile. A throw-away session says that it is one. */
export function paneName({ governed, profile, trial }: Pick<Pane, 'governed' | 'profile' | 'trial'>): string {
  return trial === null ? (governed?.manifest.name ?? profile.name) : `Try: ${trial.name}`;
}

/** Whether closing the pane would end something. */
export function isLive({ state }: Pane): boolean {
  return state.kind === 'opening' || state.kind === 'running' || state.kind === 'releasing';
}

/** One word for attributes, icons and tests. */
export function stateWord({ state }: Pane): string {
  return state.kind === 'running' && state.suspended ? 'suspended' : state.kind;
}
