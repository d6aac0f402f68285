import { useEffect, useRef } from 'react';
import { ArmingButton } from './ArmingButton.tsx';
import { Button } from './Button.tsx';
import './confirm-row.css';

interface ConfirmRowProps {
  readonly question: string;
  /** The words of the button that does it. */
  readonly yes: string;
  readonly no?: string;
  /** It is being done. */
  readonly isBusy?: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/**
 * Asks before something is ended or gone for good. What asked is often gone by then, and the focus with it: then the button that
 * changes nothing has it.
 */
export function ConfirmRow({ question, yes, no = 'Keep', isBusy = false, onYes, onNo }: ConfirmRowProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) keep.current?.focus();
  }, []);
  return (
    <div className="confirm-row">
      <p className="confirm-question">{question}</p>
      <ArmingButton look="danger" isDisabled={isBusy} onPress={onYes}>
        {yes}
      </ArmingButton>
      <Button ref={keep} isDisabled={isBusy} onPress={onNo}>
        {no}
      </Button>
    </div>
  );
}
