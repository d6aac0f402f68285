import type { ExportProgress } from '../../../shared/protocol/transcript-requests.ts';
import type { Result } from '../../../shared/result.ts';
import type { TranscriptSummary } from '../../../shared/transcripts/transcript.ts';
import type { ExportPlan, MadeExport } from './export/make-export.ts';
import type { ImportPlan } from './import/make-import.ts';

/** One piece of work of a thread that ends with it. */
export type ExchangeJob =
  | { readonly kind: 'export'; readonly plan: ExportPlan }
  | { readonly kind: 'import'; readonly plan: ImportPlan };

/** Results fail with words for a person. */
export type ExchangeAnswer =
  | { readonly kind: 'progress'; readonly progress: ExportProgress }
  | { readonly kind: 'export'; readonly result: Result<MadeExport, string> }
  | { readonly kind: 'import'; readonly result: Result<TranscriptSummary, string> };
