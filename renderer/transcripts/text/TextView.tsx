import { type RefObject, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { OpenedTranscript } from '../../../shared/transcripts/transcript.ts';
import { useServices } from '../../app/services.ts';
import { EDITS_TERMINAL } from '../../commands/key-dispatch.ts';
import { Button } from '../../ui/Button.tsx';
import type { Player, PlayerView } from '../player/player.ts';
import { clockTime } from '../transcript-words.ts';
import { EvenRows } from '../virtual-rows.ts';
import { placesOf } from './places.ts';
import { TextLines } from './text-lines.ts';
import { type LineRange, useSelectedLines } from './use-selected-lines.ts';

/** Pixels of a line, and lines beside the visible ones that are drawn too. */
const LINE_HEIGHT = 20;
const BESIDE = 20;
/** Lines that stay in the page because they are selected; what is selected beyond them is still copied. */
const SELECTED_MAX = 2_000;

/** Where a mark ends that had to be scrolled to: share of the view's width. */
const MARK_AT = 0.75;

interface TextViewProps {
  readonly transcript: OpenedTranscript;
  readonly player: Player;
  readonly view: PlayerView;
  /** A line to show. */
  readonly landing: { readonly line: number } | null;
  /** Text to mark. */
  readonly search: string;
}

/** The text that the screen showed in the end, in step with the replay. A click on a line goes to when it was written. */
export function TextView({ transcript, player, view, landing, search }: TextViewProps) {
  const element = useRef<HTMLDivElement>(null);
  const lines = useTextLines(transcript);
  const rows = useMemo(() => new EvenRows(lines.total, LINE_HEIGHT), [lines.total]);
  const [window, setWindow] = useState({ top: 0, height: 600 });
  const [follows, setFollows] = useState(true);
  const selected = useSelectedLines(element, lines);
  const current = useCurrentLine(lines, player, view.timeMs, landing);
  useWindow(element, setWindow);
  const first = rows.firstRow(window.top, window.height);
  const range = drawnRange(first, window.height, lines.total, selected);

  const show = (line: number) => {
    const { current: scrolled } = element;
    if (scrolled === null) return;
    const visible = scrolled.clientHeight / LINE_HEIGHT;
    const begin = rows.firstRow(scrolled.scrollTop, scrolled.clientHeight);
    if (line > begin + 1 && line < begin + visible - 2) return;
    scrolled.scrollTop = rows.topOf(line - visible / 2, scrolled.clientHeight);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the replay goes on
  useLayoutEffect(() => {
    if (follows && current !== null) show(current);
  }, [current, follows, rows]);
  const landed = landing !== null && landing.line === current ? lines.line(landing.line) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the line that was landed on is drawn
  useLayoutEffect(() => {
    if (landed !== null) revealMark(element.current);
  }, [landed, landing, search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is landed anew
  useEffect(() => setFollows(true), [landing]);

  const onClick = (atMs: number) => {
    if (!document.getSelection()?.isCollapsed) return;
    setFollows(true);
    player.seek(atMs);
  };
  return (
    <section className="text-view" aria-label="Text of the transcript" {...{ [EDITS_TERMINAL]: false }}>
      {!follows && (
        <div className="text-follow">
          <Button onPress={() => setFollows(true)}>Back to the moment</Button>
        </div>
      )}
      {lines.total === 0 ? (
        <p className="list-empty">
          {transcript.indexed < 1 ? 'Its text is still being read.' : 'It has no text.'}
        </p>
      ) : (
        // It scrolls by keyboard, and the player has the keys that it does not need.
        <section
          ref={element}
          className="text-lines"
          aria-label="Lines"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
          tabIndex={0}
          onWheel={() => setFollows(false)}
          onKeyDown={(event) => {
            if (!['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'].includes(event.key)) return;
            setFollows(false);
            event.stopPropagation();
          }}
        >
          <div className="text-all" style={{ height: rows.height }}>
            {indexes(range).map((index) => {
              const line = lines.line(index);
              return (
                // Times can be reached by keyboard through the timeline and the search as well.
                // biome-ignore lint/a11y/useKeyWithClickEvents: see above
                // biome-ignore lint/a11y/noStaticElementInteractions: see above
                <div
                  key={index}
                  className="text-line"
                  data-line={index}
                  data-current={index === current || undefined}
                  style={{ transform: `translateY(${window.top + (index - first) * LINE_HEIGHT}px)` }}
                  onClick={() => line !== null && onClick(line.atMs)}
                >
                  <span className="text-time" aria-hidden="true">
                    {line === null ? '' : clockTime(line.atMs)}
                  </span>
                  <span className="text-words">
                    {line === null ? '' : <Marked text={line.text} search={search} />}
                  </span>
                </div>
              );
            })}
          </div>
        </section>
      )}
    </section>
  );
}

/** Scrolls sideways to what is marked in the present line, where it is too far right to be seen. */
function revealMark(scrolled: HTMLElement | null): void {
  const mark = scrolled?.querySelector('[data-current] mark');
  if (!scrolled || !mark) return;
  const right =
    mark.getBoundingClientRect().right - scrolled.getBoundingClientRect().left + scrolled.scrollLeft;
  scrolled.scrollLeft = right <= scrolled.clientWidth ? 0 : right - scrolled.clientWidth * MARK_AT;
}

function Marked({ text, search }: { readonly text: string; readonly search: string }) {
  return placesOf(text, search).map(({ text: part, marked }, index) => {
    const key = `${index}`;
    return marked ? <mark key={key}>{part}</mark> : <span key={key}>{part}</span>;
  });
}

function useTextLines(transcript: OpenedTranscript): TextLines {
  const { transcripts } = useServices();
  const [, changed] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read stays when it grows
  const lines = useMemo(
    () => new TextLines(transcripts.api, transcript, changed),
    [transcripts, transcript.id],
  );
  useEffect(() => lines.grown(transcript), [lines, transcript]);
  return lines;
}

/** The line of the present moment; the one that was landed on while the replay stands there. */
function useCurrentLine(
  lines: TextLines,
  player: Player,
  timeMs: number,
  landing: { readonly line: number } | null,
): number | null {
  const [current, setCurrent] = useState<number | null>(null);
  const landed = useRef<{ line: number; timeMs: number | null } | null>(null);
  useEffect(() => {
    landed.current = landing === null ? null : { line: landing.line, timeMs: null };
  }, [landing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another landing may be at the same time
  useEffect(() => {
    let wanted = true;
    const { current: stays } = landed;
    if (stays !== null) {
      // What is drawn can be a frame behind the player, which seeks there by now.
      const nowMs = player.view.timeMs;
      stays.timeMs ??= nowMs;
      if (stays.timeMs === nowMs) return setCurrent(stays.line);
      landed.current = null;
    }
    void lines.lineAt(timeMs).then((line) => wanted && setCurrent(line));
    return () => {
      wanted = false;
    };
  }, [lines, player, timeMs, landing]);
  return current;
}

function useWindow(
  element: RefObject<HTMLElement | null>,
  onChange: (window: { top: number; height: number }) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is there or not with each drawing
  useLayoutEffect(() => {
    const scrolled = element.current;
    if (scrolled === null) return;
    const look = () => onChange({ top: scrolled.scrollTop, height: scrolled.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(scrolled);
    scrolled.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      scrolled.removeEventListener('scroll', look);
    };
  }, [element.current]);
}

/** What is in the page: the visible lines, some beside them, and what is selected: else a selection would end there. */
function drawnRange(first: number, height: number, total: number, selected: LineRange | null): LineRange {
  const start = Math.max(0, Math.floor(first) - BESIDE);
  const end = Math.min(total, Math.ceil(first + height / LINE_HEIGHT) + BESIDE);
  if (selected === null) return { start, end };
  return {
    start: Math.max(Math.min(start, selected.start), end - SELECTED_MAX, 0),
    end: Math.min(Math.max(end, selected.end), start + SELECTED_MAX, total),
  };
}

function indexes({ start, end }: LineRange): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}
