import { useAnnouncement } from '../state/announcements-store.ts';

/** Speaks what `announce` is given. Two regions take turns, so that the same words twice are two changes. */
export function LiveRegion() {
  const { text, serial } = useAnnouncement();
  return (
    <div className="visually-hidden" data-live-region>
      <div role="status">{serial % 2 === 0 ? text : ''}</div>
      <div role="status">{serial % 2 === 1 ? text : ''}</div>
    </div>
  );
}
