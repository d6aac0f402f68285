import { resolve } from 'node:path';
import type { Disposable } from '../../../shared/disposable.ts';
import { Emitter } from '../../../shared/emitter.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { FolderWatch } from '../folder-watch.ts';
import { shown } from '../manifest/text.ts';
import type { Policies, PolicyCall } from '../ports.ts';
import { BUILT_IN_POLICY } from './built-in-policy.ts';
import { cedarNamesOf, fingerprintOfInvocation, type Invocation, invocationOf } from './invocation.ts';
import { policyFilesSignature, readPolicyFiles } from './policy-files.ts';
import { type PolicyRequest, PolicySet, type PolicyText } from './policy-set.ts';

type PolicyContext = PolicyRequest['context'];

/** The policies that hold now, for display. */
export interface PolicyOverview {
  readonly origin: 'built-in' | 'user';
  /** Absolute path of the folder whose `*.cedar` files count. */
  readonly folder: string;
  readonly files: readonly PolicyText[];
  /** Why every call is denied; null when the policies can be used. */
  readonly problem: string | null;
}

export interface CedarPoliciesEvents {
  readonly changed: PolicyOverview;
}

interface Loaded {
  readonly overview: PolicyOverview;
  readonly set: Result<PolicySet, string>;
}

/**
 * Decides calls by the user's Cedar policies, or by the built-in one while there are none (section 6). The files are looked at
 * before every decision, so none is made by a policy that was replaced; the watch is for display only.
 */
export class CedarPolicies implements Policies, Disposable {
  readonly #folder: string;
  readonly #events = new Emitter<CedarPoliciesEvents>();
  readonly #watch: FolderWatch;
  /** Of the files as they were last looked at. */
  #signature: string;
  /** Null until somebody asks: a host without governed sessions needs no policies. */
  #loaded: Loaded | null = null;

  /** `folder`: `<dataDir>/policies`; it need not exist. */
  constructor(folder: string) {
    this.#folder = resolve(folder);
    this.#signature = policyFilesSignature(this.#folder);
    this.#watch = new FolderWatch(this.#folder, () => this.#refresh());
  }

  get overview(): PolicyOverview {
    return this.#refresh().overview;
  }

  on(event: 'changed', listener: (overview: PolicyOverview) => void): Disposable {
    return this.#events.on(event, listener);
  }

  decide(call: PolicyCall): ReturnType<Policies['decide']> {
    try {
      return this.#decide(call);
    } catch (error) {
      return denied(denialOf(call), [shown(error instanceof Error ? error.message : String(error))]);
    }
  }

  dispose(): void {
    this.#watch.dispose();
    this.#events.clear();
  }

  #decide(call: PolicyCall): ReturnType<Policies['decide']> {
    const { set } = this.#refresh();
    if (!set.ok) return denied(set.error, []);
    const invocation = invocationOf(call);
    if (fingerprintOfInvocation(invocation) !== call.fingerprint) {
      return denied(denialOf(call), ['the fingerprint is not that of this call']);
    }
    const decision = set.value.decide(requestOf(call, invocation));
    if (!decision.ok) return denied(denialOf(call), [decision.error]);
    const { allowed, policies, errors } = decision.value;
    return allowed
      ? { allowed, text: 'permitted', policies }
      : { ...denied(denialOf(call), errors), policies };
  }

  /** Reads the files again when they are not those that were last looked at. */
  #refresh(): Loaded {
    const signature = policyFilesSignature(this.#folder);
    const changed = signature !== this.#signature;
    if (this.#loaded !== null && !changed) return this.#loaded;
    const loaded = this.#load();
    this.#signature = signature;
    this.#loaded = loaded;
    if (changed) this.#events.fire('changed', loaded.overview);
    return loaded;
  }

  #load(): Loaded {
    const read = readPolicyFiles(this.#folder);
    const builtIn = read.ok && read.value.length === 0;
    const files = builtIn ? [{ name: 'built-in', text: BUILT_IN_POLICY }] : read.ok ? read.value : [];
    const set = read.ok ? PolicySet.parse(files) : fail(read.error);
    return {
      set,
      overview: {
        origin: builtIn ? 'built-in' : 'user',
        folder: this.#folder,
        files,
        problem: set.ok ? null : set.error,
      },
    };
  }
}

/** C6. */
function denialOf(call: PolicyCall): string {
  return `Cedar denied action '${cedarNamesOf(call).action.id}' for agent ${call.principalId}`;
}

function denied(text: string, errors: readonly string[]): ReturnType<Policies['decide']> {
  return { allowed: false, text: errors.length === 0 ? text : `${text}: ${errors.join('; ')}`, policies: [] };
}

/** C1–C5. */
function requestOf(call: PolicyCall, invocation: Invocation): PolicyRequest {
  const { action, resource } = cedarNamesOf(call);
  return {
    principal: { type: 'Agent', id: call.principalId },
    action,
    resource,
    context: withoutNulls({
      has_human_approval: call.approvedFingerprint !== null,
      approved_fingerprint: call.approvedFingerprint ?? '',
      invocation: { fingerprint: call.fingerprint, ...invocation },
    }) as PolicyContext,
    entities: [
      {
        uid: resource,
        attrs: {
          tool_name: invocation.contract.name,
          version: call.manifest.version,
          contract_hash: invocation.contract.digest,
          call_fingerprint: call.fingerprint,
        },
        parents: [],
      },
    ],
  };
}

/** C5: null fields of objects are left out. A null in an array stays, and makes the call a failure. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([key, field]) => [key, withoutNulls(field)]),
  );
}
