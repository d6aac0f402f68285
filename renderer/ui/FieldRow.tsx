import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import './field-row.css';

interface FieldRowProps {
  /** The words of the field and its control, laid out side by side. */
  readonly children: ReactNode;
  readonly title: string;
  /** Said below the words and the control: what the value means, what is wrong with it. */
  readonly below?: ReactNode;
  /** Present when the value is not the standard one: what "Reset" brings back, in words. */
  readonly reset?: { readonly to: string; readonly onReset: () => void } | undefined;
}

/** One setting: words on the left, control on the right, a way back to the standard. */
export function FieldRow({ children, title, below, reset }: FieldRowProps) {
  return (
    <div className="field-row" data-changed={reset !== undefined || undefined}>
      <div className="field-line">
        {children}
        {reset && (
          <span className="field-reset">
            <IconButton label={`Reset ${title} to ${reset.to}`} onPress={reset.onReset}>
              <RotateCcw size={14} aria-hidden="true" />
            </IconButton>
          </span>
        )}
      </div>
      {below}
    </div>
  );
}
