import { ok } from '../../../shared/result.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import { type RetentionRules, retentionRules } from '../../transcripts/library/retention.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

type TranscriptHandlers = Pick<
  Handlers,
  | 'transcripts.list'
  | 'transcripts.open'
  | 'transcripts.seek'
  | 'transcripts.read'
  | 'transcripts.text'
  | 'transcripts.find'
  | 'transcripts.moments'
  | 'transcripts.delete'
  | 'transcripts.retention'
>;

const MIB = 1024 * 1024;

/** Transcripts of this data folder, whichever client recorded them. */
export function transcriptHandlers({
  library,
  settings,
}: Pick<HostServices, 'library' | 'settings'>): TranscriptHandlers {
  return {
    async 'transcripts.list'(query) {
      const listed = await library.list(query);
      if (!listed.ok) return listed;
      const { kept, transcripts, ...rest } = listed.value;
      const maxBytes = rulesOf(settings).totalMiB * MIB;
      return ok({ ...rest, transcripts: [...transcripts], kept: { ...kept, maxBytes } });
    },
    'transcripts.open': ({ id }) => library.open(id),
    'transcripts.seek': ({ id, atMs }) => library.seek(id, atMs),
    'transcripts.read': ({ id, position }) => library.read(id, position),
    'transcripts.text': ({ id, from, count }) => library.text(id, from, count),
    'transcripts.find': ({ id, search }) => library.find(id, search),
    async 'transcripts.moments'(of) {
      const moments = await library.moments(of);
      return moments.ok ? ok({ moments: moments.value }) : moments;
    },
    'transcripts.delete': ({ ids }) => library.remove(ids),
    'transcripts.retention': () => library.retention(rulesOf(settings)),
  };
}

function rulesOf(store: SettingsStore): RetentionRules {
  return retentionRules(store.snapshot().settings);
}
