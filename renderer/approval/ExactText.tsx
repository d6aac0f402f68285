import { useMemo } from 'react';
import { exactParts } from '../../shared/terminal/exact-text.ts';

/** Text as exactly what it is: in logical order, every code point that would not show drawn as a code (B24). */
export function ExactText({ text }: { readonly text: string }) {
  const parts = useMemo(() => exactParts(text), [text]);
  return (
    <span className="exact">
      {parts.map((part, index) => {
        // Parts never move: the index is their identity.
        const key = `${index}`;
        if (part.kind === 'text') return part.text;
        if (part.kind === 'line-end') return <br key={key} />;
        return (
          <span key={key} className="exact-code">
            {part.label}
          </span>
        );
      })}
    </span>
  );
}
