import { join } from 'node:path';
import { HeldFolder, sameIdentity } from './held-folder.ts';
import type { PublicationData, RecoveryState } from './publication-records.ts';
import { whyNotPublished } from './published-file.ts';

export type Intent = PublicationData<'publication.prepared'>;

export interface Finding {
  readonly state: RecoveryState;
  readonly detail: string;
}

/** What became of a publication whose end is not recorded (F10). Looks only. */
export async function examineIntent(intent: Intent): Promise<Finding> {
  const folder = await HeldFolder.openNamed(intent.parent_path).catch(() => null);
  if (folder === null)
    return {
      state: 'missing',
      detail: `Airlock stopped while it published; ${intent.parent_path} is not there.`,
    };
  try {
    if (!sameIdentity(folder.identity, intent.parent_identity))
      return {
        state: 'conflict',
        detail:
          'Airlock stopped while it published; output parent pathname changed; publication requires reconciliation',
      };
    const [candidate, target] = [
      await presence(folder, intent.candidate_name, intent),
      await presence(folder, intent.target_name, intent),
    ];
    return finding(candidate, target, intent);
  } finally {
    folder.close();
  }
}

/**
 * Removes the private copy that a crash left beside the destination, if it is the very file of the intent: only when a
 * person has dealt with the publication, never by itself (F10).
 */
export async function removeLeftover(intent: Intent): Promise<void> {
  const folder = await HeldFolder.openNamed(intent.parent_path).catch(() => null);
  if (folder === null) return;
  try {
    if ((await presence(folder, intent.candidate_name, intent)) === 'ours')
      await folder.unlink(intent.candidate_name);
  } catch {
    // It is named in the log, and no harm where it is.
  } finally {
    folder.close();
  }
}

/** Names the private copies of earlier attempts that are still there; empty when there is none. */
export async function leftoverWords(item: { readonly leftovers: readonly Intent[] } | null): Promise<string> {
  const words: string[] = [];
  for (const intent of item?.leftovers ?? []) if (await isLeft(intent)) words.push(leftWords(intent));
  return words.join('');
}

async function isLeft(intent: Intent): Promise<boolean> {
  const folder = await HeldFolder.openNamed(intent.parent_path).catch(() => null);
  if (folder === null) return false;
  try {
    return (await presence(folder, intent.candidate_name, intent)) === 'ours';
  } catch {
    return false;
  } finally {
    folder.close();
  }
}

function leftWords({ parent_path, candidate_name }: Intent): string {
  return ` A private copy was left: ${join(parent_path, candidate_name)}`;
}

type Presence = 'absent' | 'ours' | 'other';

/** Ours: the very file of the intent, with the bytes that were sealed. */
async function presence(folder: HeldFolder, name: string, intent: Intent): Promise<Presence> {
  const there = await folder.look(name);
  if (there === null) return 'absent';
  if (!sameIdentity(there.identity, intent.candidate_identity)) return 'other';
  return (await whyNotPublished(folder.at(name), intent)) === null ? 'ours' : 'other';
}

function finding(candidate: Presence, target: Presence, intent: Intent): Finding {
  const targetPath = join(intent.parent_path, intent.target_name);
  const left = candidate === 'absent' ? '' : leftWords(intent);
  if (target === 'ours')
    return {
      state: 'published',
      detail: `Airlock stopped after it published ${targetPath} and before it wrote the receipt.${left}`,
    };
  if (target === 'other')
    return {
      state: 'conflict',
      detail: `Airlock stopped before it published, and ${targetPath} is now another file.${left}`,
    };
  if (candidate === 'ours')
    return {
      state: 'ready_to_publish',
      detail: `Airlock stopped before it published ${targetPath}.${left}`,
    };
  if (candidate === 'other')
    return {
      state: 'conflict',
      detail: `Airlock stopped before it published ${targetPath}, and its private copy was changed.${left}`,
    };
  return {
    state: 'missing',
    detail: `Airlock stopped while it published; neither ${targetPath} nor its private copy is there.`,
  };
}
