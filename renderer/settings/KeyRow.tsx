import { RotateCcw, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { useServices } from '../app/services.ts';
import { type CommandInfo, standardKeys } from '../commands/catalogue.ts';
import { useKeys } from '../commands/current-keys.ts';
import { chordText, type KeyProblem, keptByBrowser, parseChord } from '../commands/key-map.ts';
import { useSettings } from '../state/settings-store.ts';
import { IconButton } from '../ui/Button.tsx';
import { KeyRecorder } from './KeyRecorder.tsx';
import { rowProblemWords } from './key-problem-words.ts';

interface KeyRowProps {
  readonly command: CommandInfo;
  readonly problems: readonly KeyProblem[];
}

/** One command and its key: change it, take it away, bring the standard back. */
export function KeyRow({ command, problems }: KeyRowProps) {
  const { settings } = useServices();
  const { platform, inBrowser } = useKeys();
  const overrides = useSettings((state) => state.settings.keys);
  const [refusal, setRefusal] = useState<string | null>(null);
  const standard = standardKeys(platform, inBrowser).get(command.id) ?? null;
  const changed = Object.hasOwn(overrides, command.id);
  const text = changed ? (overrides[command.id] ?? null) : standard;
  const chord = text === null ? null : parseChord(text);
  const kept = inBrowser && chord !== null && keptByBrowser(chord, platform);
  const set = (key: string | null) =>
    void settings.change((all) => ({ ...all, keys: withKey(all.keys, command.id, key, standard) }));
  return (
    <div className="key-row" data-command={command.id} data-conflict={problems.length > 0 || undefined}>
      <span className="key-title">{command.title}</span>
      {problems.map((problem) => (
        <span key={problem.kind} className="key-problem">
          <TriangleAlert size={13} aria-hidden="true" />
          {rowProblemWords(problem, command.id)}
        </span>
      ))}
      {kept && problems.length === 0 && (
        <span className="key-problem">Your browser may keep this key for itself.</span>
      )}
      <KeyRecorder
        command={command}
        chord={chord}
        onRecord={(next) => set(chordText(next))}
        onRefusal={setRefusal}
      />
      <span className="key-actions">
        {text !== null && (
          <IconButton label={`Remove the key of ${command.title}`} onPress={() => set(null)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        )}
        {changed && (
          <IconButton label={`Reset the key of ${command.title}`} onPress={() => set(standard)}>
            <RotateCcw size={14} aria-hidden="true" />
          </IconButton>
        )}
      </span>
      <span className="key-problem key-refusal" role="status">
        {refusal}
      </span>
    </div>
  );
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
