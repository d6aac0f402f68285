import { Search, X } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { SEARCH_MAX_CHARS } from '../../../shared/transcripts/limits.ts';
import { useServices } from '../../app/services.ts';
import { type TranscriptQuery, useTranscripts } from '../../state/transcripts-store.ts';
import { IconButton } from '../../ui/Button.tsx';
import { foundWords } from './list-words.ts';

interface SearchBoxProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onDown: () => void;
  readonly onEnter: () => void;
}

/**
 * Searches all transcripts as one types. Down goes into the list, Enter opens what is marked there; while the answer is on
 * its way it waits for that, until another key is pressed.
 */
export function SearchBox({ input, onDown, onEnter }: SearchBoxProps) {
  const { transcripts } = useServices();
  const { query, found, searching, searchAsked } = useTranscripts();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew, it gets the focus anew
  useEffect(() => {
    if (searchAsked > 0) input.current?.select();
  }, [searchAsked]);
  const isFound = found !== null && found.query === query;
  const [entered, setEntered] = useState<TranscriptQuery | null>(null);
  useEffect(() => {
    if (entered === null || (entered === query && searching && !isFound)) return;
    setEntered(null);
    if (entered === query && isFound) onEnter();
  }, [entered, query, searching, isFound, onEnter]);
  const onKeyDown = (event: React.KeyboardEvent) => {
    setEntered(event.key === 'Enter' ? query : null);
    if (event.key === 'Enter') return event.preventDefault();
    if (event.key === 'ArrowDown') onDown();
    else if (event.key === 'Escape' && query.search !== '') transcripts.look({ search: '' });
    else return;
    event.preventDefault();
  };
  const words = isFound ? foundWords(found) : '';
  return (
    <search className="search-box" data-searching={searching || undefined}>
      <Search size={15} aria-hidden="true" />
      <input
        ref={input}
        className="search-input"
        type="search"
        aria-label="Search all transcripts"
        placeholder="Search all transcripts"
        maxLength={SEARCH_MAX_CHARS}
        spellCheck={false}
        autoComplete="off"
        value={query.search}
        onChange={(event) => transcripts.look({ search: event.target.value })}
        onKeyDown={onKeyDown}
        onBlur={() => setEntered(null)}
      />
      <span className="search-count" data-none={words === 'no matches' || undefined}>
        {words.replace(/ transcripts?$/, '')}
        {/* What is counted second goes without saying where there is little room. */}
        <span className="search-count-of">{/ transcripts?$/.exec(words)?.[0]}</span>
      </span>
      {query.search !== '' && (
        <IconButton
          label="Clear the search"
          onPress={() => {
            transcripts.look({ search: '' });
            input.current?.focus();
          }}
        >
          <X size={14} aria-hidden="true" />
        </IconButton>
      )}
    </search>
  );
}
