import { z } from 'zod';
import { settingsProblemSchema, settingsSchema } from '../settings/schema.ts';
import { LINK_MAX_CHARS } from '../terminal/limits.ts';
import { terminalSizeSchema } from '../terminal/size.ts';
import { engineRequests } from './engine-requests.ts';
import { governedRequests } from './governed-requests.ts';
import { hostPathSchema, openedSessionSchema, sessionIdSchema } from './session-shapes.ts';
import { symbiontRequests } from './symbiont-requests.ts';
import { transcriptRequests } from './transcript-requests.ts';

export type { OpenedSession } from './session-shapes.ts';

const none = z.object({});
const onSession = z.object({ sessionId: sessionIdSchema });

/** What the page may know about the host it is connected to. */
export const hostDescriptionSchema = z.object({
  version: z.string(),
  /** `desktop` has native dialogs; `headless` runs in any browser. */
  host: z.enum(['desktop', 'headless']),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  dataDir: z.string(),
  settingsPath: z.string(),
});
export type HostDescription = z.infer<typeof hostDescriptionSchema>;

/** A session's project folder or its scratch folder; `files`: one to take files from or put them into. */
const folderUseSchema = z.enum(['project', 'scratch', 'files']);
export type FolderUse = z.infer<typeof folderUseSchema>;

/** Names one state of a host's settings; a new one is named by who makes it. */
const revisionSchema = z.uuid();

const recoveryNoticeSchema = z.object({ id: z.string(), text: z.string() });
export type RecoveryNotice = z.infer<typeof recoveryNoticeSchema>;
/** At most RECOVERY_NOTICES_MAX; the next ones come when these are noted. */
const recoveryNoticesSchema = z.object({ notices: z.array(recoveryNoticeSchema) });

export const settingsSnapshotSchema = z.object({
  settings: settingsSchema,
  revision: revisionSchema,
  /** What is wrong with the file on disk, field by field; while non-empty the defaults stand in and the file is kept. */
  problems: z.array(settingsProblemSchema),
});
export type SettingsSnapshot = z.infer<typeof settingsSnapshotSchema>;

/**
 * Everything that a client may ask of the host: verb → parameters and result. The list is the security boundary:
 * a verb that is not in it is refused (DESIGN 3). Both ends derive their types from it.
 */
export const requests = {
  'host.describe': { params: none, result: hostDescriptionSchema },
  /**
   * What hosts that died left and this one could not end or read, in words for a person (ST-25, ST-26). Resolves when it is known,
   * which can take as long as a daemon's answer.
   */
  'host.recovery': { params: none, result: recoveryNoticesSchema },
  /** A person has read one: it is told to nobody any more, by a later host only where that can look at it again. */
  'host.recovery-noted': { params: z.object({ id: z.string().max(64) }), result: recoveryNoticesSchema },
  'settings.read': { params: none, result: settingsSnapshotSchema },
  /**
   * Replaces the whole settings, which were made from those of the revision `from` and are `revision` from here on: a client
   * can send the next change before this one is answered. Rejects: settings-invalid (field and bound named),
   * settings-not-saved, settings-changed when `from` is no longer what the file holds.
   */
  'settings.replace': {
    params: z.object({ settings: settingsSchema, from: revisionSchema, revision: revisionSchema }),
    result: settingsSnapshotSchema,
  },
  /**
   * Opens a session of a saved profile at `size` (ST-5). `project` overrides the profile's project folder for this
   * session. Resolves when the session is committed (ST-6); output frames may follow at once.
   * Rejects: profile-unknown (also for a profile of another kind), engine-unavailable, open-failed, open-timed-out,
   * too-many-sessions.
   */
  'session.open': {
    params: z.object({
      profileId: z.string().max(64),
      size: terminalSizeSchema,
      project: hostPathSchema.optional(),
    }),
    result: openedSessionSchema,
  },
  'session.resize': {
    params: z.object({ sessionId: sessionIdSchema, size: terminalSizeSchema }),
    result: none,
  },
  /** `effect` says in words what BREAK meant on this terminal (ST-10). Rejects with break-not-supported. */
  'session.break': { params: onSession, result: z.object({ effect: z.string() }) },
  /** The same as typing `~^Z`: nothing is sent to the sandbox (ST-13). */
  'session.suspend': { params: onSession, result: none },
  /** Resumes a suspended session; `size` reaches the PTY before anything typed later (ST-13). */
  'session.resume': {
    params: z.object({ sessionId: sessionIdSchema, size: terminalSizeSchema }),
    result: none,
  },
  /** Starts the release (ST-24) and resolves when the release has begun; its end is a `session.state` event. */
  'session.end': { params: onSession, result: none },
  /**
   * Asks the host to open a link a person has confirmed. The host applies the link policy again. On a desktop it
   * opens the system browser; a headless host answers `client`, because the browser is where the person is.
   */
  'link.open': {
    params: z.object({ url: z.string().min(1).max(LINK_MAX_CHARS) }),
    result: z.object({ openedBy: z.enum(['host', 'client']), url: z.string() }),
  },
  /** A native folder dialog, titled by the use; null when cancelled. Rejects with not-available-here on a headless host. */
  'folder.choose': {
    params: z.object({ use: folderUseSchema }),
    result: z.object({ path: hostPathSchema.nullable() }),
  },
  /** Says whether a typed path can be used so, by the rules that an opening goes by. `reason` is for a person. */
  'folder.check': {
    params: z.object({ path: hostPathSchema, use: folderUseSchema }),
    result: z.object({ usable: z.boolean(), path: z.string(), reason: z.string() }),
  },
  ...engineRequests,
  ...governedRequests,
  ...symbiontRequests,
  ...transcriptRequests,
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;

export type Verb = keyof typeof requests;
export type Params<V extends Verb> = z.infer<(typeof requests)[V]['params']>;
export type ResultOf<V extends Verb> = z.infer<(typeof requests)[V]['result']>;

export function isVerb(value: string): value is Verb {
  return Object.hasOwn(requests, value);
}
