import { RotateCcw, TriangleAlert, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useServices } from '../app/services.ts';
import { CATALOGUE, COMMAND_GROUPS, type CommandInfo, standardKeys } from '../commands/catalogue.ts';
import { useKeys } from '../commands/current-keys.ts';
import { CAPTURES_KEYS } from '../commands/key-dispatch.ts';
import {
  type Chord,
  chordKeys,
  chordOf,
  chordText,
  type KeyProblem,
  keptByBrowser,
  parseChord,
  refusalOf,
} from '../commands/key-map.ts';
import { useSettings } from '../state/settings-store.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Keys } from '../ui/Keys.tsx';
import './keys-section.css';

interface KeysSectionProps {
  /** Only commands whose title has every word of it. */
  readonly query?: string;
}

/** The key of every command, changed by pressing the new one. */
export function KeysSection({ query = '' }: KeysSectionProps) {
  const problems = useKeys((state) => state.map.problems);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = CATALOGUE.filter((command) =>
    words.every((word) => command.title.toLowerCase().includes(word)),
  );
  return (
    <section aria-labelledby="keys-title">
      <h2 id="keys-title" className="section-title">
        Keys
      </h2>
      {query === '' && (
        <p className="section-text">
          Programs keep every key but the ones below. A command may have a key with Ctrl+Shift or Alt+Shift,
          on macOS with Cmd.
        </p>
      )}
      {problems.length > 0 && query === '' && (
        <ul className="notice notice-attention" aria-label="Problems with keys">
          {problems.map((problem) => (
            <li key={JSON.stringify(problem)}>{problemWords(problem)}</li>
          ))}
        </ul>
      )}
      {COMMAND_GROUPS.map((group) => {
        const commands = shown.filter((command) => command.group === group);
        if (commands.length === 0) return null;
        return (
          <section key={group} aria-label={group}>
            <h3 className="keys-group">{group}</h3>
            {commands.map((command) => (
              <KeyRow key={command.id} command={command} problems={problemsOf(command.id, problems)} />
            ))}
          </section>
        );
      })}
    </section>
  );
}

function KeyRow({ command, problems }: { command: CommandInfo; problems: readonly KeyProblem[] }) {
  const { settings } = useServices();
  const { platform, inBrowser } = useKeys();
  const overrides = useSettings((state) => state.settings.keys);
  const standard = standardKeys(platform, inBrowser).get(command.id) ?? null;
  const changed = Object.hasOwn(overrides, command.id);
  const text = changed ? (overrides[command.id] ?? null) : standard;
  const chord = text === null ? null : parseChord(text);
  const set = (key: string | null) =>
    settings.change((all) => ({ ...all, keys: withKey(all.keys, command.id, key, standard) }));
  return (
    <div className="key-row" data-command={command.id} data-conflict={problems.length > 0 || undefined}>
      <span className="key-title">{command.title}</span>
      {problems.map((problem) => (
        <span key={problem.kind} className="key-problem">
          <TriangleAlert size={13} aria-hidden="true" />
          {rowProblemWords(problem, command.id)}
        </span>
      ))}
      {problems.length === 0 && inBrowser && chord && keptByBrowser(chord, platform) && (
        <span className="key-problem">Your browser may keep this key for itself.</span>
      )}
      <KeyRecorder command={command} chord={chord} onRecord={(next) => void set(chordText(next))} />
      <span className="key-actions">
        {text !== null && (
          <IconButton label={`Remove the key of ${command.title}`} onPress={() => void set(null)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        )}
        {changed && (
          <IconButton label={`Reset the key of ${command.title}`} onPress={() => void set(standard)}>
            <RotateCcw size={14} aria-hidden="true" />
          </IconButton>
        )}
      </span>
    </div>
  );
}

interface KeyRecorderProps {
  readonly command: CommandInfo;
  readonly chord: Chord | null;
  readonly onRecord: (chord: Chord) => void;
}

/** Shows a chord; pressed, it waits for the next one. Escape keeps the old. */
function KeyRecorder({ command, chord, onRecord }: KeyRecorderProps) {
  const { platform } = useKeys();
  const [recording, setRecording] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const stop = () => {
    setRecording(false);
    setRefusal(null);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const pressed = chordOf(event.nativeEvent);
    if (event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return stop();
    if (pressed === null) return;
    const refused = refusalOf(pressed, platform);
    setRefusal(refused);
    if (refused !== null) return;
    onRecord(pressed);
    stop();
  };
  if (!recording) {
    return (
      <Button
        look="quiet"
        ref={button}
        aria-label={`Change the key of ${command.title}${chord ? `, now ${chordText(chord)}` : ''}`}
        onPress={() => setRecording(true)}
      >
        {chord === null ? (
          <span className="key-none">no key</span>
        ) : (
          <Keys keys={chordKeys(chord, platform)} />
        )}
      </Button>
    );
  }
  return (
    <span className="key-recording">
      {/* A native button: the chord must reach it before any press handling does. */}
      <button
        type="button"
        className="key-capture"
        ref={focus}
        aria-label={`Press the new key of ${command.title}, or Escape`}
        onKeyDown={onKeyDown}
        onBlur={stop}
        {...{ [CAPTURES_KEYS]: '' }}
      >
        Press keys…
      </button>
      <span className="key-problem" role="status">
        {refusal}
      </span>
    </span>
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}

type KeyOverrides = Readonly<Record<string, string | null>>;

/** Stores only what differs from the standard. */
function withKey(
  keys: KeyOverrides,
  id: string,
  key: string | null,
  standard: string | null,
): Record<string, string | null> {
  const { [id]: _, ...others } = keys;
  return key === standard ? others : { ...others, [id]: key };
}

function problemsOf(id: string, problems: readonly KeyProblem[]): KeyProblem[] {
  return problems.filter((problem) =>
    problem.kind === 'conflict' ? problem.commands.includes(id) : problem.command === id,
  );
}

function titleOf(id: string): string {
  return CATALOGUE.find((command) => command.id === id)?.title ?? id;
}

function problemWords(problem: KeyProblem): string {
  switch (problem.kind) {
    case 'conflict': {
      const titles = problem.commands.map((id) => `“${titleOf(id)}”`).join(' and ');
      return `${titles} have the same key, ${problem.chord}. It runs “${titleOf(problem.winner)}”.`;
    }
    case 'refused':
      return `“${titleOf(problem.command)}”: ${problem.reason}`;
    case 'unreadable':
      return `“${titleOf(problem.command)}”: “${problem.chord}” is not a key that Airlock can read.`;
    case 'unknown-command':
      return `There is no command “${problem.command}”. Its key is ignored.`;
  }
}

function rowProblemWords(problem: KeyProblem, id: string): string {
  if (problem.kind !== 'conflict') return problemWords(problem);
  const others = problem.commands.filter((other) => other !== id).map((other) => `“${titleOf(other)}”`);
  return problem.winner === id
    ? `Also the key of ${others.join(' and ')}.`
    : `This key runs “${titleOf(problem.winner)}” instead.`;
}
