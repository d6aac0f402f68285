import { expect, it } from 'vitest';
import { CATALOGUE, COMMAND_GROUPS, standardKeys } from './catalogue.ts';

/** Columns of docs/keys.md: the platform's window, and a browser's, which keeps some chords for itself. */
const COLUMNS = [
  { title: 'Linux, Windows', keys: standardKeys('linux', false) },
  { title: 'in a browser', keys: standardKeys('linux', true) },
  { title: 'macOS', keys: standardKeys('mac', false) },
  { title: 'in a browser', keys: standardKeys('mac', true) },
];

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function keysDocument(): string {
  const parts = [
    '# Keys',
    'Every key can be changed in the settings. Commands without one are in the palette.',
    'Programs get every other key, but for `Shift+PageUp` and `Shift+PageDown`, which scroll the terminal.',
  ];
  for (const group of COMMAND_GROUPS) {
    const commands = CATALOGUE.filter((command) => command.group === group);
    const rows = commands.map(({ id, title }) =>
      row([
        title,
        ...COLUMNS.map(({ keys }) => keys.get(id) ?? '').map((key) => (key === '' ? '' : `\`${key}\``)),
      ]),
    );
    const head = [
      row([group, ...COLUMNS.map((column) => column.title)]),
      row(['---', '---', '---', '---', '---']),
    ];
    parts.push([...head, ...rows].join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

it('docs/keys.md lists them all (vitest run renderer/commands --update writes it anew)', async () => {
  await expect(keysDocument()).toMatchFileSnapshot('../../docs/keys.md');
});
