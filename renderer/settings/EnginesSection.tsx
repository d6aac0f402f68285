import { CircleCheck, CircleSlash, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { type EngineKind, type EngineStatus, engineKindSchema } from '../../shared/terminal/engine-status.ts';
import { useServices } from '../app/services.ts';
import { ENGINE_FACTS } from '../profiles/engine-facts.ts';
import { UnresolvedSessions } from '../profiles/UnresolvedSessions.tsx';
import { engineOf, useEngines } from '../state/engines-store.ts';
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
            fallback to an unsandboxed one, nor from one engine to another. A profile may name a daemon or a
            server of its own; its editor says whether that one answers.
          </p>
        </div>
        <Button isPending={probing} onPress={() => void engines.load(true)}>
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
        {known !== null &&
          engineKindSchema.options.map((kind) => {
            const engine = engineOf(known, kind);
            return engine === null ? (
              <MissingEngine key={kind} kind={kind} />
            ) : (
              <Engine key={kind} engine={engine} saidAt={firstWithFixes(known, engine)} />
            );
          })}
      </ul>
      {known === null && <p className="section-text">Checking the engines of this machine…</p>}
    </section>
  );
}

/** The engine above with the very same to do, which is then said there alone. */
function firstWithFixes(
  engines: readonly EngineStatus[],
  { kind, fixes }: EngineStatus,
): EngineStatus | null {
  if (fixes.length === 0) return null;
  const todo = JSON.stringify(fixes);
  const first = engines.find((engine) => JSON.stringify(engine.fixes) === todo);
  return first === undefined || first.kind === kind ? null : first;
}

interface EngineProps {
  readonly engine: EngineStatus;
  /** Where its fixes stand already; null where they are its own. */
  readonly saidAt: EngineStatus | null;
}

function Engine({ engine, saidAt }: EngineProps) {
  return (
    <li className="engine" data-engine={engine.kind} data-usable={engine.usable}>
      <div className="engine-head">
        {engine.usable ? (
          <CircleCheck size={16} className="engine-ok" aria-hidden="true" />
        ) : (
          <CircleSlash size={16} className="engine-off" aria-hidden="true" />
        )}
        <h3 className="engine-name">{ENGINE_FACTS[engine.kind].name}</h3>
        {engine.version !== null && <span className="engine-version">{engine.version}</span>}
        <span className={engine.usable ? 'engine-word engine-ok' : 'engine-word engine-off'}>
          {engine.usable ? 'Usable' : 'Not usable'}
        </span>
      </div>
      <p className="engine-summary selectable">{engine.summary}</p>
      {saidAt !== null ? (
        <p className="engine-summary">What to do is the same as for {ENGINE_FACTS[saidAt.kind].name}.</p>
      ) : (
        engine.fixes.length > 0 && (
          <div className="engine-fixes">
            <EngineFixes fixes={engine.fixes} />
          </div>
        )
      )}
      {engine.notes.length > 0 && (
        <ul className="engine-notes">
          {engine.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {engine.kind === 'smolvm' && (
        <div className="engine-unresolved">
          <UnresolvedSessions />
        </div>
      )}
    </li>
  );
}

/** One that Airlock knows and this host does not have. */
function MissingEngine({ kind }: { readonly kind: EngineKind }) {
  return (
    <li className="engine" data-engine={kind} data-usable={false}>
      <div className="engine-head">
        <CircleSlash size={16} className="engine-off" aria-hidden="true" />
        <h3 className="engine-name">{ENGINE_FACTS[kind].name}</h3>
        <span className="engine-word engine-off">Not on this host</span>
      </div>
    </li>
  );
}
