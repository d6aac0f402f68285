import { z } from 'zod';
import { governedStatusSchema } from '../governed/activity.ts';
import { engineStatusSchema } from '../terminal/engine-status.ts';
import { sessionStateSchema } from '../terminal/session-state.ts';
import { pullIdSchema, pullProgressSchema } from './engine-requests.ts';
import { taggedErrorSchema } from './errors.ts';
import { settingsSnapshotSchema } from './requests.ts';
import { sessionIdSchema } from './session-shapes.ts';

/** What the host draws on a pane by itself; never part of the sandbox's output. */
export const localNoticeSchema = z.discriminatedUnion('kind', [
  /** `~?`: the sequences that apply now (ST-14). */
  z.object({
    kind: z.literal('escape-help'),
    sequences: z.array(z.object({ keys: z.string(), meaning: z.string() })),
  }),
  z.object({ kind: z.literal('break'), text: z.string() }),
  z.object({ kind: z.literal('input-refused'), error: taggedErrorSchema }),
  /** The session goes on and is no longer recorded: its posture is `recorded: false` from here on. `why` is a sentence. */
  z.object({ kind: z.literal('recording-stopped'), why: z.string() }),
]);
export type LocalNotice = z.infer<typeof localNoticeSchema>;

/** Past facts that the host tells a client. A session's `ended` state follows its last output frame (ST-21). */
export const hostEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('session.state'), sessionId: sessionIdSchema, state: sessionStateSchema }),
  z.object({ event: z.literal('session.notice'), sessionId: sessionIdSchema, notice: localNoticeSchema }),
  z.object({ event: z.literal('settings.changed'), snapshot: settingsSnapshotSchema }),
  z.object({ event: z.literal('engines.changed'), engines: z.array(engineStatusSchema) }),
  /** How far a `containers.pull` of this client is; each supersedes the one before. */
  z.object({ event: z.literal('engines.pull-progress'), pullId: pullIdSchema, progress: pullProgressSchema }),
  /** The native menu or another entry of the host asks the page to run one of its commands. */
  z.object({ event: z.literal('command.requested'), command: z.string().max(64) }),
  /** A governed session's activity, count or deadlines changed. Sent once after it was opened, and at its end. */
  z.object({
    event: z.literal('governed.activity'),
    sessionId: sessionIdSchema,
    status: governedStatusSchema,
  }),
  /** The next four say that an answer is out of date; clients ask again, so that a lost event heals with the next. */
  z.object({ event: z.literal('manifests.changed') }),
  z.object({ event: z.literal('approvals.changed') }),
  z.object({ event: z.literal('symbiont.changed') }),
  z.object({ event: z.literal('publications.changed') }),
  z.object({ event: z.literal('transcripts.changed') }),
  /** Desktop: the page of the approval view ended again soon after it was opened anew; `approvals.place` opens it once more. */
  z.object({ event: z.literal('approvals.view-gone') }),
  z.object({ event: z.literal('host.closing'), reason: z.string() }),
]);
export type HostEvent = z.infer<typeof hostEventSchema>;
