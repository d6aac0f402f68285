import { useEffect, useId } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { ManifestCommand } from '../../shared/governed/manifest.ts';
import { useServices } from '../app/services.ts';
import { type CommandBarState, type ShownStatus, useGoverned } from '../state/governed-store.ts';
import type { Pane } from '../state/panes-store.ts';
import { changeLayout } from '../state/workspace-store.ts';
import { Button } from '../ui/Button.tsx';
import { focusPane } from '../workspace/layout.ts';
import { ArgumentFields } from './ArgumentFields.tsx';
import { CommandLine } from './CommandLine.tsx';
import { chipWords, commandFacts, publishes, runLabel } from './governed-words.ts';
import { literalTexts } from './literal-texts.ts';
import { manifestText } from './manifest-words.ts';
import { SentLine } from './SentLine.tsx';
import './command-bar.css';

interface CommandBarProps {
  readonly pane: Pane;
  readonly bar: CommandBarState;
}

/**
 * The one way into a governed session: a command of its manifest, its arguments, the line that will be sent, and a button
 * that says what happens. The terminal above is watched.
 */
export function CommandBar({ pane, bar }: CommandBarProps) {
  const { governed } = useServices();
  const manifest = pane.governed?.manifest;
  const status = useGoverned((state) => state.statuses[pane.session?.id ?? '']);
  const session = pane.session?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new session checks what stands in the bar
  useEffect(() => governed.checkNow(pane.id), [governed, pane.id, session]);
  const ids = { words: useId(), sent: useId() };
  if (manifest === undefined) return null;
  const command = manifest.commands.find(({ name }) => name === bar.draft.command);
  // While a person decides, the pane is theirs to read: the bar is one line, and keeps the focus if it has it.
  const waits = status?.activity.kind === 'waiting-for-approval' || status?.activity.kind === 'publishing';
  const closed = status?.activity.kind === 'closed' ? status.activity.why : null;
  return (
    <section
      className="command-bar"
      aria-label={`Commands of ${manifest.name}`}
      data-command-bar
      onFocus={() => changeLayout((layout) => focusPane(layout, pane.id))}
    >
      {!waits && (
        <CommandChips
          commands={manifest.commands}
          chosen={command}
          onChoose={(chosen) => governed.choose(pane.id, chosen)}
        />
      )}
      {command && !waits && (
        <p id={ids.words} className="command-words">
          <span className="command-description">{manifestText(command.description)}</span>
          <span className="command-facts">{commandFacts(command, publishes(manifest)).join(' · ')}</span>
        </p>
      )}
      {command && !waits && <ArgumentFields pane={pane.id} command={command} bar={bar} />}
      <div className="command-row">
        <CommandLine pane={pane.id} bar={bar} isReadOnly={waits} describedBy={`${ids.words} ${ids.sent}`} />
        <RunButtons pane={pane} bar={bar} command={command} status={status} closed={closed !== null} />
      </div>
      {!waits && <SentLine id={ids.sent} bar={bar} closed={closed} pattern={command?.pattern ?? ''} />}
      {command && !waits && (
        <Suggestions command={command} bar={bar} onPick={(text) => governed.type(pane.id, text)} />
      )}
    </section>
  );
}

interface CommandChipsProps {
  readonly commands: readonly ManifestCommand[];
  readonly chosen: ManifestCommand | undefined;
  readonly onChoose: (command: ManifestCommand) => void;
}

/** One key into the row, arrows within it. What asks a person is in the colour of decisions. */
function CommandChips({ commands, chosen, onChoose }: CommandChipsProps) {
  return (
    <ToggleButtonGroup
      className="command-chips"
      aria-label="Command"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={chosen ? [chosen.name] : []}
      onSelectionChange={(keys) => {
        const [name] = keys;
        const command = commands.find((candidate) => candidate.name === name);
        if (command !== undefined) onChoose(command);
      }}
    >
      {commands.map((command) => (
        <ToggleButton
          key={command.name}
          id={command.name}
          className="command-chip"
          data-asks={command.needsApproval || undefined}
        >
          {chipWords(command)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface RunButtonsProps {
  readonly pane: Pane;
  readonly bar: CommandBarState;
  readonly command: ManifestCommand | undefined;
  readonly status: ShownStatus | undefined;
  readonly closed: boolean;
}

function RunButtons({ pane, bar, command, status, closed }: RunButtonsProps) {
  const { governed } = useServices();
  const manifest = pane.governed?.manifest;
  if (!command || !manifest) return null;
  const activity = status?.activity.kind ?? 'idle';
  if (activity === 'waiting-for-approval')
    return <Button onPress={() => governed.cancel(pane.id)}>Take the question back</Button>;
  if (activity === 'running' || (bar.running && activity !== 'publishing'))
    return (
      <Button look="danger" onPress={() => governed.cancel(pane.id)}>
        Stop and end
      </Button>
    );
  const label = runLabel(
    { needsApproval: command.needsApproval, finalizes: command.finalize },
    publishes(manifest),
  );
  return (
    <Button
      look="primary"
      isDisabled={closed || bar.running || bar.check?.line === null}
      onPress={() => void governed.run(pane.id)}
    >
      {activity === 'publishing' ? 'Publishing…' : label}
    </Button>
  );
}

interface SuggestionsProps {
  readonly command: ManifestCommand;
  readonly bar: CommandBarState;
  readonly onPick: (text: string) => void;
}

/** Where a command is one of a few plain texts, they can be picked. */
function Suggestions({ command, bar, onPick }: SuggestionsProps) {
  const texts = literalTexts(command.pattern);
  if (texts.length < 2 || bar.draft.text !== '') return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="command-suggestions" role="group" aria-label="Texts of this command">
      {texts.slice(0, 12).map((text) => (
        <Button key={text} look="quiet" onPress={() => onPick(text)}>
          <code>{text}</code>
        </Button>
      ))}
    </div>
  );
}
