import { Button } from '../ui/Button.tsx';
import { FieldRow } from '../ui/FieldRow.tsx';

interface LackingFieldProps {
  readonly title: string;
  /** What is so instead, as a sentence. */
  readonly words: string;
  /** Takes away what the profile asks for all the same; null where it asks for nothing. */
  readonly onClear: (() => void) | null;
}

/** A field that the profile's engine has nothing for: says so, and never ignores what the profile asks for. */
export function LackingField({ title, words, onClear }: LackingFieldProps) {
  return (
    <FieldRow title={title}>
      <div className="field lacking">
        <div className="field-words">
          <span className="field-label">{title}</span>
          <span className="field-description">{words}</span>
          {onClear && (
            <span className="profile-dangerous lacking-set">
              This profile asks for it, so no session opens on this engine.
            </span>
          )}
        </div>
        {onClear && (
          <Button aria-label={`Remove ${title.toLowerCase()} from the profile`} onPress={onClear}>
            Remove
          </Button>
        )}
      </div>
    </FieldRow>
  );
}
