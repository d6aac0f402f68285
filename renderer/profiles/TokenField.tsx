import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';
import { describeIssues } from '../../shared/protocol/issues.ts';
import { hostTokenSchema } from '../../shared/settings/host-token.ts';
import { Button } from '../ui/Button.tsx';
import { FieldRow } from '../ui/FieldRow.tsx';
import { useStateOf } from '../ui/use-state-of.ts';

interface TokenFieldProps {
  /** The profile and the address that it is for: what was typed for another is dropped. */
  readonly owner: string;
  readonly isKept: boolean;
  /** What the token is, and where it comes from: a sentence. */
  readonly what: string;
  /** Both resolve with what went wrong, or null. */
  readonly onSave: (token: string) => Promise<string | null>;
  readonly onForget: () => Promise<string | null>;
}

/** Takes a token to the host, which gives it to nobody but the profile's address. It is not shown again, here or anywhere. */
export function TokenField({ owner, isKept, what, onSave, onForget }: TokenFieldProps) {
  const [draft, setDraft] = useStateOf(owner, '');
  const [problem, setProblem] = useStateOf<string | null>(owner, null);
  const error = draft === '' ? problem : (tokenProblem(draft) ?? problem);
  const save = async () => {
    if (draft === '' || tokenProblem(draft) !== null) return;
    setDraft('');
    setProblem(await onSave(draft));
  };
  const forget = async () => setProblem(await onForget());
  return (
    <FieldRow title="Token">
      <TextField
        className="field token-field"
        type="password"
        value={draft}
        onChange={(text) => {
          setDraft(text);
          setProblem(null);
        }}
        isInvalid={error !== null}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void save();
          else event.continuePropagation();
        }}
      >
        <div className="field-words">
          <Label className="field-label">Token</Label>
          <Text slot="description" className="field-description">
            {isKept
              ? 'A token is kept for this address. It is not shown again.'
              : `${what} Kept by the host, for this address alone; not in the settings file.`}
          </Text>
          <FieldError className="field-error">{error}</FieldError>
        </div>
        <Input
          className="input input-literal"
          placeholder={isKept ? 'another token' : ''}
          autoComplete="off"
          spellCheck={false}
        />
      </TextField>
      <Button
        look={isKept ? 'plain' : 'primary'}
        isDisabled={draft === '' || error !== null}
        onPress={() => void save()}
      >
        Save token
      </Button>
      {isKept && (
        <Button look="quiet" onPress={() => void forget()}>
          Forget
        </Button>
      )}
    </FieldRow>
  );
}

/** Says what is wrong without the text itself. */
function tokenProblem(text: string): string | null {
  const value = { token: text };
  const parsed = hostTokenSchema.safeParse(text);
  if (parsed.success) return null;
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['token'] }));
  return `Token ${describeIssues(issues, value)[0]?.message ?? 'cannot be used'}.`;
}
