import { type DragEvent, useState } from 'react';
import { useServices } from '../../app/services.ts';
import { type ImportState, useTranscripts } from '../../state/transcripts-store.ts';

export interface Importing {
  readonly state: ImportState;
  /** A file is held over the list. */
  readonly dragged: boolean;
  readonly dropTarget: {
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
  choose(): void;
  cancel(): void;
}

/** How a person brings foreign .cast files in: by a dialog, or by dropping them. */
export function useImport(): Importing {
  const { transcripts } = useServices();
  const state = useTranscripts(({ importing }) => importing);
  const [dragged, setDragged] = useState(false);
  return {
    state,
    dragged,
    choose: () => chooseFile((file) => void transcripts.import(file)),
    cancel: () => transcripts.endImport(),
    dropTarget: {
      onDragOver(event) {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDragged(true);
      },
      onDragLeave(event) {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget))
          setDragged(false);
      },
      onDrop(event) {
        event.preventDefault();
        setDragged(false);
        const file = event.dataTransfer.files[0];
        if (file !== undefined && state.kind !== 'reading') void transcripts.import(file);
      },
    },
  };
}

function chooseFile(onFile: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.cast,.json,application/x-asciicast';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) onFile(file);
  });
  input.click();
}
