import { z } from 'zod';
import { taggedErrorSchema } from './errors.ts';
import { hostEventSchema } from './events.ts';

/**
 * Control messages: JSON objects on the WebSocket, structured clones on the MessagePort. The first message of a
 * client is `hello`; the host answers `welcome` or `refused` and closes.
 */
export const helloSchema = z.object({
  type: z.literal('hello'),
  protocol: z.string().max(64),
  /** Headless only: the client's own key, and with it, the first time, the one-time token of the launch address. */
  token: z.string().max(128).optional(),
  key: z.string().max(128).optional(),
});

export type Hello = z.infer<typeof helloSchema>;

export const requestMessageSchema = z.object({
  type: z.literal('request'),
  id: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  verb: z.string().max(64),
  params: z.unknown().optional(),
});

export type RequestMessage = z.infer<typeof requestMessageSchema>;

/**
 * Output bytes of a channel that the client's xterm has parsed, counted from the session's start. A total, not a
 * difference, so that a lost, repeated or late acknowledgement heals with the next one. `ahead`: how many bytes the client
 * wants to have that are not parsed; the host bounds it (OUTPUT_CREDIT).
 */
export const parsedMessageSchema = z.object({
  type: z.literal('parsed'),
  channel: z.number().int().min(1).max(0xffff_ffff),
  total: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  ahead: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
});
export type ParsedMessage = z.infer<typeof parsedMessageSchema>;

export const clientMessageSchema = z.discriminatedUnion('type', [
  helloSchema,
  requestMessageSchema,
  parsedMessageSchema,
  /** Liveness of the link; the other side answers `pong` with the same number. */
  z.object({ type: z.literal('ping'), n: z.number().int() }),
  z.object({ type: z.literal('pong'), n: z.number().int() }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

export const hostMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('welcome'), protocol: z.string() }),
  z.object({ type: z.literal('refused'), error: taggedErrorSchema }),
  z.object({ type: z.literal('reply'), id: z.number().int(), ok: z.literal(true), result: z.unknown() }),
  z.object({
    type: z.literal('failure'),
    id: z.number().int(),
    ok: z.literal(false),
    error: taggedErrorSchema,
  }),
  z.object({ type: z.literal('event'), event: hostEventSchema }),
  z.object({ type: z.literal('ping'), n: z.number().int() }),
  z.object({ type: z.literal('pong'), n: z.number().int() }),
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;
