import { RetentionPreview } from '../transcripts/exchange/RetentionPreview.tsx';
import { GeneratedSection } from './AppearanceAndTerminal.tsx';

/** How long transcripts are kept, and what that means for those there are. */
export function TranscriptsSection() {
  return (
    <>
      <GeneratedSection part="transcripts" />
      <RetentionPreview />
    </>
  );
}
