import { useEffect, useRef, useState } from 'react';
import { APPROVAL } from '../../shared/governed/limits.ts';
import type { ApprovalPage, PageState } from './approval-page.ts';
import type { Arming } from './arming.ts';
import { focusedForMs } from './focus-clock.ts';
import { APPROVE_WORD, PointerGesture, typeWord } from './gesture.ts';
import type { Sight } from './visibility.ts';

interface DecideProps {
  readonly page: ApprovalPage;
  readonly state: PageState;
  readonly sight: Sight;
}

/** Approve, by pointer or by word, and Deny, which needs no reading. */
export function Decide({ page, state, sight }: DecideProps) {
  const [hint, setHint] = useState<string | null>(null);
  const armed = state.arming.kind === 'armed' && !state.deciding;
  const approve = () => void page.approve();
  const { kind } = state.arming;
  return (
    <footer className="card-foot">
      <p className="arming" role="status">
        {state.words ?? hint ?? armingInWords(state.arming, sight)}
      </p>
      {kind === 'elsewhere' && (
        <button type="button" className="window-button" onClick={() => void page.openWindow()}>
          Approve in its own window…
        </button>
      )}
      {kind !== 'elsewhere' && kind !== 'never' && (
        <div className="approve-row" hidden={sight === 'too-small'}>
          <ApproveButton armed={armed} approve={approve} onHint={setHint} />
          <ApproveWord armed={armed} approve={approve} />
        </div>
      )}
      <Deny page={page} deciding={state.deciding} />
    </footer>
  );
}

function armingInWords(arming: Arming, sight: Sight): string {
  if (arming.kind === 'elsewhere')
    return 'Approving has its own window, so that nothing of this page can cover it.';
  if (arming.kind === 'never') return arming.why;
  if (sight === 'too-small') return 'There is too little room to read this request. Make the window larger.';
  switch (arming.kind) {
    case 'hidden':
      return 'Approve waits until this page is in view.';
    case 'unread':
      return 'Scroll to the end of the request to approve it.';
    case 'arming':
      return 'Approve can be pressed in a moment.';
    case 'armed':
      return 'Approve can be pressed.';
  }
}

interface ApproveProps {
  readonly armed: boolean;
  readonly approve: () => void;
}

interface ApproveButtonProps extends ApproveProps {
  readonly onHint: (hint: string | null) => void;
}

function ApproveButton({ armed, approve, onHint }: ApproveButtonProps) {
  const [gesture] = useState(() => new PointerGesture());
  const overSince = useRef<number | null>(null);
  useEffect(() => {
    const cancel = () => gesture.cancel();
    if (!armed) cancel();
    window.addEventListener('blur', cancel);
    return () => window.removeEventListener('blur', cancel);
  }, [armed, gesture]);
  return (
    // Around the button, because a disabled one hears nothing of the pointer.
    <span
      className="approve-place"
      onPointerEnter={(event) => {
        overSince.current = event.timeStamp;
      }}
      onPointerLeave={() => {
        overSince.current = null;
      }}
    >
      <button
        type="button"
        className="approve-button"
        disabled={!armed}
        aria-describedby="approve-by-word"
        onPointerDown={({ nativeEvent: event }) =>
          gesture.press(
            {
              trusted: event.isTrusted,
              primary: event.isPrimary,
              button: event.button,
              pointerId: event.pointerId,
              focusedForMs: focusedForMs(),
              overForMs: overSince.current === null ? null : event.timeStamp - overSince.current,
              at: event.timeStamp,
            },
            armed,
          )
        }
        onPointerCancel={() => gesture.cancel()}
        onClick={({ nativeEvent: event }) => {
          const pointerId = event instanceof PointerEvent ? event.pointerId : -1;
          const { isTrusted: trusted, detail, timeStamp: at } = event;
          const verdict = gesture.click({ trusted, detail, pointerId, at }, armed);
          if (verdict.kind === 'approve') approve();
          else onHint(verdict.hint);
        }}
      >
        Approve once
      </button>
    </span>
  );
}

/** The keyboard's way: the word itself decides; no key does. */
function ApproveWord({ armed, approve }: ApproveProps) {
  const [word, setWord] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const repeated = useRef(false);
  useEffect(() => {
    if (!armed) setWord('');
  }, [armed]);
  useEffect(() => {
    const element = input.current;
    // The browser's own event: React's onBeforeInput is made of others.
    const onBeforeInput = (event: InputEvent) => {
      event.preventDefault();
      const { isTrusted: trusted, inputType, data } = event;
      const next = typeWord(word, { trusted, inputType, data, repeated: repeated.current }, armed);
      setWord(next === APPROVE_WORD ? '' : next);
      if (next === APPROVE_WORD) approve();
    };
    element?.addEventListener('beforeinput', onBeforeInput);
    return () => element?.removeEventListener('beforeinput', onBeforeInput);
  }, [word, armed, approve]);
  return (
    <div className="approve-word">
      <label id="approve-by-word" htmlFor="approve-word">
        By keyboard: type “{APPROVE_WORD}” here. No key presses the button.
      </label>
      <input
        id="approve-word"
        ref={input}
        type="text"
        value={word}
        disabled={!armed}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={() => {}}
        onKeyDown={(event) => {
          repeated.current = event.repeat;
        }}
        onBlur={() => setWord('')}
      />
    </div>
  );
}

interface DenyProps {
  readonly page: ApprovalPage;
  readonly deciding: boolean;
}

function Deny({ page, deciding }: DenyProps) {
  const [reason, setReason] = useState('');
  const [settled, setSettled] = useState(false);
  const pressedAt = useRef<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), APPROVAL.settleMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="deny-row">
      <button
        type="button"
        className="deny-button"
        disabled={deciding || !settled}
        onPointerDown={(event) => {
          pressedAt.current = event.timeStamp;
        }}
        onClick={({ detail, timeStamp }) => {
          // A key makes a click without a press; one of the pointer counts from its press, which was on this button.
          const at = detail === 0 ? timeStamp : pressedAt.current;
          pressedAt.current = null;
          if (at !== null) void page.deny(reason, at);
        }}
      >
        Deny
      </button>
      <input
        type="text"
        className="deny-reason"
        aria-label="Reason for denying, optional"
        placeholder="Reason, optional"
        maxLength={APPROVAL.reasonMaxChars}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </div>
  );
}
