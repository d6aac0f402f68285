import type { Services } from '../app/services.ts';
import { announce } from '../state/announcements-store.ts';
import { useApprovals } from '../state/approvals-store.ts';
import { useConnection } from '../state/connection-store.ts';
import { isLive, type Pane, paneOf, showMessage } from '../state/panes-store.ts';
import { showSettingsSection, useWorkspace } from '../state/workspace-store.ts';
import type { TerminalView } from '../terminal/terminal-view.ts';
import type { PlayerControls } from '../transcripts/player/player-controls.ts';
import { findAgain, openFind } from '../workspace/find.ts';
import { activePaneOf, findTab, movePaneToTab } from '../workspace/layout.ts';
import type { Direction } from '../workspace/layout-tree.ts';
import type { Action, Actions } from './registry.ts';

const DIRECTIONS = ['left', 'right', 'up', 'down'] as const satisfies readonly Direction[];
const THEMES = ['system', 'dark', 'light'] as const;

/** What each command of the catalogue does. */
export function createActions(services: Omit<Services, 'commands'>): Actions {
  return {
    ...tabActions(services),
    ...paneActions(services),
    ...sessionActions(services),
    ...terminalActions(services),
    ...transcriptActions(services),
    ...viewActions(services),
    ...appActions(services),
  };
}

type Deps = Omit<Services, 'commands'>;

function tabActions({ workspace }: Deps): Actions {
  const some = () => layout().tabs.length > 0;
  const several = () => layout().tabs.length > 1;
  const active = () => layout().activeTab;
  const go = Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => [
      `tab.go-${n}`,
      { run: () => workspace.activateTabAt(n - 1), enabled: () => several() && layout().tabs.length >= n },
    ]),
  );
  return {
    'tab.new': { run: () => workspace.openTab(), enabled: isConnected },
    'tab.new-with-profile': {
      run: () => useWorkspace.setState({ palette: 'profiles' }),
      enabled: isConnected,
    },
    'governed.open': { run: () => useWorkspace.setState({ palette: 'manifests' }), enabled: isConnected },
    'tab.close': { run: () => workspace.closeTab(active() ?? ''), enabled: some },
    'tab.next': { run: () => workspace.activateTabBy(1), enabled: several },
    'tab.previous': { run: () => workspace.activateTabBy(-1), enabled: several },
    'tab.move-right': { run: () => workspace.moveActiveTab(1), enabled: several },
    'tab.move-left': { run: () => workspace.moveActiveTab(-1), enabled: several },
    ...go,
    'tab.go-last': { run: () => workspace.activateTabAt(-1), enabled: several },
  };
}

function paneActions({ workspace }: Deps): Actions {
  const split = (edge: Direction) => onPane(({ id }) => workspace.split(id, edge), isConnected);
  return {
    'pane.split-right': split('right'),
    'pane.split-down': split('down'),
    'pane.close': onPane(({ id }) => workspace.closePane(id)),
    'pane.maximise': onPane(({ id }) => workspace.toggleMaximised(id), hasSplits),
    'pane.to-tab': onPane(
      ({ id }) => workspace.rearrange((all) => movePaneToTab(all, id, workspace.newTabId(), all.tabs.length)),
      hasSplits,
    ),
    ...Object.fromEntries(
      DIRECTIONS.flatMap((direction) => [
        [`pane.focus-${direction}`, onPane(() => workspace.focusTowards(direction), hasSplits)],
        [`pane.resize-${direction}`, onPane(() => workspace.moveDivider(direction), hasSplits)],
      ]),
    ),
  };
}

function sessionActions({ sessions, workspace, approvals, transcripts }: Deps): Actions {
  const runs = ({ state }: Pane) => state.kind === 'running';
  return {
    'session.open-again': onPane(
      ({ id }) => {
        void sessions.openAgain(id);
        workspace.focusActive();
      },
      (pane) => !isLive(pane) && isConnected(),
    ),
    'session.suspend': onPane(
      ({ id }) => sessions.suspend(id),
      (pane) => runs(pane) && !isSuspended(pane) && !isGoverned(pane),
    ),
    'session.break': onPane(
      ({ id }) => void sessions.sendBreak(id),
      (pane) => runs(pane) && !isGoverned(pane),
    ),
    'session.end': onPane(
      ({ id }) => sessions.end(id),
      (pane) => isLive(pane) && pane.session !== null,
    ),
    'session.publish': onPane(
      ({ id }) => useWorkspace.setState({ publishing: id }),
      (pane) => runs(pane) && !isGoverned(pane),
    ),
    'session.transcript': onPane(
      ({ session }) => session !== null && transcripts.openSession(session.id),
      ({ session, trial }) => session !== null && trial === null,
    ),
    'governed.line': onPane(({ id }) => sessions.focus(id), isGoverned),
    'approvals.go': {
      run: () => approvals.goToDecision(),
      enabled: () => (useApprovals.getState().pending ?? []).length > 0,
    },
  };
}

function terminalActions({ sessions, transcripts }: Deps): Actions {
  const view = (run: (view: TerminalView, pane: Pane) => void, enabled?: (pane: Pane) => boolean) =>
    onPane((pane) => {
      const shown = sessions.views.get(pane.id);
      if (shown !== null) run(shown, pane);
    }, enabled);
  return {
    'edit.copy': inReplay(
      transcripts,
      { run: (replay) => replay.copy(), enabled: (replay) => replay.hasSelection() },
      view(
        (shown, pane) => void copy(shown, pane),
        (pane) => pane.hasSelection,
      ),
    ),
    'edit.paste': view(
      (shown) => void shown.paste(),
      (pane) => isLive(pane) && !isGoverned(pane),
    ),
    'edit.select-all': inReplay(
      transcripts,
      { run: (replay) => replay.selectAll() },
      view((shown) => shown.selectAll()),
    ),
    'find.open': inReplay(
      transcripts,
      { run: (replay) => replay.openFind() },
      onPane(({ id }) => openFind(id)),
    ),
    'find.next': inReplay(
      transcripts,
      { run: (replay) => replay.findAgain('next') },
      onPane(
        ({ id }) => findAgain(sessions.views, id, 'next'),
        (pane) => pane.find !== null,
      ),
    ),
    'find.previous': inReplay(
      transcripts,
      { run: (replay) => replay.findAgain('previous') },
      onPane(
        ({ id }) => findAgain(sessions.views, id, 'previous'),
        (pane) => pane.find !== null,
      ),
    ),
    'link.open': onPane(() => useWorkspace.setState({ palette: 'links' })),
    'scroll.page-up': view((shown) => shown.scrollPages(-1)),
    'scroll.page-down': view((shown) => shown.scrollPages(1)),
    'scroll.top': view((shown) => shown.scrollToTop()),
    'scroll.bottom': view((shown) => shown.scrollToBottom()),
    'scrollback.clear': view((shown) => shown.clear()),
  };
}

function transcriptActions({ transcripts }: Deps): Actions {
  const none: Action = { run: () => {}, enabled: () => false };
  return {
    'transcripts.search': { run: () => transcripts.show(true) },
    'transcript.play': inReplay(transcripts, { run: (replay) => replay.togglePlay() }, none),
    'transcript.text': inReplay(transcripts, { run: (replay) => replay.toggleText() }, none),
    'transcript.export': inReplay(transcripts, { run: (replay) => replay.openExport() }, none),
  };
}

function viewActions({ sessions, settings }: Deps): Actions {
  const appearance = (theme: 'system' | 'dark' | 'light' | 'high-contrast') =>
    void settings.change((all) => ({ ...all, appearance: { ...all.appearance, theme } }));
  return {
    'text.larger': { run: () => sessions.views.zoomBy(1) },
    'text.smaller': { run: () => sessions.views.zoomBy(-1) },
    'text.reset': { run: () => sessions.views.resetZoom() },
    'view.theme': {
      run: () =>
        void settings.change((all) => {
          const index = THEMES.indexOf(all.appearance.theme as (typeof THEMES)[number]);
          const theme = THEMES[(index + 1) % THEMES.length] ?? 'system';
          announce(`Theme: ${theme}.`);
          return { ...all, appearance: { ...all.appearance, theme } };
        }),
    },
    'view.high-contrast': {
      run: () =>
        appearance(document.documentElement.dataset['theme'] === 'high-contrast' ? 'dark' : 'high-contrast'),
    },
    'view.screen-reader': {
      run: () =>
        void settings.change((all) => {
          const screenReader = !all.terminal.screenReader;
          announce(`Screen reader mode ${screenReader ? 'on' : 'off'}.`);
          return { ...all, terminal: { ...all.terminal, screenReader } };
        }),
    },
  };
}

function appActions({ workspace, client, transcripts }: Deps): Actions {
  return {
    'app.palette': {
      run: () =>
        useWorkspace.setState(({ palette }) => ({ palette: palette === 'closed' ? 'commands' : 'closed' })),
    },
    'app.open-folder': {
      run: () => void openFolder({ workspace, client }),
      enabled: isConnected,
    },
    'app.sessions': { run: () => workspace.showSessions() },
    'app.approvals': { run: () => useWorkspace.setState({ place: 'approvals' }) },
    'app.publications': { run: () => useWorkspace.setState({ place: 'publications' }) },
    'app.transcripts': { run: () => transcripts.show(false) },
    'app.settings': { run: () => useWorkspace.setState({ place: 'settings' }) },
    'app.profiles': { run: () => showSettingsSection('profiles') },
    'app.engines': { run: () => showSettingsSection('engines') },
    'app.keys': { run: () => showSettingsSection('keys') },
  };
}

/** The native dialog on a desktop; elsewhere the path is asked for. */
async function openFolder({ workspace, client }: Pick<Services, 'workspace' | 'client'>): Promise<void> {
  if (useConnection.getState().host?.host !== 'desktop') {
    useWorkspace.setState({ askingFolder: true });
    return;
  }
  const answer = await client.request('folder.choose', { use: 'project' });
  if (answer.ok && answer.value.path !== null) workspace.openTab({ project: answer.value.path });
}

async function copy(view: TerminalView, pane: Pane): Promise<void> {
  const refusal = await view.copy();
  if (refusal === null) announce('Copied.');
  else showMessage(pane.id, refusal);
}

/** A command that acts on the transcript that is on the screen, and elsewhere on what it always acts on. */
function inReplay(
  transcripts: Deps['transcripts'],
  own: { run: (replay: PlayerControls) => void; enabled?: (replay: PlayerControls) => boolean },
  elsewhere: Action,
): Action {
  const replay = () => (useWorkspace.getState().place === 'transcripts' ? transcripts.controls : null);
  return {
    run: () => {
      const shown = replay();
      if (shown === null) elsewhere.run();
      else own.run(shown);
    },
    enabled: () => {
      const shown = replay();
      if (shown === null) return elsewhere.enabled?.() ?? true;
      return own.enabled?.(shown) ?? true;
    },
  };
}

function onPane(run: (pane: Pane) => void, enabled: (pane: Pane) => boolean = () => true): Action {
  const active = () => (useWorkspace.getState().place === 'sessions' ? paneOf(activePaneOf(layout())) : null);
  return {
    run: () => {
      const pane = active();
      if (pane !== null) run(pane);
    },
    enabled: () => {
      const pane = active();
      return pane !== null && enabled(pane);
    },
  };
}

function layout() {
  return useWorkspace.getState().layout;
}

function isConnected(): boolean {
  return useConnection.getState().connection.kind === 'connected';
}

function isGoverned({ governed }: Pane): boolean {
  return governed !== null;
}

function isSuspended({ state }: Pane): boolean {
  return state.kind === 'running' && state.suspended;
}

function hasSplits(): boolean {
  return findTab(layout(), layout().activeTab)?.root.kind === 'split';
}
