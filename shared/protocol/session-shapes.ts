import { z } from 'zod';
import { profileSchema } from '../settings/schema.ts';
import { postureSchema } from '../terminal/posture.ts';

export const sessionIdSchema = z.uuid();

/** The absolute path of a folder or file on the host; at most Linux's PATH_MAX, no NUL. */
export const hostPathSchema = z
  .string()
  .min(1)
  .max(4095)
  .refine((path) => !path.includes('\0'), { message: 'must not contain a NUL character' });

export const openedSessionSchema = z.object({
  sessionId: sessionIdSchema,
  /** Number of this session in binary frames of this connection. */
  channel: z.number().int().min(1).max(0xffff_ffff),
  profile: profileSchema,
  posture: postureSchema,
});
export type OpenedSession = z.infer<typeof openedSessionSchema>;
