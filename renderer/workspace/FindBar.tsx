import { ArrowDown, ArrowUp, CaseSensitive, Regex, WholeWord, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useServices } from '../app/services.ts';
import type { Find } from '../state/panes-store.ts';
import { IconButton } from '../ui/Button.tsx';
import { changeFind, closeFind, findAgain, findWords } from './find.ts';
import type { PaneId } from './layout-tree.ts';
import './find-bar.css';

const OPTIONS = [
  { key: 'caseSensitive', label: 'Match case', Icon: CaseSensitive },
  { key: 'wholeWord', label: 'Whole words', Icon: WholeWord },
  { key: 'regex', label: 'Regular expression', Icon: Regex },
] as const;

/**
 * Finds text in the terminal's whole scrollback. The newest match comes first: Enter walks up,
 * Shift+Enter down, Escape closes.
 */
export function FindBar({ id, find }: { readonly id: PaneId; readonly find: Find }) {
  const { sessions } = useServices();
  const { views } = sessions;
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew, the text is selected anew
  useEffect(() => {
    input.current?.select();
  }, [find.asked]);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') closeFind(sessions, id);
    else if (event.key === 'Enter' && event.target === input.current) {
      findAgain(views, id, event.shiftKey ? 'next' : 'previous');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const words = findWords(find);
  return (
    <search className="find-bar" data-find={id} onKeyDown={onKeyDown}>
      <input
        ref={input}
        className="find-input"
        aria-label="Find in terminal"
        placeholder="Find"
        value={find.text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => changeFind(views, id, { text: event.target.value })}
      />
      <span className="find-count" role="status" data-none={words === 'no matches' || undefined}>
        {words}
      </span>
      {OPTIONS.map(({ key, label, Icon }) => (
        <ToggleButton
          key={key}
          className="icon-button find-option"
          aria-label={label}
          isSelected={find[key]}
          onChange={(selected) => changeFind(views, id, { [key]: selected })}
        >
          <Icon size={15} aria-hidden="true" />
        </ToggleButton>
      ))}
      <IconButton label="Previous match" onPress={() => findAgain(views, id, 'previous')}>
        <ArrowUp size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Next match" onPress={() => findAgain(views, id, 'next')}>
        <ArrowDown size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Close find" onPress={() => closeFind(sessions, id)}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </search>
  );
}
