import { CircleCheck, CircleSlash, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import type { EngineStatus } from '../../shared/terminal/engine-status.ts';
import { useServices } from '../app/services.ts';
import { useEngines } from '../state/engines-store.ts';
import { Button } from '../ui/Button.tsx';
import { EngineFixes } from '../ui/EngineFixes.tsx';
import './engines.css';

/** Every engine: usable here, or why not and what to do about it. */
export function EnginesSection() {
  const { engines } = useServices();
  const { engines: known, probing, error } = useEngines();
  useEffect(() => void engines.load(), [engines]);
  return (
    <section aria-labelledby="engines-title">
      <header className="section-header">
        <div>
          <h2 id="engines-title" className="section-title">
            Engines
          </h2>
          <p className="section-text">
            An engine makes the sandbox that a shell runs in. Without one, no shell opens: there is no
            fallback to an unsandboxed one.
          </p>
        </div>
        <Button isDisabled={probing} onPress={() => void engines.load(true)}>
          <RefreshCw size={14} aria-hidden="true" />
          {probing ? 'Checking…' : 'Check again'}
        </Button>
      </header>
      {error !== null && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <ul className="engines">
        {known?.map((engine) => (
          <Engine key={engine.kind} engine={engine} />
        ))}
      </ul>
      {known === null && <p className="section-text">Checking the engines of this machine…</p>}
    </section>
  );
}

function Engine({ engine }: { readonly engine: EngineStatus }) {
  return (
    <li className="engine" data-engine={engine.kind} data-usable={engine.usable}>
      <div className="engine-head">
        {engine.usable ? (
          <CircleCheck size={16} className="engine-ok" aria-hidden="true" />
        ) : (
          <CircleSlash size={16} className="engine-off" aria-hidden="true" />
        )}
        <h3 className="engine-name">{engine.name}</h3>
        {engine.version !== null && <span className="engine-version">{engine.version}</span>}
        <span className={engine.usable ? 'engine-word engine-ok' : 'engine-word engine-off'}>
          {engine.usable ? 'Usable' : 'Not usable'}
        </span>
      </div>
      <p className="engine-summary">{engine.summary}</p>
      {engine.fixes.length > 0 && (
        <div className="engine-fixes">
          <EngineFixes fixes={engine.fixes} />
        </div>
      )}
      {engine.notes.length > 0 && (
        <ul className="engine-notes">
          {engine.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
