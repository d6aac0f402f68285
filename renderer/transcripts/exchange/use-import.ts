import { type DragEvent, useRef, useState } from 'react';
import { useServices } from '../../app/services.ts';
import { importFile } from './read-import.ts';

export type ImportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly name: string; readonly share: number }
  | { readonly kind: 'refused'; readonly name: string; readonly why: string };

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

/** Brings foreign .cast files in, by a dialog or by dropping them. One at a time. */
export function useImport(): Importing {
  const { transcripts } = useServices();
  const [state, setState] = useState<ImportState>({ kind: 'none' });
  const [dragged, setDragged] = useState(false);
  const running = useRef(new AbortController());
  const start = async (file: File) => {
    const { name } = file;
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    setState({ kind: 'reading', name, share: 0 });
    const end = await importFile(
      transcripts.api,
      file,
      (share) => setState({ kind: 'reading', name, share }),
      () => signal.aborted,
    );
    if (end.kind === 'cancelled') return;
    setState(end.kind === 'refused' ? { kind: 'refused', name, why: end.why } : { kind: 'none' });
    if (end.kind !== 'imported') return;
    void transcripts.load();
    transcripts.openSession(end.transcript.id);
  };
  return {
    state,
    dragged,
    choose: () => chooseFile((file) => void start(file)),
    cancel() {
      running.current.abort();
      setState({ kind: 'none' });
    },
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
        if (file !== undefined && state.kind !== 'reading') void start(file);
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
