import { FileUp, X } from 'lucide-react';
import { ProgressBar } from 'react-aria-components';
import { useConnection } from '../../state/connection-store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import type { Importing } from './use-import.ts';

/** The foot of the list: brings a foreign file in, and tells how that goes. */
export function ImportStrip({ importing }: { readonly importing: Importing }) {
  const connected = useConnection(({ connection }) => connection.kind === 'connected');
  const { state } = importing;
  if (state.kind === 'reading') {
    return (
      <div className="import-strip">
        <ProgressBar className="progress" aria-label={`Importing ${state.name}`} value={state.share * 100}>
          <span className="progress-words">
            Importing <VisibleText text={state.name} limit={80} />
          </span>
          <span className="progress-track">
            <span className="progress-done" style={{ width: `${state.share * 100}%` }} />
          </span>
        </ProgressBar>
        <Button look="quiet" onPress={importing.cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  if (state.kind === 'refused') {
    return (
      <div className="import-strip import-refused" role="alert">
        <p>
          <strong>
            <VisibleText text={state.name} limit={80} /> was not imported.
          </strong>{' '}
          <VisibleText text={state.why} limit={600} />
        </p>
        <IconButton label="Dismiss" onPress={importing.cancel}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      </div>
    );
  }
  return (
    <div className="import-strip">
      <Button look="quiet" isDisabled={!connected} onPress={importing.choose}>
        <FileUp size={14} aria-hidden="true" />
        {importing.dragged ? 'Drop it to import it' : 'Import a .cast file…'}
      </Button>
    </div>
  );
}
