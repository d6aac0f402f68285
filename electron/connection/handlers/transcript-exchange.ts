import { ok } from '../../../shared/result.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

type ExchangeHandlers = Pick<
  Handlers,
  | 'transcripts.export'
  | 'transcripts.progress'
  | 'transcripts.cancel'
  | 'transcripts.piece'
  | 'transcripts.import'
>;

/** Transcripts that leave and that come from elsewhere. */
export function transcriptExchangeHandlers({
  exchanges,
  library,
}: Pick<HostServices, 'exchanges' | 'library'>): ExchangeHandlers {
  return {
    'transcripts.export': (wish, { gone }) => exchanges.export(wish, gone),

    'transcripts.progress': ({ exportId }) => exchanges.progress(exportId),

    async 'transcripts.cancel'({ exportId }) {
      await exchanges.cancel(exportId);
      return ok({});
    },

    async 'transcripts.piece'({ exportId, offset }) {
      const piece = await exchanges.piece(exportId, offset);
      return piece.ok ? ok({ base64: Buffer.from(piece.value).toString('base64') }) : piece;
    },

    async 'transcripts.import'({ base64, ...piece }) {
      const made = await exchanges.import({ ...piece, bytes: Buffer.from(base64, 'base64') });
      if (!made.ok) return made;
      // Who is told of it opens it next.
      if (made.value !== null) await library.refresh();
      return ok({ transcript: made.value });
    },
  };
}
