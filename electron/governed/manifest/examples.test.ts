import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkCall } from './arguments/check-call.ts';
import { compileManifest } from './compiled-manifest.ts';
import { NO_CUSTOM_TYPES } from './custom-types.ts';
import { ManifestLibrary } from './manifest-library.ts';
import { parseManifest } from './parse-manifest.ts';

const library = new ManifestLibrary({
  userFolder: join(import.meta.dirname, 'none'),
  examplesFolder: join(import.meta.dirname, '../../../resources/manifests'),
});
afterAll(() => library.dispose());
const { catalog: examples } = await library.read(null);

test('1.6 the three examples load without problem or warning', () => {
  expect(examples.problems).toEqual([]);
  expect(examples.manifests.map(({ manifest, warnings }) => [manifest.name, warnings])).toEqual([
    ['orders_db', []],
    ['py_calc', []],
    ['report_writer', []],
  ]);
});

test.each<[tool: string, command: string, text: string, args: Record<string, string>]>([
  ['report_writer', 'add', 'add north,120', {}],
  ['report_writer', 'look', 'rates', {}],
  ['report_writer', 'save', 'save-report', {}],
  ['orders_db', 'read', 'SELECT id, total FROM orders \\g', {}],
  ['orders_db', 'mark_paid', 'UPDATE orders SET paid = true WHERE id = 7 \\g', { ticket: 'OPS-12' }],
  ['py_calc', 'assign', 'x = 2 * 3', {}],
  ['py_calc', 'close', 'finished = 1', {}],
])('1.6 M10 %s takes %s %j by both checks', (tool, command, text, args) => {
  const loaded = examples.manifests.find(({ manifest }) => manifest.name === tool);
  if (loaded === undefined) throw new Error('no such example');
  const checked = checkCall(
    compileManifest(loaded.manifest),
    { command, text, args },
    { folder: '/', scope: null },
  );
  expect(checked).toMatchObject({ ok: true, value: { line: text } });
});

test('the manifest that docs/manifests.md offers to paste works as it is', async () => {
  const docs = await readFile(join(import.meta.dirname, '../../../docs/manifests.md'), 'utf8');
  const [, text = ''] = /```toml\n(\[tool\][^`]*)```/.exec(docs) ?? [];
  const parsed = parseManifest(text, NO_CUSTOM_TYPES);
  expect([parsed.problems, parsed.warnings]).toEqual([[], []]);
  if (parsed.manifest === null) throw new Error('not valid');
  const compiled = compileManifest(parsed.manifest);
  expect(compiled.commandMatches('add', '1 + 2')).toBe(true);
  expect(compiled.commandMatches('add', 'import os')).toBe(false);
});
