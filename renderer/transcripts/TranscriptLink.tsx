import { useState } from 'react';
import { useServices } from '../app/services.ts';
import { useConnection } from '../state/connection-store.ts';
import { Button } from '../ui/Button.tsx';
import type { LinkOf } from './transcripts-service.ts';

interface TranscriptLinkProps {
  readonly of: LinkOf;
  /** Of what, for a screen reader. */
  readonly label: string;
}

/** From a decision or a receipt to the moment of its transcript; says so where nothing was recorded. */
export function TranscriptLink({ of, label }: TranscriptLinkProps) {
  const { transcripts } = useServices();
  const connected = useConnection(({ connection }) => connection.kind === 'connected');
  const [refusal, setRefusal] = useState<string | null>(null);
  if (refusal !== null) {
    return (
      <span className="transcript-refusal" role="status">
        {refusal}
      </span>
    );
  }
  return (
    <Button
      aria-label={label}
      isDisabled={!connected}
      onPress={() => void transcripts.openMoment(of).then(setRefusal)}
    >
      Transcript
    </Button>
  );
}
