import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { SEARCH_MAX_CHARS } from '../../../shared/transcripts/limits.ts';
import { IconButton } from '../../ui/Button.tsx';
import type { FindWithin as Find } from './use-find-within.ts';

/** Finds within one transcript. Enter goes on, Shift+Enter back, Escape closes. */
export function FindWithin({ find }: { readonly find: Find }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (find.asked > 0) input.current?.select();
  }, [find.asked]);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') find.close();
    else if (event.key === 'Enter' && event.target === input.current)
      find.again(event.shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const words = findWords(find);
  return (
    <search className="find-within" onKeyDown={onKeyDown}>
      <input
        ref={input}
        className="find-input"
        aria-label="Find in this transcript"
        placeholder="Find in this transcript"
        maxLength={SEARCH_MAX_CHARS}
        spellCheck={false}
        autoComplete="off"
        value={find.text}
        onChange={(event) => find.look(event.target.value)}
      />
      <span className="find-count" role="status" data-none={words === 'no matches' || undefined}>
        {words}
      </span>
      <IconButton label="Previous match" onPress={() => find.again('previous')}>
        <ArrowUp size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Next match" onPress={() => find.again('next')}>
        <ArrowDown size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label="Close find" onPress={find.close}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </search>
  );
}

/** "2 of 14", "of 500 and more", "no matches". */
export function findWords({
  text,
  hits,
  more,
  index,
  error,
}: Pick<Find, 'text' | 'hits' | 'more' | 'index' | 'error'>): string {
  if (error !== null) return error;
  if (text === '' || hits === null) return '';
  if (hits.length === 0) return 'no matches';
  const all = more ? `${hits.length} and more` : `${hits.length}`;
  return index < 0 ? `${all} lines` : `${index + 1} of ${all}`;
}
