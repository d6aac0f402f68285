import { type RefObject, useEffect, useState } from 'react';
import { announce } from '../../state/announcements-store.ts';
import { writeClipboard } from '../../terminal/clipboard.ts';
import type { TextLines } from './text-lines.ts';

/** Lines, `end` exclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The lines that a selection begins and ends in. Copying takes whole lines where it goes over several, those included that
 * have left the page, and never the times beside them.
 */
export function useSelectedLines(element: RefObject<HTMLElement | null>, lines: TextLines): LineRange | null {
  const [selected, setSelected] = useState<LineRange | null>(null);
  useEffect(() => {
    const look = () => setSelected((before) => sameRange(before, selectedLines(element.current)));
    const copy = (event: ClipboardEvent) => {
      const range = selectedLines(element.current);
      // Within a line the browser's own copy is exact.
      if (range === null || range.end - range.start === 1) return;
      event.preventDefault();
      void copyLines(lines, range).then((refusal) => announce(refusal ?? 'Copied.'));
    };
    document.addEventListener('selectionchange', look);
    document.addEventListener('copy', copy);
    return () => {
      document.removeEventListener('selectionchange', look);
      document.removeEventListener('copy', copy);
    };
  }, [element, lines]);
  return selected;
}

/** Null when they are on the clipboard, else why not. */
async function copyLines(lines: TextLines, { start, end }: LineRange): Promise<string | null> {
  const copied = await lines.range(start, end);
  if (copied === null) return 'Nothing was copied: not all of the text could be read.';
  return writeClipboard(copied.map(({ text }) => text).join('\n'));
}

function selectedLines(root: HTMLElement | null): LineRange | null {
  const selection = document.getSelection();
  if (root === null || selection === null || selection.isCollapsed) return null;
  const ends = [selection.anchorNode, selection.focusNode].map((node) => lineOf(root, node));
  const [a, b] = ends;
  if (a === undefined || b === undefined || a === null || b === null) return null;
  return { start: Math.min(a, b), end: Math.max(a, b) + 1 };
}

function lineOf(root: HTMLElement, node: Node | null): number | null {
  const element = node instanceof Element ? node : (node?.parentElement ?? null);
  if (element === null || !root.contains(element)) return null;
  const line = element.closest<HTMLElement>('[data-line]')?.dataset['line'];
  return line === undefined ? null : Number(line);
}

function sameRange(before: LineRange | null, after: LineRange | null): LineRange | null {
  return before?.start === after?.start && before?.end === after?.end ? before : after;
}
