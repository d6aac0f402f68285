import { createRequire } from 'node:module';
import type { DetailedError, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { shown } from '../manifest/text.ts';

export interface PolicyText {
  /** Names the policies in decisions: `reports.cedar`. */
  readonly name: string;
  readonly text: string;
}

export type PolicyRequest = Omit<Parameters<typeof statefulIsAuthorized>[0], 'preparsedPolicySetId'>;

export interface PolicyDecision {
  readonly allowed: boolean;
  /** Ids of the policies that decided. */
  readonly policies: readonly string[];
  /** Policies that failed, and so neither permitted nor forbade (C8). */
  readonly errors: readonly string[];
}

const require = createRequire(import.meta.url);

/** Loaded by who first needs it, because compiling its WebAssembly is a tenth of what a host takes to start. */
function cedar(): typeof import('@cedar-policy/cedar-wasm/nodejs') {
  return require('@cedar-policy/cedar-wasm/nodejs');
}

let sets = 0;

/** Cedar policies, parsed once. */
export class PolicySet {
  readonly #id: string;

  private constructor(id: string) {
    this.#id = id;
  }

  /** Fails with the text of C6. */
  static parse(texts: readonly PolicyText[]): Result<PolicySet, string> {
    const policies: Record<string, string> = {};
    for (const { name, text } of texts) {
      const parts = cedar().policySetTextToParts(text);
      if (parts.type === 'failure')
        return fail(`Cedar policy parse error: ${name}: ${messageOf(parts.errors, text)}`);
      if (parts.policy_templates.length > 0) {
        return fail(`Cedar policy parse error: ${name}: templates (?principal, ?resource) are not supported`);
      }
      for (const [index, policy] of inFileOrder(parts.policies).entries()) {
        policies[idOf(name, index, policy, policies)] = policy;
      }
    }
    if (Object.keys(policies).length === 0) return fail('No Cedar policies loaded');
    sets += 1;
    const id = `set-${sets}`;
    const parsed = cedar().preparsePolicySet(id, { staticPolicies: policies });
    return parsed.type === 'success'
      ? ok(new PolicySet(id))
      : fail(`Cedar policy parse error: ${messageOf(parsed.errors)}`);
  }

  /** Fails when the request cannot be represented (C5); that is a denial. */
  decide(request: PolicyRequest): Result<PolicyDecision, string> {
    const answer = cedar().statefulIsAuthorized({ ...request, preparsedPolicySetId: this.#id });
    if (answer.type === 'failure') return fail(messageOf(answer.errors));
    const { decision, diagnostics } = answer.response;
    return ok({
      allowed: decision === 'allow',
      policies: diagnostics.reason.toSorted(),
      errors: diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${shown(error.message)}`),
    });
  }
}

/** The parser names policies `policy0`, `policy1` … in the order of the file and gives them sorted by that name as text. */
function inFileOrder(policies: readonly string[]): string[] {
  const positions = policies.map((_, index) => `policy${index}`).sort();
  const ordered: string[] = [];
  for (const [index, position] of positions.entries()) {
    ordered[Number(position.slice('policy'.length))] = policies[index] ?? '';
  }
  return ordered;
}

/** `FILE#ID` by the policy's `@id`, otherwise `FILE#NUMBER`, counted from 1. */
function idOf(name: string, index: number, policy: string, taken: Readonly<Record<string, string>>): string {
  const json = cedar().policyToJson(policy);
  const given = json.type === 'success' ? json.json.annotations?.['id'] : undefined;
  const id = `${name}#${given ? shown(given, 80) : index + 1}`;
  return Object.hasOwn(taken, id) ? `${name}#${index + 1}` : id;
}

/** `text`: what the locations are in, in bytes; left out where there is no one text. */
function messageOf(errors: readonly DetailedError[], text?: string): string {
  return errors
    .map(({ message, sourceLocations }) => {
      const label = sourceLocations?.find((location) => location.label)?.label;
      const start = sourceLocations?.[0]?.start;
      const line = text === undefined || start === undefined ? '' : `line ${lineAt(text, start)}: `;
      return line + shown(label ? `${message} (${label})` : message);
    })
    .join('; ');
}

function lineAt(text: string, byte: number): number {
  return Buffer.from(text).subarray(0, byte).toString('latin1').split('\n').length;
}
