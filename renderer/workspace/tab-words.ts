import { cleanTitle } from '../../shared/terminal/title.ts';
import { type Pane, stateWord } from '../state/panes-store.ts';
import { endingWords, outcomeMark } from './outcome-words.ts';

/** What a tab shows of its active pane. Everything but `title` is outside what the program can change (B15). */
export interface TabWords {
  readonly title: string;
  /** "exit 2", "suspended", or empty while it simply runs. */
  readonly mark: string;
  readonly dot: 'opening' | 'running' | 'suspended' | 'ended' | 'failed' | 'attention';
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
        : { title, mark: '', dot: 'running' };
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

/** What a pane is called until its program sets a title: "Shell", or "Shell · api" in a project folder of its own. */
function ownTitle({ profile, project }: Pane): string {
  const folder = cleanTitle(project?.split('/').findLast((part) => part !== '') ?? '');
  return folder === '' ? profile.name : `${profile.name} · ${folder}`;
}

/** The name of a tab for a screen reader: title, profile, state, bell. */
export function tabName(pane: Pane): string {
  const { title, mark } = tabWords(pane);
  const parts = [title, title === ownTitle(pane) ? '' : pane.profile.name, mark || stateWord(pane)];
  return [...parts, pane.bell ? 'bell' : ''].filter(Boolean).join(', ');
}

/** The window's title. It begins with what no program can write, so that a title cannot pass for another window's. */
export function windowTitle(pane: Pane | null): string {
  if (pane === null) return 'Airlock';
  return pane.title === ''
    ? `Airlock · ${pane.profile.name}`
    : `Airlock · ${pane.profile.name}: ${pane.title}`;
}
