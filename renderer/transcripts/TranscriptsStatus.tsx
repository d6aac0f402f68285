import { useTranscripts } from '../state/transcripts-store.ts';
import { counted, formatBytes } from '../ui/format.ts';

/** What is kept, and the keys of the place. */
export function TranscriptsStatus() {
  const { kept, found } = useTranscripts();
  const indexing = found?.indexing ?? 0;
  return (
    <footer className="status-line">
      {kept !== null && (
        <>
          <strong className="status-name">{counted(kept.count, 'transcript')}</strong>
          <span className="status-count">
            {formatBytes(kept.bytes)} of {formatBytes(kept.maxBytes)} kept
          </span>
        </>
      )}
      {indexing > 0 && <span>{indexing} still being indexed</span>}
      <span className="status-space" />
      <span className="status-minor">j k next · Enter open · Space play · / search</span>
    </footer>
  );
}
