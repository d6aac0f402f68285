import { CircleCheck, CircleSlash } from 'lucide-react';
import { useEffect } from 'react';
import type { EngineKind, EngineStatus } from '../../shared/terminal/engine-status.ts';
import { useServices } from '../app/services.ts';
import { engineOf, useEngines } from '../state/engines-store.ts';
import { ChoiceControl } from '../ui/ChoiceControl.tsx';
import { EngineFixes } from '../ui/EngineFixes.tsx';
import { FieldRow } from '../ui/FieldRow.tsx';

interface EngineFieldProps {
  readonly engine: EngineKind;
  readonly onChange: (engine: EngineKind) => void;
}

/** The engines that this host knows; whether the chosen one is usable stands below, with the reason. */
export function EngineField({ engine, onChange }: EngineFieldProps) {
  const { engines: service } = useServices();
  const engines = useEngines((state) => state.engines);
  useEffect(() => void service.load(), [service]);
  const status = engineOf(engines, engine);
  const kinds = engines?.map(({ kind, name }) => ({ value: kind, label: name })) ?? [];
  const choices = kinds.some(({ value }) => value === engine)
    ? kinds
    : [{ value: engine, label: engine }, ...kinds];
  return (
    <div data-engine-usable={status?.usable}>
      <FieldRow title="Engine" below={engines !== null && <EngineWords engine={engine} status={status} />}>
        <ChoiceControl label="Engine" value={engine} choices={choices} onChange={onChange} />
      </FieldRow>
    </div>
  );
}

function EngineWords({
  engine,
  status,
}: {
  readonly engine: EngineKind;
  readonly status: EngineStatus | null;
}) {
  const usable = status?.usable ?? false;
  const Icon = usable ? CircleCheck : CircleSlash;
  return (
    <div className={usable ? 'profile-engine' : 'profile-engine profile-engine-off'} role="status">
      <p>
        <Icon size={14} aria-hidden="true" />
        {status?.summary ??
          `This host has no engine “${engine}”. Sessions of this profile cannot be opened here.`}
      </p>
      {status !== null && <EngineFixes fixes={status.fixes} />}
    </div>
  );
}
