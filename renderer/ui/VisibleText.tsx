import { useMemo } from 'react';
import { visibleParts } from '../../shared/terminal/visible-text.ts';
import './visible-text.css';

interface VisibleTextProps {
  readonly text: string;
  /** Characters drawn at most; a longer text says how much of it is left out. */
  readonly limit?: number;
}

/** Text that a program or the clipboard gave, with everything invisible in it shown as a code. */
export function VisibleText({ text, limit = 20_000 }: VisibleTextProps) {
  const parts = useMemo(() => visibleParts(text.slice(0, limit)), [text, limit]);
  const rest = text.length - limit;
  return (
    <span className="visible-text">
      {parts.map((part, index) => {
        // Parts never move: the index is their identity.
        const key = `${index}`;
        if (part.kind === 'text') return part.text;
        if (part.kind === 'code') {
          return (
            <span key={key} className="visible-code">
              {part.label}
            </span>
          );
        }
        return (
          <span key={key}>
            <span className="visible-line-end" aria-hidden="true">
              ↵
            </span>
            {'\n'}
          </span>
        );
      })}
      {rest > 0 && <span className="visible-rest"> … and {rest} more characters</span>}
    </span>
  );
}
