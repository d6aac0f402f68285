import { useState } from 'react';
import type { OpenedTranscript } from '../../../shared/transcripts/transcript.ts';
import { useServices } from '../../app/services.ts';
import { ArmingButton } from '../../ui/ArmingButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { formatBytes } from '../../ui/format.ts';

interface DeleteStripProps {
  readonly transcript: OpenedTranscript;
  readonly onClose: () => void;
}

/** Asks before a transcript is gone for good; beside the terminal, never over it. */
export function DeleteStrip({ transcript, onClose }: DeleteStripProps) {
  const { transcripts } = useServices();
  const [state, setState] = useState<'asking' | 'deleting' | { readonly why: string }>('asking');
  const remove = async () => {
    setState('deleting');
    const why = await transcripts.remove([transcript.id]);
    if (why !== null) setState({ why });
  };
  return (
    <section className="delete-strip" aria-label="Delete this transcript">
      <p>
        {typeof state === 'object' ? (
          <span role="alert">It was not deleted: {state.why}</span>
        ) : (
          <>
            Delete this transcript for good? {formatBytes(transcript.bytes)} are freed. Receipts and decisions
            stay; the log records that it was deleted.
          </>
        )}
      </p>
      <Button autoFocus isDisabled={state === 'deleting'} onPress={onClose}>
        Keep it
      </Button>
      <ArmingButton look="danger" isDisabled={state === 'deleting'} onPress={() => void remove()}>
        {state === 'deleting' ? 'Deleting…' : 'Delete'}
      </ArmingButton>
    </section>
  );
}
