import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { visibleParts } from '../../shared/terminal/visible-text.ts';
import { Keys } from '../ui/Keys.tsx';
import { Facts } from '../workspace/Facts.tsx';
import type { PostureFact } from '../workspace/posture-words.ts';
import { useCommandKeys } from './current-keys.ts';
import { fuzzyScore } from './fuzzy.ts';

/** One thing that can be chosen. Its keys are those of the command that its id names, if it names one. */
export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly facts?: readonly PostureFact[];
  /** Drawn in place of title and facts, on as many lines as it needs. */
  readonly details?: ReactNode;
  /** Choosing it asks for something else first: the list stays. */
  readonly keepsOpen?: boolean;
  readonly choose: () => void;
}

/** A line of the list holds no more; the most important come first. */
const FACTS_SHOWN = 4;

interface PaletteListProps {
  readonly entries: readonly PaletteEntry[];
  readonly label: string;
  /** Said when nothing matches. */
  readonly none: string;
  /** What can be done with the text itself, as the last entry; null for nothing. */
  readonly extra?: (query: string) => PaletteEntry | null;
  readonly onClose: () => void;
}

/** A filter and what it leaves, best first. The first entry is marked from the start, so that Enter takes it. */
export function PaletteList({ entries, label, none, extra, onClose }: PaletteListProps) {
  const [query, setQuery] = useState('');
  const [marked, setMarked] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef(document.activeElement);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const last = extra?.(query.trim()) ?? null;
  const found = [...ranked(entries, query), ...(last === null ? [] : [last])];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marked entry is found by its attribute
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [marked, query]);
  useEffect(() => {
    input.current?.focus();
  }, []);
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    if (entry.keepsOpen) {
      entry.choose();
      return;
    }
    // Gone, and the focus back where it was, before the chosen command may move it and before the next key.
    flushSync(onClose);
    if (opener.current instanceof HTMLElement) opener.current.focus();
    entry.choose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = { ArrowDown: marked + 1, ArrowUp: marked - 1, PageDown: marked + 8, PageUp: marked - 8 }[
      event.key
    ];
    if (event.key === 'Enter') choose(found[marked]);
    else if (next !== undefined && found.length > 0) setMarked(placeFor(next, marked, found.length));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="palette-search">
        <Search size={16} aria-hidden="true" />
        <input
          ref={input}
          className="palette-input"
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found[marked] && `${id}-${marked}`}
          placeholder={`${label}…`}
          value={query}
          spellCheck={false}
          autoComplete="off"
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setQuery(event.target.value);
            setMarked(0);
          }}
        />
      </div>
      <div ref={list} id={id} className="palette-list" role="listbox" aria-label={label}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's
          <div
            key={entry.id}
            id={`${id}-${index}`}
            className={entry.details ? 'palette-item palette-item-tall' : 'palette-item'}
            role="option"
            tabIndex={-1}
            aria-selected={index === marked}
            onPointerMove={() => setMarked(index)}
            onClick={() => choose(entry)}
          >
            {entry.details ?? <EntryWords entry={entry} />}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="palette-none" role="status">
          {none}
        </p>
      )}
    </>
  );
}

function EntryWords({ entry }: { readonly entry: PaletteEntry }) {
  const keys = useCommandKeys(entry.id);
  return (
    <>
      <span className="palette-title">
        <PlainText text={entry.title} />
      </span>
      {entry.facts ? (
        <span className="palette-facts">
          <Facts facts={entry.facts.slice(0, FACTS_SHOWN)} />
        </span>
      ) : (
        <span className="palette-group">
          <PlainText text={entry.group} />
        </span>
      )}
      {keys && <Keys keys={keys} />}
    </>
  );
}

/** On one line; what a program wrote shows its hidden characters. */
function PlainText({ text }: { readonly text: string }) {
  return visibleParts(text).map((part, index) => {
    const key = `${index}`;
    if (part.kind === 'text') return part.text;
    return (
      <span key={key} className="visible-code">
        {part.kind === 'code' ? part.label : '↵'}
      </span>
    );
  });
}

/** Single steps go around the ends; longer ones stop there. */
function placeFor(next: number, from: number, count: number): number {
  if (Math.abs(next - from) === 1) return (next + count) % count;
  return Math.min(Math.max(next, 0), count - 1);
}

/** As they come without a query, else the best match first. */
function ranked(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  if (query.trim() === '') return [...entries];
  return entries
    .map((entry) => ({ entry, score: fuzzyScore(query, entry.title) }))
    .filter((scored): scored is { entry: PaletteEntry; score: number } => scored.score !== null)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}
