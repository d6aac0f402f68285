import type { KeyboardEvent } from 'react';
import { useServices } from '../app/services.ts';
import { announce } from '../state/announcements-store.ts';
import type { CommandBarState } from '../state/governed-store.ts';
import type { PaneId } from '../workspace/layout-tree.ts';

interface CommandLineProps {
  readonly pane: PaneId;
  readonly bar: CommandBarState;
  /** What was asked about stands there and does not change until it is decided. */
  readonly isReadOnly: boolean;
  readonly describedBy: string;
}

/** The text of the command. Enter runs it, Up and Down walk through what was run before. */
export function CommandLine({ pane, bar, isReadOnly, describedBy }: CommandLineProps) {
  const { governed } = useServices();
  const invalid = bar.touched && bar.check?.line === null;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isReadOnly || event.nativeEvent.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' && event.repeat) event.preventDefault();
    else if (event.key === 'Enter') void governed.run(pane);
    else if (event.key === 'ArrowUp') recall('older');
    else if (event.key === 'ArrowDown') recall('newer');
    else return;
    event.preventDefault();
  };
  const recall = (where: 'older' | 'newer') => {
    if (!governed.recall(pane, where))
      announce(where === 'older' ? 'No older command.' : 'No newer command.');
  };
  return (
    <input
      className="command-line"
      data-command-line
      aria-label="Command text"
      aria-describedby={describedBy}
      aria-invalid={invalid}
      placeholder="Text of the command"
      readOnly={isReadOnly}
      value={bar.draft.text}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      onKeyDown={onKeyDown}
      onChange={(event) => governed.type(pane, event.target.value)}
    />
  );
}
