import { KNOWN_KEYS } from './manifest-shape.ts';
import type { Finding, KeyPath } from './manifest-toml.ts';
import { shown } from './text.ts';

/** Known, and without effect on a session: said, because their author may count on them. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  source: 'a source policy is not evaluated here; write a Cedar policy',
  args: 'only [session.commands.NAME.args.*] count in a session (M6)',
  http: 'sessions have no [http]',
  mcp: 'sessions have no [mcp]',
  browser: 'sessions have no [browser]',
  command: 'a session starts session.startup_command',
  'tool.dispatch': 'has no effect',
  'tool.evidence': 'no evidence file is written for a session',
  'session.child_detection': 'is not implemented',
  'session.events': 'is not implemented',
  'session.interaction.input_sanitize': 'is never consulted',
};

/** Keys that are ignored (M2): unknown ones, which may be a slip of the pen, and known ones without effect. */
export function ignoredKeys(document: Record<string, unknown>): Finding[] {
  const found: Finding[] = [];
  for (const [table, known] of Object.entries(KNOWN_KEYS)) {
    const pattern = table === '' ? [] : table.split('.');
    for (const { path, value } of tablesAt(document, pattern)) {
      for (const key of Object.keys(value)) {
        if (known.includes(key)) continue;
        found.push({ path: [...path, key], message: `unknown key ${shown(key)}, ignored: is it misspelt?` });
      }
    }
  }
  for (const [key, why] of Object.entries(WITHOUT_EFFECT)) {
    const path = key.split('.');
    const name = path.at(-1) ?? '';
    for (const { value } of tablesAt(document, path.slice(0, -1))) {
      if (Object.hasOwn(value, name)) found.push({ path, message: `ignored: ${why}` });
    }
  }
  return found;
}

interface TableAt {
  readonly path: KeyPath;
  readonly value: Record<string, unknown>;
}

function tablesAt(document: Record<string, unknown>, pattern: readonly string[]): TableAt[] {
  let tables: TableAt[] = [{ path: [], value: document }];
  for (const part of pattern) {
    tables = tables.flatMap(({ path, value }) => {
      const keys = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : [];
      return keys.flatMap((key) => {
        const inner = value[key];
        return isTable(inner) ? [{ path: [...path, key], value: inner }] : [];
      });
    });
  }
  return tables;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
