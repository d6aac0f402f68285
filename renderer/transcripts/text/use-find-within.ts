import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TextLine } from '../../../shared/transcripts/transcript.ts';
import { useServices } from '../../app/services.ts';
import type { Landing } from '../../state/transcripts-store.ts';
import { type Replay, whenSettled } from '../player/use-player.ts';

/** Milliseconds without a key before what is typed is looked for. */
const DEBOUNCE_MS = 150;

export interface FindWithin {
  readonly shown: boolean;
  readonly text: string;
  readonly hits: readonly TextLine[] | null;
  readonly more: boolean;
  /** The hit that is shown; -1 for none. */
  readonly index: number;
  /** Counts how often the bar was asked for. */
  readonly asked: number;
  readonly error: string | null;
  /** What the text view has to show: a line, found or landed on. */
  readonly landing: { readonly line: number } | null;
  open(): void;
  close(): void;
  look(text: string): void;
  again(direction: 'next' | 'previous'): void;
}

interface Found {
  readonly search: string;
  readonly hits: readonly TextLine[];
  readonly more: boolean;
}

/** Finds text in one transcript and steps through the places. A search that led here goes on in it. */
export function useFindWithin(id: string, replay: Replay, landed: Landing): FindWithin {
  const { transcripts } = useServices();
  const { player, terminal } = replay;
  const [shown, setShown] = useState(landed.search !== '');
  const [text, setText] = useState(landed.search);
  const [asked, setAsked] = useState(0);
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [index, setIndex] = useState(-1);
  const [landing, setLanding] = useState<{ line: number } | null>(null);
  const ending = useRef(() => {});
  // While another text is on its way to be looked for, the places of the one before are none of it.
  const current = found?.search === text ? found : null;

  useEffect(() => {
    setLanding(landed.line === null ? null : { line: landed.line });
    if (landed.search === '') return;
    setShown(true);
    setText(landed.search);
  }, [landed]);

  useEffect(() => {
    setError(null);
    if (text === '' || !shown) return setFound(null);
    let isWanted = true;
    const timer = setTimeout(async () => {
      const answer = await transcripts.api.request('transcripts.find', { id, search: text });
      if (!isWanted) return;
      if (answer.ok) setFound({ search: text, ...answer.value });
      else setError(answer.error.message);
    }, DEBOUNCE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [transcripts, id, text, shown]);

  // The hit that was landed on is the one that is counted from.
  useEffect(() => {
    const hits = current?.hits ?? [];
    const at = hits.findIndex(({ line }) => line === landed.line);
    setIndex(text === landed.search ? at : -1);
  }, [current, landed, text]);

  useEffect(() => () => ending.current(), []);

  const go = useCallback(
    (hit: TextLine, search: string) => {
      player.seek(hit.atMs, false);
      ending.current();
      ending.current = whenSettled(player, () => void terminal.mark(search));
      setLanding({ line: hit.line });
    },
    [player, terminal],
  );

  return useMemo(
    () => ({
      shown,
      text,
      hits: current?.hits ?? null,
      more: current?.more ?? false,
      index,
      asked,
      error,
      landing,
      open() {
        setShown(true);
        setAsked((count) => count + 1);
      },
      close() {
        setShown(false);
        terminal.endMark();
      },
      look: setText,
      again(direction) {
        const hits = current?.hits ?? [];
        if (hits.length === 0) return;
        const next = nextIndex(hits, index, direction, player.view.timeMs);
        setIndex(next);
        const hit = hits[next];
        if (hit !== undefined) go(hit, text);
      },
    }),
    [shown, text, current, index, asked, error, landing, terminal, go, player],
  );
}

/** From the hit that is shown, or from the present moment where none is. Goes round at both ends. */
export function nextIndex(
  hits: readonly TextLine[],
  index: number,
  direction: 'next' | 'previous',
  timeMs: number,
): number {
  const by = direction === 'next' ? 1 : -1;
  if (index >= 0) return (index + by + hits.length) % hits.length;
  const after = hits.findIndex(({ atMs }) => atMs > timeMs);
  const next = after === -1 ? 0 : after;
  return direction === 'next' ? next : (next - 1 + hits.length) % hits.length;
}
