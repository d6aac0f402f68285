import type { Route } from '../../shared/terminal/session-state.ts';
import { cleanTitle } from '../../shared/terminal/title.ts';
import { type Pane, paneName, stateWord } from '../state/panes-store.ts';
import { endingWords, outcomeMark } from './outcome-words.ts';

/** What a tab shows of its active pane. Everything but `title` is outside what the program can change (B15). */
export interface TabWords {
  readonly title: string;
  /** "exit 2", "suspended", or empty while it simply runs. */
  readonly mark: string;
  readonly dot: 'opening' | 'running' | 'decision' | 'suspended' | 'ended' | 'failed' | 'attention';
}

export function tabWords(pane: Pane): TabWords {
  const title = pane.title || ownTitle(pane);
  const { state } = pane;
  switch (state.kind) {
    case 'opening':
      return { title, mark: '', dot: 'opening' };
    case 'running':
      return state.suspended
        ? { title, mark: 'suspended', dot: 'suspended' }
        : { title, mark: state.route === 'prompt' ? 'decision open' : '', dot: dotOf(state.route) };
    case 'releasing':
      return { title, mark: 'ending', dot: 'opening' };
    case 'ended': {
      const failed = endingWords(state).tone === 'danger';
      return { title, mark: outcomeMark(state), dot: failed ? 'failed' : 'ended' };
    }
    case 'needs-attention':
      return { title, mark: outcomeMark(state), dot: 'attention' };
    case 'failed':
      return { title, mark: 'did not open', dot: 'failed' };
    case 'lost':
      return { title, mark: 'outcome unknown', dot: 'failed' };
  }
}

function dotOf(route: Route): TabWords['dot'] {
  return route === 'prompt' ? 'decision' : 'running';
}

/** What a pane is called until its program sets a title: "Shell", or "Shell · api" in a project folder of its own. */
function ownTitle(pane: Pane): string {
  const { governed, project } = pane;
  const folder = cleanTitle(project?.split('/').findLast((part) => part !== '') ?? '');
  const name = paneName(pane);
  return folder === '' || governed !== null ? name : `${name} · ${folder}`;
}

/** The name of a tab for a screen reader: title, profile and state of its active pane, and whether a bell rang in any. */
export function tabName(pane: Pane, bell: boolean): string {
  const { title, mark } = tabWords(pane);
  const parts = [title, title === ownTitle(pane) ? '' : paneName(pane), mark || stateWord(pane)];
  return [...parts, bell ? 'bell' : ''].filter(Boolean).join(', ');
}

/** The window's title. It begins with what no program can write, so that a title cannot pass for another window's. */
export function windowTitle(pane: Pane | null): string {
  if (pane === null) return 'Airlock';
  return pane.title === '' ? `Airlock · ${paneName(pane)}` : `Airlock · ${paneName(pane)}: ${pane.title}`;
}
