import { type ReactNode, useId } from 'react';
import './strip.css';

interface StripProps {
  readonly icon: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** `ask`: a person must decide. `held`: one must decide elsewhere. `tell`: nothing to do. */
  readonly kind: 'ask' | 'held' | 'tell';
  readonly name: string;
  readonly onEscape?: () => void;
}

/** Something that stands over the foot of a pane, never in a window of its own. */
export function Strip({ icon, title, children, actions, kind, name, onEscape }: StripProps) {
  const titleId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      className={`strip strip-${kind}`}
      role="group"
      aria-labelledby={titleId}
      data-strip={name}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || onEscape === undefined) return;
        event.stopPropagation();
        onEscape();
      }}
    >
      <div className="strip-icon" aria-hidden="true">
        {icon}
      </div>
      <div className="strip-words">
        <p id={titleId} className="strip-title">
          {title}
        </p>
        {children}
      </div>
      {actions && <div className="strip-actions">{actions}</div>}
    </div>
  );
}
