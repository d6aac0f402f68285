import { List } from 'lucide-react';
import { useState } from 'react';
import { Button, DialogTrigger, Popover } from 'react-aria-components';
import type { Moment } from '../../../shared/transcripts/moment.ts';
import { momentWords } from '../../../shared/transcripts/moment-words.ts';
import { showLinked } from '../../state/workspace-store.ts';
import { counted } from '../../ui/format.ts';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { clockTime, momentCounts, momentTone } from '../transcript-words.ts';
import { momentAt } from './timeline-marks.ts';

/** The moment that the replay is at, or has just left, with a way to what it stands for. */
export function MomentLine({
  moments,
  timeMs,
}: {
  readonly moments: readonly Moment[];
  readonly timeMs: number;
}) {
  // Where the keys of a session went is seen in the list; it must not hide what a person decided.
  const told = moments.filter(({ kind }) => kind !== 'route');
  const moment = momentAt(told, timeMs);
  return (
    <div className="moment-line" data-moment={moment?.kind}>
      {moment !== null && (
        <>
          <span className="moment-time">{clockTime(moment.atMs)}</span>
          <MomentWords moment={moment} />
          <MomentLinks moment={moment} />
        </>
      )}
    </div>
  );
}

interface MomentsButtonProps {
  readonly moments: readonly Moment[];
  readonly timeMs: number;
  readonly onSeek: (ms: number) => void;
}

/** What the marks of the timeline are; opens a list of all of them. */
export function MomentsButton({ moments, timeMs, onSeek }: MomentsButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (moments.length === 0) return null;
  const counts = momentCounts(moments);
  const current = momentAt(moments, timeMs);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className="moments-button" aria-label={momentsName(moments.length, counts)}>
        {counts.length === 0 && <span>{counted(moments.length, 'moment')}</span>}
        {counts.map(({ tone, count, words }) => (
          <span key={words} className="moments-count" data-tone={tone}>
            {count}
            <span className="moments-word">{words}</span>
          </span>
        ))}
        <List size={14} aria-hidden="true" />
      </Button>
      <Popover className="menu-popover moments-popover" placement="top end" offset={6}>
        <ul className="moments-list">
          {moments.map((moment, index) => (
            // Moments keep their places.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={index} className="moment" data-current={moment === current || undefined}>
              <button
                type="button"
                className="moment-seek"
                onClick={() => {
                  onSeek(moment.atMs);
                  setOpen(false);
                }}
              >
                <span className="moment-time">{clockTime(moment.atMs)}</span>
                <MomentWords moment={moment} />
              </button>
              <MomentLinks moment={moment} />
            </li>
          ))}
        </ul>
      </Popover>
    </DialogTrigger>
  );
}

/** "All 5 moments: 2 decisions, 1 publication". */
function momentsName(total: number, counts: ReturnType<typeof momentCounts>): string {
  const parts = counts.map(({ count, words }) => `${count} ${words}`);
  return [`All ${counted(total, 'moment')}`, ...(parts.length > 0 ? [parts.join(', ')] : [])].join(': ');
}

export function MomentWords({ moment }: { readonly moment: Moment }) {
  const { what, rest } = momentWords(moment);
  return (
    <span className="moment-words">
      <span className="moment-kind" data-tone={momentTone(moment)}>
        <VisibleText text={what} limit={200} />
      </span>{' '}
      <VisibleText text={rest} limit={300} />
    </span>
  );
}

/** From a moment to the decision or the receipt that it belongs to. */
function MomentLinks({ moment }: { readonly moment: Moment }) {
  switch (moment.kind) {
    case 'approval-requested':
    case 'approval-decided':
      return (
        <button
          type="button"
          className="link moment-link"
          onClick={() => showLinked('approvals', moment.approvalId)}
        >
          Show decision
        </button>
      );
    case 'publication':
      return (
        <button
          type="button"
          className="link moment-link"
          onClick={() => showLinked('publications', moment.receiptId ?? moment.publicationId)}
        >
          {moment.receiptId === null ? 'Show what is kept' : 'Show receipt'}
        </button>
      );
    default:
      return null;
  }
}
