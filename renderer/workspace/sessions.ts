import { flushSync } from 'react-dom';
import type { LoadedManifest } from '../../shared/governed/manifest.ts';
import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { LocalNotice } from '../../shared/protocol/events.ts';
import type { OpenedSession } from '../../shared/protocol/requests.ts';
import { type Profile, sandboxProfiles } from '../../shared/settings/schema.ts';
import type { EngineKind } from '../../shared/terminal/engine-status.ts';
import type { SessionState } from '../../shared/terminal/session-state.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';
import type { Client } from '../connection/client.ts';
import { announce } from '../state/announcements-store.ts';
import { openBar, removeBar } from '../state/governed-store.ts';
import { currentManifest } from '../state/manifests-store.ts';
import {
  addPane,
  changePane,
  isLive,
  type Pane,
  type PaneState,
  paneName,
  paneOf,
  removePane,
  showMessage,
  showNotice,
  usePanes,
} from '../state/panes-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { showAlert, useWorkspace } from '../state/workspace-store.ts';
import type { TerminalView } from '../terminal/terminal-view.ts';
import { activePaneOf } from './layout.ts';
import type { PaneId } from './layout-tree.ts';
import { endingWords } from './outcome-words.ts';
import { Views } from './views.ts';

export interface OpenChoice {
  /** The default profile when left out. */
  readonly profileId?: string | undefined;
  /** Opens a throw-away session of this profile, saved or not, in place of a saved one's. */
  readonly trial?: Profile | undefined;
  /** A project folder for this session alone. */
  readonly project?: string | undefined;
  /** Opens a governed session of this manifest in place of a shell. */
  readonly manifest?: LoadedManifest | undefined;
}

/** Where a session is seen; the rest tells of it when its pane was closed before it ended. */
interface Place {
  readonly pane: PaneId;
  readonly name: string;
  readonly engine: EngineKind;
}

type Opened = OpenedSession & { readonly manifest?: LoadedManifest };

/**
 * The sessions of this page, one for each pane: opens them at the size of their terminal, follows their state, ends
 * them. What the person sees of it is the state of panes.
 */
export class Sessions {
  readonly views = new Views((pane) => void this.resume(pane));
  readonly #client: Client;
  readonly #placeOfSession = new Map<string, Place>();
  /** States that came before the answer to `session.open` did. */
  readonly #early = new Map<string, SessionState>();
  /** Panes whose ending is known while their last output is still on its way to the screen. */
  readonly #settling = new Set<PaneId>();
  #count = 0;

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event === 'session.state') this.#stateChanged(event.sessionId, event.state);
      if (event.event === 'session.notice') this.#noticed(event.sessionId, event.notice);
    });
    client.onState((state) => {
      if (state.kind === 'lost' || state.kind === 'signed-out') this.#connectionLost(state.reason);
    });
  }

  /**
   * Makes a pane and opens a session in it as soon as the pane has been given a place. Null without any profile, and where the
   * one that is named is gone: no other stands in for it, as that may let more through.
   */
  create({ profileId, trial, project, manifest }: OpenChoice): PaneId | null {
    const { settings } = useSettings.getState();
    const { defaultProfile } = settings;
    const profiles = sandboxProfiles(settings);
    const saved = profiles.find(({ id }) => id === (profileId ?? defaultProfile));
    const profile = trial ?? saved ?? (profileId === undefined ? profiles[0] : undefined);
    if (profile === undefined) return null;
    this.#count += 1;
    const pane = `pane-${this.#count}`;
    const governed = manifest ?? null;
    const shown = { profile, trial: trial ?? null, project: project ?? null, governed };
    addPane(pane, shown);
    this.views.create(pane, `Terminal, ${paneName(shown)}`);
    if (governed !== null) openBar(pane, governed.manifest.commands);
    void this.#open(pane);
    return pane;
  }

  /** A new session of the same profile in the place of one that ended; what that one showed stays above. */
  async openAgain(id: PaneId): Promise<void> {
    const pane = paneOf(id);
    if (pane === null || isLive(pane)) return;
    const profiles = sandboxProfiles(useSettings.getState().settings);
    const profile = pane.trial ?? profiles.find((saved) => saved.id === pane.profile.id);
    const session = pane.session === null ? {} : { session: null };
    const governed = pane.governed === null ? null : currentManifest(pane.governed);
    if (governed !== null) openBar(id, governed.manifest.commands);
    changePane(id, {
      ...session,
      governed,
      profile: profile ?? pane.profile,
      state: { kind: 'opening' },
      title: '',
      notices: [],
    });
    await this.#open(id);
  }

  /** Ends the session; its pane stays and says how it ended. */
  end(id: PaneId): void {
    const pane = paneOf(id);
    if (pane?.session && isLive(pane)) void this.#ask(id, 'session.end', { sessionId: pane.session.id });
  }

  /** Ends the session, if one runs, and takes the pane away. */
  discard(id: PaneId): void {
    this.end(id);
    this.views.remove(id);
    removePane(id);
    removeBar(id);
  }

  suspend(id: PaneId): void {
    const pane = paneOf(id);
    if (pane?.session) void this.#ask(id, 'session.suspend', { sessionId: pane.session.id });
  }

  /** Tells the current size first (ST-13). */
  resume(id: PaneId): void {
    const pane = paneOf(id);
    const size = this.views.get(id)?.size;
    if (!pane?.session || pane.state.kind !== 'running' || !pane.state.suspended || !size) return;
    void this.#ask(id, 'session.resume', { sessionId: pane.session.id, size });
  }

  async sendBreak(id: PaneId): Promise<void> {
    const pane = paneOf(id);
    if (!pane?.session) return;
    const answer = await this.#client.request('session.break', { sessionId: pane.session.id });
    await this.#tell(id, [answer.ok ? answer.value.effect : answer.error.message]);
  }

  /** Opens a link that the person confirmed. */
  async openLink(id: PaneId, url: string): Promise<void> {
    const answer = await this.#client.request('link.open', { url });
    if (!answer.ok) showMessage(id, answer.error.message);
    else if (answer.value.openedBy === 'client')
      window.open(answer.value.url, '_blank', 'noopener,noreferrer');
  }

  async #open(id: PaneId): Promise<void> {
    const view = this.views.get(id);
    const size = await view?.whenMeasured();
    const pane = paneOf(id);
    if (!view || !size || pane === null) return;
    if (pane.governed === null) view.opening();
    this.#focusNew(id);
    const answer = await this.#askToOpen(pane, size);
    if (answer.ok) this.#opened(id, answer.value);
    else this.#failed(id, answer.error);
  }

  #askToOpen({ profile, trial, project, governed }: Pane, size: TerminalSize) {
    if (trial !== null) return this.#client.request('session.try', { profile: trial, size });
    const params = { profileId: profile.id, size, ...(project === null ? {} : { project }) };
    return governed === null
      ? this.#client.request('session.open', params)
      : this.#client.request('governed.open', { ...params, manifestDigest: governed.digest });
  }

  /** Puts the focus where the pane is worked with: into its terminal, or into the command line of a governed session. */
  focus(id: PaneId): void {
    const line = document.querySelector<HTMLElement>(`[data-pane="${id}"] [data-command-line]`);
    if (line !== null) line.focus();
    else this.views.get(id)?.focus();
  }

  #opened(id: PaneId, opened: Opened): void {
    const name = paneName(paneOf(id) ?? { ...opened, governed: opened.manifest ?? null, trial: null });
    this.#placeOfSession.set(opened.sessionId, { pane: id, name, engine: opened.profile.engine });
    const view = this.views.get(id);
    // A pane that was closed while its session was opening still hears how that ends.
    if (view === null || paneOf(id) === null)
      void this.#client.request('session.end', { sessionId: opened.sessionId });
    else this.#show(id, view, opened);
    const early = this.#early.get(opened.sessionId);
    this.#early.delete(opened.sessionId);
    if (early !== undefined) this.#stateChanged(opened.sessionId, early);
  }

  #show(id: PaneId, view: TerminalView, opened: Opened): void {
    view.open(this.#client, opened, opened.manifest === undefined ? 'driven' : 'watched');
    const change = {
      profile: opened.profile,
      governed: opened.manifest ?? null,
      session: { id: opened.sessionId, posture: opened.posture },
      state: { kind: 'running', route: 'sandbox', suspended: false },
    } as const;
    // Drawn at once: the command line of a governed session is there only now.
    flushSync(() => changePane(id, change));
    if (opened.manifest !== undefined) this.#focusNew(id);
  }

  #failed(id: PaneId, error: TaggedError): void {
    const pane = paneOf(id);
    if (pane === null) return;
    this.views.get(id)?.giveUp();
    changePane(id, { state: { kind: 'failed', error } });
    announce(`${paneName(pane)} did not open. ${error.message}`);
  }

  #stateChanged(sessionId: string, state: SessionState): void {
    const place = this.#placeOfSession.get(sessionId);
    if (place === undefined) {
      this.#early.set(sessionId, state);
      return;
    }
    if (state.kind === 'ended' || state.kind === 'needs-attention') {
      this.#placeOfSession.delete(sessionId);
      this.#ended(sessionId, place, state);
      return;
    }
    const id = place.pane;
    this.views.get(id)?.holdInput(state.kind === 'running' && state.suspended);
    const before = paneOf(id);
    changePane(id, { state });
    if (before !== null) announceChange(before, state);
  }

  #ended(
    sessionId: string,
    { pane: id, name, engine }: Place,
    state: Extract<SessionState, { kind: 'ended' | 'needs-attention' }>,
  ): void {
    const words = endingWords(state, engine);
    if (paneOf(id) !== null) void this.#settle(id, state, words.title);
    // The person closed the pane, but must hear of a sandbox that could not be confirmed gone (ST-25).
    else if (state.kind === 'needs-attention') {
      const text = [`“${name}” was closed, and its session needs attention.`, ...words.details].join(' ');
      showAlert({ id: sessionId, text });
    }
  }

  /** Shows an ending once the last output is on the screen. */
  async #settle(id: PaneId, state: PaneState, words: string): Promise<void> {
    this.#settling.add(id);
    await this.views.get(id)?.end();
    this.#settling.delete(id);
    const pane = paneOf(id);
    if (pane === null) return;
    const change = {
      state,
      hovered: null,
      notices: pane.notices.filter(({ kind }) => kind === 'recording-stopped' || kind === 'publishing'),
      asks: pane.asks.filter(({ kind }) => kind === 'link'),
    };
    flushSync(() => changePane(id, change));
    // What had the focus went with the session: its command line, or a question.
    if (document.activeElement === document.body) this.#focusNew(id);
    announce(`${paneName(pane)}: ${words}`);
  }

  #connectionLost(reason: string): void {
    this.#placeOfSession.clear();
    this.#early.clear();
    for (const pane of Object.values(usePanes.getState().panes)) {
      if (isLive(pane) && !this.#settling.has(pane.id))
        void this.#settle(
          pane.id,
          { kind: 'lost', reason },
          'The connection ended, and the session with it.',
        );
    }
  }

  #noticed(sessionId: string, notice: LocalNotice): void {
    const id = this.#placeOfSession.get(sessionId)?.pane;
    if (id === undefined) return;
    switch (notice.kind) {
      case 'break':
        void this.#tell(id, [notice.text]);
        break;
      case 'input-refused':
        showMessage(id, notice.error.message);
        break;
      case 'escape-help':
        void this.#helpWithEscapes(id, notice.sequences);
        break;
      case 'recording-stopped':
        this.#recordingStopped(id, notice.why);
        break;
    }
  }

  #recordingStopped(id: PaneId, why: string): void {
    const pane = usePanes.getState().panes[id];
    if (!pane?.session) return;
    const posture = { ...pane.session.posture, recorded: false, recordingStopped: why };
    changePane(id, { session: { ...pane.session, posture } });
    showNotice(id, { kind: 'recording-stopped', why });
  }

  async #helpWithEscapes(id: PaneId, sequences: readonly { keys: string; meaning: string }[]): Promise<void> {
    const width = Math.max(...sequences.map(({ keys }) => keys.length));
    const lines = sequences.map(({ keys, meaning }) => `  ${keys.padEnd(width)}  ${meaning}`);
    const drawn = await this.views
      .get(id)
      ?.showNotice(['Escape sequences at the start of a line:', ...lines]);
    if (drawn === false) showNotice(id, { kind: 'escape-help', sequences });
  }

  /** On the screen where that does no harm, else beside it. */
  async #tell(id: PaneId, lines: readonly string[]): Promise<void> {
    const drawn = await this.views.get(id)?.showNotice(lines);
    if (drawn === false) showMessage(id, lines.join(' '));
  }

  async #ask(id: PaneId, ...[verb, params]: Parameters<Client['request']>): Promise<void> {
    const answer = await this.#client.request(verb, params);
    if (!answer.ok) showMessage(id, answer.error.message);
  }

  /** The person asked for this session: it gets the focus, unless they are busy with something else by now. */
  #focusNew(id: PaneId): void {
    const { layout, place } = useWorkspace.getState();
    const busy = document.activeElement?.closest(BUSY);
    if (place === 'sessions' && activePaneOf(layout) === id && !busy) this.focus(id);
  }
}

/** Where the focus stays although a session opened. */
const BUSY = 'input, [role=dialog], [role=menu], [data-strip]';

function announceChange(before: Pane, state: SessionState): void {
  const was = before.state.kind === 'running' && before.state.suspended;
  const is = state.kind === 'running' && state.suspended;
  if (is && !was) announce(`${paneName(before)} is suspended. Any key resumes it.`);
  if (was && state.kind === 'running' && !is) announce(`${paneName(before)} runs again.`);
}
