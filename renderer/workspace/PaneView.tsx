import { useServices } from '../app/services.ts';
import { CommandBar } from '../governed/CommandBar.tsx';
import { HeldStrip } from '../governed/HeldStrip.tsx';
import { OutcomeLine } from '../governed/OutcomeLine.tsx';
import { openingWords } from '../profiles/engine-facts.ts';
import { useGoverned } from '../state/governed-store.ts';
import { type PaneNotice, paneName, stateWord, usePanes } from '../state/panes-store.ts';
import { DropPreview } from './DropPreview.tsx';
import { EndBar } from './EndBar.tsx';
import { FindBar } from './FindBar.tsx';
import { LinkHint } from './LinkHint.tsx';
import type { PaneId } from './layout-tree.ts';
import { PaneAsks } from './PaneAsks.tsx';
import { PaneHeader } from './PaneHeader.tsx';
import { useContextMenu } from './PaneMenu.tsx';
import { PaneNotices } from './PaneNotices.tsx';
import { SuspendedStrip } from './SuspendedStrip.tsx';
import { TerminalHost } from './TerminalHost.tsx';
import { useClearedPrompt } from './use-cleared-prompt.ts';
import { useOpenAgainByEnter } from './use-open-again-by-enter.ts';
import './pane.css';

/** "Pane 3": panes are told apart by number, since several may have the same profile. */
function paneTitle(id: PaneId): string {
  return id.replace('pane-', 'Pane ');
}

interface PaneViewProps {
  readonly id: PaneId;
  readonly isActive: boolean;
  /** Whether there are other panes beside it, or out of sight behind it. */
  readonly isSplit: boolean;
}

/** That a file is on its way is what the open decision says. */
function isAsking(notice: PaneNotice): boolean {
  return notice.kind === 'publishing' && notice.state === 'asking';
}

/** One pane: a header line, the terminal, and what is asked or told beside it. */
export function PaneView({ id, isActive, isSplit }: PaneViewProps) {
  const { sessions } = useServices();
  const pane = usePanes((state) => state.panes[id]);
  const bar = useGoverned((state) => state.bars[id]);
  const status = useGoverned((state) => state.statuses[pane?.session?.id ?? '']);
  const { body, strips } = useClearedPrompt();
  const openAgainByEnter = useOpenAgainByEnter(id);
  const { onContextMenu, menu } = useContextMenu(id);
  if (pane === undefined) return null;
  const word = stateWord(pane);
  const activity = status?.activity;
  const asks = activity?.kind === 'waiting-for-approval';
  const fresh = bar?.outcome === null && activity?.kind === 'idle' && status?.interactions.count === 0;
  const held = pane.state.kind === 'running' && (asks || pane.state.route === 'prompt');
  return (
    <section
      className="pane"
      aria-label={`${paneTitle(id)}, ${paneName(pane)}`}
      data-pane={id}
      data-active={isActive || undefined}
      data-session-state={word}
      data-session={pane.session?.id}
    >
      <PaneHeader pane={pane} isSplit={isSplit} />
      {/* A click anywhere in a suspended terminal resumes it; keys do so through the terminal itself. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the terminal in it is what is interactive */}
      <div
        className="pane-body"
        ref={body}
        onPointerDown={word === 'suspended' ? () => sessions.resume(id) : undefined}
        onKeyDownCapture={openAgainByEnter}
        onContextMenu={onContextMenu}
      >
        <TerminalHost pane={id} />
        {word === 'opening' && <p className="pane-opening">{openingWords(pane.profile.engine)}</p>}
        {fresh && pane.state.kind === 'running' && (
          <p className="pane-opening">Run a command below. Nothing has run yet.</p>
        )}
        {pane.find !== null && <FindBar id={id} find={pane.find} />}
        {pane.asks.length === 0 && <LinkHint link={pane.hovered} />}
        <div className="pane-strips" ref={strips}>
          <PaneNotices id={id} notices={pane.notices.filter((notice) => !(held && isAsking(notice)))} />
          {held && <HeldStrip approvalId={asks ? activity.approvalId : undefined} />}
          {word === 'suspended' && <SuspendedStrip />}
          <PaneAsks pane={pane} />
        </div>
        <DropPreview pane={id} />
        {menu}
      </div>
      {bar && <OutcomeLine outcome={bar.outcome} />}
      {bar && pane.state.kind === 'running' && <CommandBar pane={pane} bar={bar} />}
      <EndBar pane={pane} isActive={isActive} />
    </section>
  );
}
