import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Manifest } from '../../../shared/governed/manifest.ts';
import type { FileDescriptor } from '../../../shared/governed/receipt.ts';
import type { PolicyCall } from '../ports.ts';

/** What a call is, apart from who makes it and who approved it. */
export type CallFacts = Omit<PolicyCall, 'principalId' | 'fingerprint' | 'approvedFingerprint'>;

/** Names of Cedar entities (C2). */
export interface CedarNames {
  readonly action: { readonly type: string; readonly id: string };
  readonly resource: { readonly type: string; readonly id: string };
}

/** The call as policies, approvers and digests see it: `context.invocation` without its fingerprint (A3, C4). */
export interface Invocation {
  readonly action: {
    readonly ToolCall: { readonly call_id: string; readonly name: string; readonly arguments: string };
  };
  readonly arguments: Readonly<Record<string, string>>;
  readonly contract: {
    readonly name: string;
    readonly version: string;
    readonly digest: string;
    readonly action_type: string;
    readonly action_id: string;
    readonly resource_type: string;
    readonly resource_id: string;
    readonly requires_approval: boolean;
  };
  readonly resolved: {
    readonly command_boundary: { readonly tier: string; readonly filesystem: FileDescriptor | null };
    readonly execution_transport: 'selected_pty_boundary';
    readonly session_finalizes: boolean;
    readonly filesystem_lifetime: 'terminal_session';
  };
}

/** The name of a command's call: `TOOL.COMMAND` (M4). */
export function callNameOf({ manifest, command }: Pick<CallFacts, 'manifest' | 'command'>): string {
  return `${manifest.name}.${command.name}`;
}

export function cedarNamesOf(call: Pick<CallFacts, 'manifest' | 'command'>): CedarNames {
  const name = callNameOf(call);
  const { cedar } = call.manifest;
  return cedar === null
    ? { action: { type: 'Action', id: `tool_call::${name}` }, resource: { type: 'Resource', id: 'default' } }
    : {
        action: { type: `${cedar.resource}::Action`, id: cedar.action },
        resource: { type: cedar.resource, id: name },
      };
}

/**
 * Digest of what a session was agreed on (E2): the manifest with its custom types resolved, its file's text, the boundary and
 * the effective file grants. Calls with another contract belong to another session (E3).
 */
export function contractDigestOf(agreed: {
  readonly manifest: Manifest;
  readonly manifestDigest: string;
  readonly tier: string;
  readonly files: FileDescriptor | null;
}): string {
  const { manifest, manifestDigest, tier, files } = agreed;
  return digestOf({
    manifest,
    manifest_digest: manifestDigest,
    command_boundary: { tier, filesystem: files },
  });
}

/** Digest of what a run is bound to (E2): another owner, start, context or configuration is another binding. */
export function bindingOf(bound: {
  readonly run: string;
  readonly context: unknown;
  readonly configuration: unknown;
}): string {
  return digestOf(bound);
}

export function invocationOf(call: CallFacts): Invocation {
  const { manifest, command, args, tier, files } = call;
  const { action, resource } = cedarNamesOf(call);
  const name = callNameOf(call);
  return {
    action: { ToolCall: { call_id: call.callId, name, arguments: canonicalJson(args) } },
    arguments: args,
    contract: {
      name,
      version: manifest.version,
      digest: contractDigestOf(call),
      action_type: action.type,
      action_id: action.id,
      resource_type: resource.type,
      resource_id: resource.id,
      requires_approval: command.needsApproval,
    },
    resolved: {
      command_boundary: { tier, filesystem: files },
      execution_transport: 'selected_pty_boundary',
      session_finalizes: command.finalize,
      filesystem_lifetime: 'terminal_session',
    },
  };
}

/** What an approval is bound to (A3): `sha256:HEX` of the call's action, contract and resolved grants. */
export function fingerprintOf(call: CallFacts): string {
  return fingerprintOfInvocation(invocationOf(call));
}

export function fingerprintOfInvocation({ action, contract, resolved }: Invocation): string {
  return digestOf({ action, contract, resolved });
}

/** Throws on what has no canonical JSON form, such as half a surrogate pair. */
function digestOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}

function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('this value has no JSON form');
  return text;
}
