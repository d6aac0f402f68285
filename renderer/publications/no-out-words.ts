import type { EngineKind } from '../../shared/terminal/engine-status.ts';
import { OUT_FOLDER } from '../../shared/terminal/inside.ts';
import type { Pane } from '../state/panes-store.ts';

/** Why a session has no /out, by its engine. One on bubblewrap always has one. */
const WHY: Readonly<Record<EngineKind, string>> = {
  bubblewrap: `This session has no ${OUT_FOLDER} to publish from.`,
  container: `This container has no ${OUT_FOLDER} to publish from: its daemon may be on another machine, so it gets no folder of this one.`,
  attach: `A running container has no ${OUT_FOLDER} to publish from: it keeps the folders that it was started with.`,
  smolvm: `A smolvm machine has no ${OUT_FOLDER} to publish from: it has the folders that it was created with.`,
  microvm: `A micro-VM has no ${OUT_FOLDER} to publish from: it sees no folder of this machine.`,
};

const INSTEAD =
  'To publish a file, make it in a shell on Bubblewrap, or in a container of this machine. Text can be selected and copied.';

/** Why nothing can be published from a session whatever is done in it, and what to do instead; null where something can. */
export function noOutWords({ session, profile }: Pick<Pane, 'session' | 'profile'>): string[] | null {
  if (session === null || session.posture.limits.outBytes !== undefined) return null;
  return [WHY[profile.engine], INSTEAD];
}
