import { useEffect, useState } from 'react';
import { Dialog } from 'react-aria-components';
import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { Result } from '../../shared/result.ts';
import { type PaletteEntry, PaletteList } from '../commands/PaletteList.tsx';
import { Button } from '../ui/Button.tsx';
import { counted } from '../ui/format.ts';
import { PageModal } from '../ui/PageModal.tsx';
import './picker.css';

export interface PickerList {
  readonly entries: readonly PaletteEntry[];
  /** Left out because there are too many. */
  readonly more: number;
}

interface PickerProps {
  /** "Images of this endpoint". */
  readonly title: string;
  /** "Search images". */
  readonly label: string;
  /** Said when there is nothing, or nothing that matches. */
  readonly none: string;
  readonly load: () => Promise<Result<PickerList, TaggedError>>;
  readonly extra?: (query: string) => PaletteEntry | null;
  readonly onClose: () => void;
}

/** A list that a daemon or a server gives, to choose from by typing and arrows. Whatever its answer is, Escape leaves. */
export function Picker({ title, label, none, load, extra, onClose }: PickerProps) {
  const [answer, setAnswer] = useState<Result<PickerList, TaggedError> | null>(null);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each opening, and again by a button
  useEffect(() => {
    let current = true;
    setAnswer(null);
    void load().then((loaded) => current && setAnswer(loaded));
    return () => {
      current = false;
    };
  }, [asked]);
  return (
    <PageModal onClose={onClose}>
      <Dialog className="palette-dialog" aria-label={title}>
        {answer?.ok === false ? (
          <div className="picker-failed" role="alert">
            <p className="selectable">{answer.error.message}</p>
            <Button autoFocus onPress={() => setAsked((count) => count + 1)}>
              Ask again
            </Button>
          </div>
        ) : (
          <>
            {/* From the start: what is typed while the list is on its way is not lost. */}
            <PaletteList
              entries={answer?.value.entries ?? []}
              label={label}
              none={answer === null ? 'Asking for the list…' : none}
              {...(extra && answer !== null && { extra })}
              onClose={onClose}
            />
            {answer !== null && answer.value.more > 0 && (
              <p className="picker-more">{counted(answer.value.more, 'more is', 'more are')} not listed.</p>
            )}
          </>
        )}
      </Dialog>
    </PageModal>
  );
}
