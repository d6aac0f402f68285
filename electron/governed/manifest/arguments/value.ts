import { isIP } from 'node:net';
import { LITERAL_TEXT_MAX_BYTES } from '../../../../shared/governed/limits.ts';
import type { Argument, ArgumentType } from '../../../../shared/governed/manifest.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { patternOf } from '../kept-patterns.ts';
import { METACHARACTERS } from '../pattern-findings.ts';
import { shown, trim } from '../text.ts';
import { isHostName } from './host-name.ts';
import { readableSummary } from './summary.ts';

/** The normalised text of a value, or why it is refused. */
type Checked = Result<string, string>;
/** Says whether the argument's pattern is found in a text. */
type Find = (text: string) => boolean;
type Check = (text: string, argument: Argument, find: Find) => Checked;

/** The types marked * in section 1.4: M8 applies. */
const WITHOUT_METACHARACTERS: ReadonlySet<ArgumentType> = new Set<ArgumentType>([
  'string',
  'enum',
  'scope_target',
  'url',
  'path',
  'credential_file',
  'cidr',
  'regex_match',
  'msf_options',
]);

const I64_MAX = 2n ** 63n - 1n;
const I64_MIN = -(2n ** 63n);
const SECONDS_PER: Readonly<Record<string, bigint>> = { '': 1n, s: 1n, m: 60n, h: 3600n };

const CHECKS: Readonly<Record<ArgumentType, Check>> = {
  string: (text, { pattern }, find) =>
    text === '' ? fail('value must not be empty') : searched(text, pattern, find),
  literal_text: literalText,
  integer,
  port: (text, argument) => {
    const port = wholeNumber(text);
    return port !== null && port >= 1n && port <= 65_535n
      ? inBounds(port, argument)
      : fail('value must be a port, 1 to 65535');
  },
  boolean: (text) => (text === 'true' || text === 'false' ? ok(text) : fail('value must be true or false')),
  enum: (text, { allowed }) =>
    allowed?.includes(text)
      ? ok(text)
      : fail(`value must be one of: ${shown((allowed ?? []).join(', ')) || 'nothing is allowed'}`),
  scope_target: (text) =>
    isAddress(text) || isCidr(text) || isHostName(text)
      ? ok(text)
      : fail('value must be an IP address, a CIDR block or a host name'),
  url,
  path: relativePath,
  credential_file: relativePath,
  ip_address: (text) => (isAddress(text) ? ok(text) : fail('value must be an IPv4 or IPv6 address')),
  cidr: (text) => (isCidr(text) ? ok(text) : fail('value must be a CIDR block such as 10.0.0.0/8')),
  duration,
  regex_match: (text, { pattern }, find) => {
    if (text === '') return fail('value must not be empty');
    return pattern === null ? fail('type regex_match needs a pattern') : searched(text, pattern, find);
  },
  msf_options: (text) =>
    /^set [^\s]+ [^\s](.*[^\s])?$/u.test(text) ? ok(text) : fail('value must have the form: set KEY VALUE'),
  agent_summary: readableSummary,
};

/**
 * One value by its type (1.4, M8, M9): the text that is used, trimmed and normalised, or why it is refused. Scope and the file
 * of a `credential_file` are checked apart: they depend on the project.
 */
export function checkValue(argument: Argument, value: string, find = finding(argument)): Checked {
  // Half a surrogate pair is no character: as bytes it would be another text than the one that was checked.
  if (!value.isWellFormed()) return fail('value is not well-formed Unicode');
  const text = argument.type === 'literal_text' ? value : trim(value);
  if (WITHOUT_METACHARACTERS.has(argument.type)) {
    const forbidden = metacharacterIn(text);
    if (forbidden !== null) return fail(forbidden);
  }
  return CHECKS[argument.type](text, argument, find);
}

/** Null when the value is valid; otherwise why not. */
export function valueProblem(argument: Argument, value: string, find?: Find): string | null {
  const checked = checkValue(argument, value, find);
  return checked.ok ? null : checked.error;
}

/** M8's text for the first forbidden character; null when there is none. */
export function metacharacterIn(text: string): string | null {
  for (const char of text) {
    if (METACHARACTERS.includes(char)) {
      return `Injection detected: value contains forbidden character '${named(char)}'`;
    }
  }
  return null;
}

function named(char: string): string {
  return char === '\n' ? '\\n' : char === '\r' ? '\\r' : char === '\0' ? '\\0' : char;
}

/** Of a loaded manifest, whose patterns compile. */
function finding({ pattern }: Argument): Find {
  return (text) => pattern !== null && patternOf(pattern).matchesPart(text);
}

function searched(text: string, pattern: string | null, find: Find): Checked {
  return pattern === null || find(text)
    ? ok(text)
    : fail(`value does not match the pattern ${shown(pattern)}`);
}

function literalText(text: string, { pattern }: Argument, find: Find): Checked {
  if (Buffer.byteLength(text) > LITERAL_TEXT_MAX_BYTES) {
    return fail(`value must have at most ${LITERAL_TEXT_MAX_BYTES} bytes`);
  }
  return text.includes('\0') ? fail('value must not contain NUL') : searched(text, pattern, find);
}

/** Null for what Rust's integer parser refuses, and for what no i64 can hold. */
function wholeNumber(text: string): bigint | null {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return null;
  const value = BigInt(text.replace('+', ''));
  return value >= I64_MIN && value <= I64_MAX ? value : null;
}

function integer(text: string, argument: Argument): Checked {
  const value = wholeNumber(text);
  return value === null ? fail('value must be a whole number') : inBounds(value, argument);
}

function inBounds(value: bigint, { min, max, clamp }: Argument): Checked {
  const moved =
    min !== null && value < BigInt(min)
      ? BigInt(min)
      : max !== null && value > BigInt(max)
        ? BigInt(max)
        : value;
  if (moved !== value && !clamp) {
    return fail(
      value < moved ? `value ${value} is below minimum ${min}` : `value ${value} is above maximum ${max}`,
    );
  }
  return ok(String(moved));
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function isCidr(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  if (rest.length > 0 || !isAddress(address) || !/^(0|[1-9][0-9]{0,2})$/.test(prefix)) return false;
  return Number(prefix) <= (isIP(address) === 4 ? 32 : 128);
}

function url(text: string, { schemes }: Argument): Checked {
  const at = text.indexOf('://');
  if (at <= 0) return fail('value must be a URL with a scheme, such as https://example.com');
  const scheme = text.slice(0, at);
  return schemes === null || schemes.includes(scheme)
    ? ok(text)
    : fail(`scheme must be one of: ${shown(schemes.join(', '))}`);
}

function relativePath(text: string): Checked {
  if (text === '') return fail('path must not be empty');
  if (/^[/\\]/.test(text) || /^[A-Za-z]:/.test(text)) return fail('path must be relative');
  return text.split(/[/\\]/).includes('..') ? fail('path must not leave its folder (..)') : ok(text);
}

function duration(text: string, argument: Argument): Checked {
  const [, digits, unit = ''] = /^\+?([0-9]{1,18})([smh]?)$/.exec(text) ?? [];
  if (digits === undefined) return fail('value must be a duration such as 90, 90s, 5m or 2h');
  const seconds = BigInt(digits) * (SECONDS_PER[unit] ?? 1n);
  if (seconds === 0n) return fail('duration must be positive');
  return seconds > I64_MAX ? fail('duration is too long') : inBounds(seconds, argument);
}
