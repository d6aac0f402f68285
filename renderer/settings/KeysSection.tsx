import { CATALOGUE, COMMAND_GROUPS } from '../commands/catalogue.ts';
import { useKeys } from '../commands/current-keys.ts';
import { KeyRow } from './KeyRow.tsx';
import { problemsOf, problemWords } from './key-problem-words.ts';
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
          Programs keep every key but the ones below, and Shift+PageUp and Shift+PageDown, which scroll. A
          command may have a key with Ctrl+Shift or Alt+Shift, on macOS with Cmd.
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
