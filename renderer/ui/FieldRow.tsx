import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import './field-row.css';

interface FieldRowProps {
  /** The words of the field and its control, laid out side by side. */
  readonly children: ReactNode;
  readonly title: string;
  /** Present when the value is not the standard one: what "Reset" brings back, in words. */
  readonly reset?: { readonly to: string; readonly onReset: () => void } | undefined;
}

/** One setting: words on the left, control on the right, a way back to the standard. */
export function FieldRow({ children, title, reset }: FieldRowProps) {
  return (
    <div className="field-row" data-changed={reset !== undefined || undefined}>
      {children}
      <div className="field-reset">
        {reset && (
          <IconButton label={`Reset ${title} to ${reset.to}`} onPress={reset.onReset}>
            <RotateCcw size={14} aria-hidden="true" />
          </IconButton>
        )}
      </div>
    </div>
  );
}
