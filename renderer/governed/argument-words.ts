import type { Argument, ArgumentType } from '../../shared/governed/manifest.ts';
import { manifestText } from './manifest-words.ts';

const TYPES: Record<ArgumentType, string> = {
  string: 'text',
  literal_text: 'text, kept as it is',
  integer: 'whole number',
  port: 'port, 1 to 65535',
  boolean: 'true or false',
  enum: 'one of the list',
  scope_target: 'host, address or network in scope',
  url: 'URL',
  path: 'relative path',
  credential_file: 'relative path of a file',
  ip_address: 'IP address',
  cidr: 'network as 10.0.0.0/8',
  duration: 'duration as 90, 15m or 2h',
  regex_match: 'text',
  msf_options: 'set KEY VALUE',
  agent_summary: 'text',
};

/** "ticket", or "ticket (optional)". */
export function argumentLabel({ name, required }: Argument): string {
  return required ? name : `${name} (optional)`;
}

/** What it is for and what it may be. */
export function argumentHint(argument: Argument): string {
  const { description, pattern, type, min, max, schemes } = argument;
  const bounds = [min === null ? null : `at least ${min}`, max === null ? null : `at most ${max}`];
  const facts = [
    TYPES[type],
    ...bounds.filter((bound) => bound !== null),
    ...(schemes === null ? [] : [schemes.join(', ')]),
    ...(pattern === null ? [] : [`matching ${pattern}`]),
  ].join(', ');
  return manifestText(description === '' ? facts : `${description} · ${facts}`);
}
