import { type PointerEvent, useMemo, useRef, useState } from 'react';
import type { Moment } from '../../../shared/transcripts/moment.ts';
import { clockTime, spokenTime } from '../transcript-words.ts';
import { MomentWords } from './Moments.tsx';
import type { Player, PlayerView } from './player.ts';
import { nearestMoment, timelineMarks } from './timeline-marks.ts';

/** Pixels around a mark within which the pointer means it. */
const REACH_PX = 5;

interface TimelineProps {
  readonly player: Player;
  readonly view: PlayerView;
  readonly moments: readonly Moment[];
}

/** Where the replay is. A click or a drag seeks; the keys of the player do so by keyboard. */
export function Timeline({ player, view, moments }: TimelineProps) {
  const track = useRef<HTMLDivElement>(null);
  const dragging = useRef(false);
  const [pointed, setPointed] = useState<{ readonly atMs: number; readonly moment: Moment | null } | null>(
    null,
  );
  const { durationMs, timeMs } = view;
  const marks = useMemo(() => timelineMarks(moments, durationMs), [moments, durationMs]);
  const look = (event: PointerEvent) => {
    const { left, width } = track.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    const atMs = Math.min(1, Math.max(0, (event.clientX - left) / width)) * durationMs;
    const moment = nearestMoment(moments, atMs, (REACH_PX / width) * durationMs);
    return { atMs: moment?.atMs ?? atMs, moment };
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    dragging.current = true;
    player.seek(look(event).atMs);
  };
  const onPointerMove = (event: PointerEvent) => {
    const at = look(event);
    setPointed(at);
    if (dragging.current) player.seek(at.atMs);
  };
  return (
    <div
      className="timeline"
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={Math.max(1, Math.round(durationMs))}
      aria-valuenow={Math.round(timeMs)}
      aria-valuetext={`${spokenTime(timeMs)} of ${spokenTime(durationMs)}`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        dragging.current = false;
      }}
      onPointerLeave={() => setPointed(null)}
    >
      <div className="timeline-track" ref={track}>
        <div className="timeline-done" style={{ width: share(timeMs, durationMs) }} />
        {marks.map(({ at, tone }) => (
          <span key={at} className="timeline-mark" data-tone={tone} style={{ left: `${at * 100}%` }} />
        ))}
        <span className="timeline-now" style={{ left: share(timeMs, durationMs) }} />
        {pointed !== null && (
          <span
            className="timeline-tip"
            style={{ left: share(pointed.atMs, durationMs) }}
            data-side={pointed.atMs > durationMs / 2 ? 'left' : 'right'}
          >
            {clockTime(pointed.atMs)}
            {pointed.moment !== null && (
              <>
                {' '}
                <MomentWords moment={pointed.moment} />
              </>
            )}
          </span>
        )}
      </div>
    </div>
  );
}

function share(ms: number, durationMs: number): string {
  return `${durationMs === 0 ? 0 : Math.min(100, (ms / durationMs) * 100)}%`;
}
