import { CircleCheck, CircleSlash, LoaderCircle, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { RadioButton, RadioField, RadioGroup } from 'react-aria-components';
import type { Profile } from '../../shared/settings/schema.ts';
import { type EngineKind, type EngineStatus, engineKindSchema } from '../../shared/terminal/engine-status.ts';
import { PROBE_DEADLINE_MS } from '../../shared/terminal/limits.ts';
import { useServices } from '../app/services.ts';
import { engineOf, useEngines } from '../state/engines-store.ts';
import { Button } from '../ui/Button.tsx';
import { EngineFixes } from '../ui/EngineFixes.tsx';
import { ENGINE_FACTS } from './engine-facts.ts';
import { type EngineState, engineState } from './engine-state.ts';
import type { EngineCheck } from './use-engine-check.ts';

interface EngineFieldProps {
  readonly profile: Profile;
  /** What the engine says of the profile. */
  readonly check: EngineCheck;
  readonly onChange: (engine: EngineKind) => void;
}

/** Every engine there is, with whether this machine has it; below, whether the chosen one works with this profile's values. */
export function EngineField({ profile, check, onChange }: EngineFieldProps) {
  const { engines: service } = useServices();
  const engines = useEngines((state) => state.engines);
  useEffect(() => void service.load(), [service]);
  const stateOf = (kind: EngineKind) => {
    const general = engines === null ? undefined : engineOf(engines, kind);
    return engineState(profile, kind, { answers: check.answers, general });
  };
  return (
    <div className="engine-field" data-engine-usable={check.status?.usable}>
      <RadioGroup
        className="engine-choices"
        aria-label="Engine"
        value={profile.engine}
        onChange={(chosen) => onChange(chosen as EngineKind)}
      >
        {engineKindSchema.options.map((kind) => (
          <EngineChoice key={kind} kind={kind} state={stateOf(kind)} />
        ))}
      </RadioGroup>
      <CheckWords check={check} />
    </div>
  );
}

function EngineChoice({ kind, state }: { readonly kind: EngineKind; readonly state: EngineState | null }) {
  const { name, what } = ENGINE_FACTS[kind];
  return (
    <RadioField value={kind} className="engine-choice-field">
      <RadioButton className="engine-choice">
        <span className="engine-choice-dot" aria-hidden="true" />
        <span className="engine-choice-name">{name}</span>
        <span className="engine-choice-what">{what}</span>
        {state !== null && (
          <span className={state.isReady ? 'engine-choice-state engine-ok' : 'engine-choice-state'}>
            {state.words}
          </span>
        )}
      </RadioButton>
    </RadioField>
  );
}

/**
 * What the engine says of this profile's values. What is said changes in place and is read out; what was said before keeps
 * its room while the engine is asked again, so that nothing below moves under the pointer.
 */
function CheckWords({ check }: { readonly check: EngineCheck }) {
  const { status, error, isSlow, recheck } = check;
  return (
    <div className="engine-check" role="status" data-tone={toneOf(check)}>
      <div className="engine-check-line">
        <div className="engine-check-words">
          {isSlow && <Waiting />}
          {error === null ? <Answer status={status} /> : <p>{error}</p>}
        </div>
        <Button look="quiet" aria-label="Check the engine again" onPress={recheck}>
          <RefreshCw size={13} aria-hidden="true" />
          Check again
        </Button>
      </div>
      {status !== null && (status.fixes.length > 0 || status.notes.length > 0) && (
        <div className="engine-check-more">
          <EngineFixes fixes={status.fixes} />
          {status.notes.map((note) => (
            <p key={note} className="engine-check-note selectable">
              {note}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

function toneOf({ status, error, isSlow }: EngineCheck): 'off' | 'on' | 'waiting' {
  if (isSlow || (status === null && error === null)) return 'waiting';
  return status?.usable ? 'on' : 'off';
}

function Waiting() {
  return (
    <p className="engine-check-asking">
      <LoaderCircle size={14} className="engine-check-spin" aria-hidden="true" />
      Asking the engine… It has {PROBE_DEADLINE_MS / 1_000} seconds to answer.
    </p>
  );
}

function Answer({ status }: { readonly status: EngineStatus | null }) {
  if (status === null) return <p />;
  const Icon = status.usable ? CircleCheck : CircleSlash;
  return (
    <p className="selectable">
      <Icon size={14} aria-hidden="true" />
      {status.summary}
    </p>
  );
}
