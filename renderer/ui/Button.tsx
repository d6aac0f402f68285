import type { ReactNode, Ref } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import './button.css';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style'> {
  /** `primary` is the one thing to do next; `danger` ends or removes something. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** While what it began is under way a button is `isPending`, not disabled: it keeps the focus, and its new words are read out. */
export function Button({ look = 'plain', ...props }: ButtonProps) {
  return <AriaButton {...props} className={`button button-${look}`} />;
}

interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'aria-label' | 'children'> {
  readonly label: string;
  readonly children: ReactNode;
  /** Keys shown beside the label in its tooltip. */
  readonly hint?: ReactNode;
}

/** A button that is an icon: its words are its name, and a tooltip on hover and focus. */
export function IconButton({ label, hint, children, ...props }: IconButtonProps) {
  return (
    <TooltipTrigger delay={600} closeDelay={0}>
      <AriaButton {...props} aria-label={label} className="icon-button">
        {children}
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {label}
        {hint}
      </Tooltip>
    </TooltipTrigger>
  );
}
