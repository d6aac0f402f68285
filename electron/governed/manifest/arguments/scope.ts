import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { checkShape, parseToml, toml } from '../manifest-toml.ts';
import { shown } from '../text.ts';
import { isHostName } from './host-name.ts';

const scopeShape = z.object({
  scope: z.object({
    targets: toml.texts.default([]),
    domains: toml.texts.default([]),
    exclude: toml.texts.default([]),
  }),
});

/** An address block: every address of a family that shares the first `prefix` bits. */
interface Block {
  readonly address: ipaddr.IPv4 | ipaddr.IPv6;
  readonly prefix: number;
}

interface Rules {
  readonly blocks: readonly Block[];
  /** Lower case; `*.x` means every name below x. */
  readonly names: readonly string[];
}

/** What a project's `scope/scope.toml` permits: addresses within `targets`, names of `targets` and `domains`, less `exclude`. */
export class Scope {
  readonly #permitted: Rules;
  readonly #excluded: Rules;

  private constructor(permitted: Rules, excluded: Rules) {
    this.#permitted = permitted;
    this.#excluded = excluded;
  }

  /** Fails with a message for the first entry that is neither an address, a block nor a name: no part of a scope is guessed. */
  static parse(text: string): Result<Scope, { line: number | null; message: string }> {
    const document = parseToml(text);
    if (!document.ok) return document;
    const shape = checkShape(scopeShape, document.value.value);
    if (!shape.ok) {
      const [first] = shape.error;
      return fail({
        line: document.value.lineOf(first?.path ?? []),
        message: first?.message ?? 'not a scope',
      });
    }
    const { targets, domains, exclude } = shape.value.scope;
    const unknown = [...targets, ...domains, ...exclude].find((entry) => ruleOf(entry) === null);
    if (unknown !== undefined) {
      return fail({
        line: document.value.lineOf(['scope']),
        message: `neither address, CIDR block nor name: ${shown(unknown)}`,
      });
    }
    return ok(new Scope(rulesOf([...targets, ...domains]), rulesOf(exclude)));
  }

  /** True when all of `target` (an address, a block or a host name) lies in the scope, and nothing of it is excluded. */
  contains(target: string): boolean {
    const block = blockOf(target);
    if (block !== null) {
      return (
        this.#permitted.blocks.some((outer) => within(block, outer)) &&
        !this.#excluded.blocks.some((other) => within(block, other) || within(other, block))
      );
    }
    const name = target.toLowerCase();
    return (
      isHostName(name) &&
      this.#permitted.names.some((rule) => nameMatches(name, rule)) &&
      !this.#excluded.names.some((rule) => nameMatches(name, rule))
    );
  }
}

function ruleOf(entry: string): Block | string | null {
  const name = entry.toLowerCase();
  return blockOf(entry) ?? (isHostName(name.replace(/^\*\./, '')) ? name : null);
}

function rulesOf(entries: readonly string[]): Rules {
  const rules = entries.map(ruleOf);
  return {
    blocks: rules.filter((rule) => typeof rule === 'object' && rule !== null),
    names: rules.filter((rule) => typeof rule === 'string'),
  };
}

/** An IPv4 address in IPv6's clothes is the IPv4 address. */
function blockOf(text: string): Block | null {
  const [address = '', prefix, ...rest] = text.split('/');
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return null;
  const parsed = ipaddr.parse(address);
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  if (prefix !== undefined && !/^[0-9]{1,3}$/.test(prefix)) return null;
  const length = prefix === undefined ? bits : Number(prefix);
  if (length > bits) return null;
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= 96) {
    return { address: parsed.toIPv4Address(), prefix: length - 96 };
  }
  return { address: parsed, prefix: length };
}

function within(inner: Block, outer: Block): boolean {
  return (
    inner.prefix >= outer.prefix &&
    inner.address.kind() === outer.address.kind() &&
    inner.address.match(outer.address as never, outer.prefix)
  );
}

function nameMatches(name: string, rule: string): boolean {
  return rule.startsWith('*.') ? name.endsWith(rule.slice(1)) : name === rule;
}
