import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type GovernedCall, type Run, splitTool } from './call.ts';

/** `sha256:HEX` of a value's canonical JSON. */
export function digestOf(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value has no JSON form.');
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** A run by its owner and start; its deadline is no part of it. */
export function runKey({ principal, startedAt }: Pick<Run, 'principal' | 'startedAt'>): string {
  return digestOf({ principal, startedAt });
}

/** What finds a session (E1). The loop's iteration and the ids in replies are no part of it (E2). */
export function sessionKey(call: GovernedCall): string {
  const { binding, contract } = call;
  return digestOf({ run: runKey(call.run), binding, contract, manifest: manifestOf(call) });
}

export function manifestOf({ tool }: Pick<GovernedCall, 'tool'>): string {
  return splitTool(tool)?.manifest ?? tool;
}

/** The file grants as E10.12 compares them. */
export function grantsKey({ files }: Pick<GovernedCall, 'files'>): string {
  return digestOf(files?.descriptor ?? null);
}
