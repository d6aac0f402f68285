import { constants } from 'node:os';
import type { Outcome } from '../../../shared/terminal/outcome.ts';

/**
 * Lines of text between the host and the guest's agent (resources/microvm/agent.pl), on the control channel. A guest that
 * speaks another version has to be built again.
 *
 * Host: `start` the program that waits; `size COLUMNS ROWS`; `signal NAME` to the program; `break`; `collect`, then `send`, the
 * files.
 */
export const PROTOCOL = 2;

/** Bytes of one line of the guest. */
export const LINE_MAX_BYTES = 4_096;

/** Read back in the guest about the program's process and its surroundings; null where nothing bounds it. */
export interface GuestFacts {
  readonly kernel: string;
  readonly user: number;
  /** The capabilities that the program could ever have, in hexadecimal. */
  readonly capabilities: string;
  readonly processors: number;
  readonly processes: number | null;
  readonly openFiles: number | null;
  readonly fileBytes: number | null;
  readonly homeBytes: number | null;
  readonly tmpBytes: number | null;
  /** Network interfaces besides the loopback. */
  readonly interfaces: number;
}

export type BreakMeaning = 'ignored' | 'interrupt' | 'nul' | 'nobody';

export type GuestLine =
  /** The program waits for `start`, bounded and without privileges. */
  | { readonly verb: 'hello'; readonly protocol: number; readonly facts: GuestFacts }
  | { readonly verb: 'started' | 'sized' | 'signalled' }
  | { readonly verb: 'failed'; readonly reason: string }
  | { readonly verb: 'broke'; readonly meaning: BreakMeaning }
  /** The program has ended; its output may still be on the way. */
  | { readonly verb: 'ended'; readonly outcome: Outcome }
  /** So many bytes of output there are altogether. */
  | { readonly verb: 'drained'; readonly bytes: number }
  /** After `sent` bytes of output come the files, of these sizes. */
  | { readonly verb: 'collected'; readonly sent: number; readonly sizes: readonly number[] };

/** Null for everything that is not exactly such a line: the guest may be in the hands of its program. */
export function parseGuestLine(line: string): GuestLine | null {
  const [verb = '', ...words] = line.split(' ');
  switch (verb) {
    case 'hello':
      return parseHello(words);
    case 'started':
    case 'sized':
    case 'signalled':
      return { verb };
    case 'failed':
      return { verb, reason: words.join(' ') };
    case 'broke': {
      const [meaning] = words;
      return isBreakMeaning(meaning) ? { verb, meaning } : null;
    }
    case 'ended':
      return parseEnded(words);
    case 'drained': {
      const bytes = wholeNumber(words[0]);
      return bytes === null ? null : { verb, bytes };
    }
    case 'collected': {
      const numbers = words.map(wholeNumber);
      const [sent, ...sizes] = numbers.filter((number) => number !== null);
      return sent === undefined || numbers.includes(null) ? null : { verb, sent, sizes };
    }
    default:
      return null;
  }
}

function parseEnded([how, text]: readonly string[]): GuestLine | null {
  const number = wholeNumber(text);
  if (how === 'exit' && number !== null && number <= 255)
    return { verb: 'ended', outcome: { kind: 'exited', code: number } };
  if (how !== 'signal' || number === null || number < 1 || number > 64) return null;
  return { verb: 'ended', outcome: { kind: 'signalled', signal: number, name: signalName(number) } };
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? `signal ${number}`;
}

function parseHello([version, ...pairs]: readonly string[]): GuestLine | null {
  const protocol = wholeNumber(version);
  if (protocol === null) return null;
  const values = new Map(pairs.map((pair) => pair.split('=', 2) as [string, string]));
  const number = (name: string) => wholeNumber(values.get(name));
  const [user, processors, interfaces] = [number('user'), number('processors'), number('interfaces')];
  const kernel = values.get('kernel');
  const capabilities = values.get('capabilities');
  if (user === null || processors === null || interfaces === null) return null;
  if (!kernel || !/^[\w.+~-]{1,64}$/.test(kernel)) return null;
  if (!capabilities || !/^[0-9a-f]{1,16}$/.test(capabilities)) return null;
  const facts = {
    ...{ kernel, user, capabilities, processors, interfaces },
    processes: number('processes'),
    openFiles: number('openFiles'),
    fileBytes: number('fileBytes'),
    homeBytes: number('homeBytes'),
    tmpBytes: number('tmpBytes'),
  };
  return { verb: 'hello', protocol, facts };
}

function isBreakMeaning(word: string | undefined): word is BreakMeaning {
  return word === 'ignored' || word === 'interrupt' || word === 'nul' || word === 'nobody';
}

function wholeNumber(text: string | undefined): number | null {
  const number = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}
