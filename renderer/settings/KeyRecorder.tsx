import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import type { CommandInfo } from '../commands/catalogue.ts';
import { useKeys } from '../commands/current-keys.ts';
import { CAPTURES_KEYS } from '../commands/key-dispatch.ts';
import { type Chord, chordKeys, chordOf, chordText, refusalOf } from '../commands/key-map.ts';
import { Button } from '../ui/Button.tsx';
import { Keys } from '../ui/Keys.tsx';

interface KeyRecorderProps {
  readonly command: CommandInfo;
  readonly chord: Chord | null;
  readonly onRecord: (chord: Chord) => void;
  /** Why a pressed chord cannot be the command's; null when recording ends. */
  readonly onRefusal: (reason: string | null) => void;
}

/** Shows a chord; pressed, it waits for the next one. Escape keeps the old, Tab moves on. */
export function KeyRecorder({ command, chord, onRecord, onRefusal }: KeyRecorderProps) {
  const { platform } = useKeys();
  const [recording, setRecording] = useState(false);
  const ended = useRef(false);
  const focusAfterRecording = useCallback((button: HTMLButtonElement | null) => {
    if (ended.current) button?.focus();
    ended.current = false;
  }, []);
  const stop = (byKey: boolean) => {
    ended.current = byKey;
    setRecording(false);
    onRefusal(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' && !event.ctrlKey && !event.altKey && !event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return stop(true);
    const pressed = chordOf(event.nativeEvent);
    if (pressed === null) return;
    const refusal = refusalOf(pressed, platform);
    if (refusal !== null) return onRefusal(refusal);
    onRecord(pressed);
    stop(true);
  };
  if (recording) {
    return (
      // A native button: the chord must reach it before any press handling does.
      <button
        type="button"
        className="key-capture"
        ref={focus}
        aria-label={`Press the new key of ${command.title}, or Escape`}
        onKeyDown={onKeyDown}
        onBlur={() => stop(false)}
        {...{ [CAPTURES_KEYS]: '' }}
      >
        Press keys…
      </button>
    );
  }
  return (
    <Button
      look="quiet"
      ref={focusAfterRecording}
      aria-label={`Change the key of ${command.title}${chord ? `, now ${chordText(chord)}` : ''}`}
      onPress={() => setRecording(true)}
    >
      {chord === null ? <span className="key-none">no key</span> : <Keys keys={chordKeys(chord, platform)} />}
    </Button>
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}
