import type { KeyboardEvent } from 'react';
import { SPEEDS } from './play-clock.ts';
import type { Player } from './player.ts';
import { playsOn } from './player-state.ts';

/** Milliseconds of an arrow key, alone and with Shift. */
const ARROW_MS = 5_000;
const LONG_ARROW_MS = 30_000;

/** Keys of a replay, as video players have them. True when the key meant something. */
export function playerKey(event: KeyboardEvent, player: Player, onLeave: () => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return false;
  const far = event.shiftKey ? LONG_ARROW_MS : ARROW_MS;
  switch (event.key) {
    case ' ':
      if (isButton(event.target)) return false;
      if (playsOn(player.view.state)) player.pause();
      else player.play();
      return true;
    case 'ArrowLeft':
      player.seekBy(-far);
      return true;
    case 'ArrowRight':
      player.seekBy(far);
      return true;
    case '.':
      void player.step(1);
      return true;
    case ',':
      void player.step(-1);
      return true;
    case 'Home':
      player.seek(0);
      return true;
    case 'End':
      player.seek(player.view.durationMs);
      return true;
    case '<':
    case '>':
      player.setSpeed(speedBeside(player.view.speed, event.key === '>' ? 1 : -1));
      return true;
    case 'Escape':
      onLeave();
      return true;
    default:
      return false;
  }
}

/** The next faster or slower speed; the last one stays. */
export function speedBeside(speed: number, by: 1 | -1): number {
  const index = (SPEEDS as readonly number[]).indexOf(speed);
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index + by))] ?? 1;
}

/** A field of its own, a menu or a dialog. The terminal's field takes no text in a replay. */
function takesKeys(target: EventTarget): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.classList.contains('xterm-helper-textarea')) return false;
  return target.closest('input, textarea, select, [role=menu], [role=dialog], [role=listbox]') !== null;
}

function isButton(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest('button') !== null;
}
