import { changePane, type Find, paneOf } from '../state/panes-store.ts';
import type { PaneId } from './layout-tree.ts';
import type { Sessions } from './sessions.ts';
import type { Views } from './views.ts';

const NOTHING: Find = {
  text: '',
  caseSensitive: false,
  wholeWord: false,
  regex: false,
  index: -1,
  count: 0,
  asked: 0,
};

/** Opens the find bar of a pane, or goes back to its text. */
export function openFind(id: PaneId): void {
  changePane(id, ({ find }) => ({ find: { ...(find ?? NOTHING), asked: (find?.asked ?? 0) + 1 } }));
}

/** Changes what is looked for and looks for it, upwards from the last match or from the newest line. */
export function changeFind(views: Views, id: PaneId, change: Partial<Find>): void {
  changePane(id, ({ find }) => (find === null ? {} : { find: { ...find, ...change } }));
  findAgain(views, id, 'previous');
}

export function findAgain(views: Views, id: PaneId, direction: 'next' | 'previous'): void {
  const find = paneOf(id)?.find;
  const view = views.get(id);
  if (!find || !view) return;
  const { text, caseSensitive, wholeWord, regex } = find;
  if (text === '') view.endFind();
  const found = text !== '' && view.find(text, direction, { caseSensitive, wholeWord, regex });
  if (!found) changePane(id, { find: { ...find, index: -1, count: 0 } });
}

export function closeFind(sessions: Sessions, id: PaneId): void {
  changePane(id, { find: null });
  sessions.views.get(id)?.endFind();
  sessions.focus(id);
}

/** "2 of 7", "no matches"; empty while nothing is looked for. */
export function findWords({ text, index, count, regex }: Find): string {
  if (text === '') return '';
  if (regex && !isPattern(text)) return 'not a pattern';
  if (count === 0) return 'no matches';
  return index < 0 ? `${count} or more` : `${index + 1} of ${count}`;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
