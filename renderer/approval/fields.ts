import type { ApprovalSource } from '../../shared/governed/approval.ts';
import { asciiJson, codeCount, exactParts } from '../../shared/terminal/exact-text.ts';

/**
 * One fact of a request. `lines` are shown exactly, each on its own; `large` is what the decision is mostly about; so is
 * `json`, whose lines this page broke and indents; `prose` are sentences.
 */
export interface Field {
  readonly label: string;
  /** Whether the label is this page's own; any other came with the request. */
  readonly known: boolean;
  readonly lines: readonly string[];
  readonly look: 'large' | 'plain' | 'prose' | 'attention' | 'json';
}

/** How many characters are drawn as codes, because they would not have been seen, or not for what they are (B24). */
export function codesIn(fields: readonly Field[]): number {
  const codes = (text: string) => codeCount(exactParts(text));
  return fields.reduce((sum, { label, lines, look }) => {
    const inLines = look === 'json' ? (line: string) => codes(line.trimStart()) + escapesIn(line) : codes;
    return sum + codes(label) + lines.reduce((count, line) => count + inLines(line), 0);
  }, 0);
}

/** Escapes of JSON that stand for a character, the backslash and the quote apart. */
function escapesIn(line: string): number {
  return line.match(/\\(?:u[0-9a-f]{4}|[bfnrt])/g)?.length ?? 0;
}

/**
 * Everything in a payload, in the order in which a person needs it. Nothing is left out: a key that is not known is shown
 * under its own name, and a payload that is not understood as the text that it is.
 */
export function fieldsOf(source: ApprovalSource, payload: string): Field[] {
  const value = parseObject(payload);
  if (value === null) return [field('Content', [payload], 'large')];
  if (source === 'symbiont') return heldFields(value);
  const { command, tool, arguments: args, effects, session_finalizes: finalizes, files, ...rest } = value;
  const { destination, staged, manifest, engine, posture, call_id: call, fingerprint, ...more } = rest;
  const { kind: _, ...others } = more;
  const grants = grantFields(files);
  return [
    field('Command', textLines(command), 'large'),
    field('Tool', textLines(tool)),
    field('Arguments', flatLines(args)),
    field('What happens', happensLines(effects, finalizes), 'prose'),
    field('Ends the session', typeof finalizes === 'boolean' ? [] : flatLines(finalizes), 'attention'),
    field('Destination', textLines(destination), 'large'),
    field('Staged file', stagedLines(staged)),
    ...grants.first,
    field('Sandbox', textLines(engine)),
    field('Posture', textLines(posture)),
    field('Manifest', flatLines(manifest)),
    ...grants.last,
    field('Call', flatLines(call)),
    field('Fingerprint of the call', flatLines(fingerprint)),
    ...Object.entries(others).map(([name, content]) => otherField(name, content)),
  ].filter(({ lines }) => lines.length > 0);
}

const ENDS = 'Ends the session.';

/** The host's sentences; that the session ends is among them whether or not it says so. */
function happensLines(effects: unknown, finalizes: unknown): string[] {
  const lines = textLines(effects);
  return finalizes === true && !lines.some((line) => line.startsWith('Ends the session'))
    ? [ENDS, ...lines]
    : lines;
}

/** F5: what is read and made first, the terms that are the same for every call last. */
function grantFields(files: unknown): { first: Field[]; last: Field[] } {
  if (typeof files !== 'object' || files === null || Array.isArray(files))
    return { first: [field('File grants', flatLines(files))], last: [] };
  const { read, create, ...terms } = files as Record<string, unknown>;
  const { max_file_bytes: largest, input_snapshots: copied, overwrite, ...more } = terms;
  const { output_parent_identity: identity, ...others } = more;
  return {
    first: [
      field('Reads', Array.isArray(read) ? read.flatMap(readLines) : flatLines(read)),
      field('Creates', textLines(create)),
    ],
    last: [
      field('Other grants', flatLines(others)),
      field('Largest file', typeof largest === 'number' ? [`${largest} bytes`] : flatLines(largest)),
      field('Files it reads', copied === true ? ['copied before it starts'] : flatLines(copied)),
      field('Existing files', overwrite === false ? ['never replaced'] : flatLines(overwrite, 'overwrite')),
      field('Folder identity', isPair(identity) ? [identity.join(':')] : flatLines(identity)),
    ],
  };
}

function readLines(file: unknown): string[] {
  const { path, bytes, ...others } = objectOr(file);
  if (typeof path !== 'string' || typeof bytes !== 'number') return flatLines(file);
  return [path, `${bytes} bytes`, ...flatLines(others)];
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

/** A12: the whole action as JSON in ASCII. What is most asked about it stands above, from the same payload. */
function heldFields({ runtime, action, ...others }: Record<string, unknown>): Field[] {
  const { profile, name, address, version, ...more } = objectOr(runtime);
  const { agent_id: agent, expires_at: expires } = objectOr(action);
  return [
    field('Held action', asciiJson(JSON.stringify(action ?? null, null, 2)).split('\n'), 'json'),
    field('Agent', textLines(agent)),
    field('Held there until', textLines(expires)),
    field('Runtime', [...textLines(name), ...textLines(address)]),
    field('Symbiont version', textLines(version)),
    field('Profile', textLines(profile)),
    ...Object.entries({ ...more, ...others }).map(([key, content]) => otherField(key, content)),
  ].filter(({ lines }) => lines.length > 0);
}

function objectOr(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function field(label: string, lines: readonly string[], look: Field['look'] = 'plain'): Field {
  return { label, known: true, lines, look };
}

function otherField(name: string, content: unknown): Field {
  return { ...field(name, flatLines(content)), known: false };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** A text, or a list of texts; whatever else it is, flat. */
function textLines(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return value;
  return flatLines(value);
}

function stagedLines(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return flatLines(value);
  const { bytes, sha256, ...others } = value as Record<string, unknown>;
  const size = typeof bytes === 'number' ? [`${bytes} bytes`] : flatLines(bytes);
  const hash =
    sha256 === null ? ['not sealed yet: its content can still change'] : flatLines(sha256, 'sha256');
  return [...size, ...hash, ...flatLines(others)];
}

/** `read 1 path: data/rates.csv`: every leaf with the way to it. Null and what is empty say nothing. */
function flatLines(value: unknown, way = ''): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [way === '' ? String(value) : `${way}: ${String(value)}`];
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [String(index + 1), item])
    : Object.entries(value);
  return entries.flatMap(([name, item]) => flatLines(item, way === '' ? name : `${way} ${name}`));
}
