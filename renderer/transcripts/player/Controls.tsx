import { Pause, Play, SkipBack, StepBack, StepForward } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { OpenedTranscript } from '../../../shared/transcripts/transcript.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Keys } from '../../ui/Keys.tsx';
import { clockTime } from '../transcript-words.ts';
import { MomentsButton } from './Moments.tsx';
import { IDLE_LIMITS_MS, SPEEDS } from './play-clock.ts';
import type { Player, PlayerView } from './player.ts';
import { usePlayerPreferences } from './preferences.ts';

interface ControlsProps {
  readonly player: Player;
  readonly view: PlayerView;
  readonly transcript: OpenedTranscript;
  readonly isPlaying: boolean;
}

export function Controls({ player, view, transcript, isPlaying }: ControlsProps) {
  const { timeMs, durationMs, speed, idleMs, state } = view;
  const { moments, ended } = transcript;
  // Whoever is at the end of what is still recorded stays there.
  const follows = ended.how === 'running' && timeMs >= durationMs;
  return (
    <div className="controls">
      <IconButton label="To the start" hint={<Keys keys={['Home']} />} onPress={() => player.seek(0)}>
        <SkipBack size={15} aria-hidden="true" />
      </IconButton>
      <IconButton label="One step back" hint={<Keys keys={[',']} />} onPress={() => void player.step(-1)}>
        <StepBack size={15} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={isPlaying ? 'Pause' : 'Play'}
        hint={<Keys keys={['Space']} />}
        onPress={() => (isPlaying ? player.pause() : player.play())}
      >
        {isPlaying ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
      </IconButton>
      <IconButton label="One step on" hint={<Keys keys={['.']} />} onPress={() => void player.step(1)}>
        <StepForward size={15} aria-hidden="true" />
      </IconButton>
      <span className="controls-time" data-waiting={state.kind === 'waiting' || undefined}>
        {clockTime(timeMs)} / {clockTime(durationMs)}
      </span>
      {follows && <span className="controls-follows">follows</span>}
      <ChoiceMenu
        name="Speed"
        chosen={speed}
        options={SPEEDS}
        words={(option) => `${option}×`}
        onChoose={(next) => {
          player.setSpeed(next);
          usePlayerPreferences.setState({ speed: next });
        }}
      />
      <ChoiceMenu
        name="Waits"
        chosen={idleMs}
        options={IDLE_LIMITS_MS}
        words={(option) => (option === null ? 'whole waits' : `skip idle over ${option / 1_000} s`)}
        onChoose={(next) => {
          player.setIdle(next);
          usePlayerPreferences.setState({ idleMs: next });
        }}
      />
      <MomentsButton moments={moments} timeMs={timeMs} onSeek={(ms) => player.seek(ms, false)} />
    </div>
  );
}

interface ChoiceMenuProps<Value> {
  readonly name: string;
  readonly chosen: Value;
  readonly options: readonly Value[];
  readonly words: (option: Value) => string;
  readonly onChoose: (option: Value) => void;
}

function ChoiceMenu<Value>({ name, chosen, options, words, onChoose }: ChoiceMenuProps<Value>) {
  return (
    <MenuTrigger>
      <Button className="chip" aria-label={`${name}: ${words(chosen)}`}>
        {words(chosen)}
      </Button>
      <Popover className="menu-popover chip-popover" placement="top start" offset={4}>
        <Menu
          className="menu"
          aria-label={name}
          selectionMode="single"
          selectedKeys={[words(chosen)]}
          onAction={(key) => {
            const option = options.find((candidate) => words(candidate) === key);
            if (option !== undefined) onChoose(option);
          }}
        >
          {options.map((option) => (
            <MenuItem key={words(option)} id={words(option)} className="menu-item">
              {words(option)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
