import type { Row } from './row.ts';

const HEADINGS = [
  '',
  'Airlock',
  'plain pipeline',
  'xterm.js alone',
  'target',
  '',
  'peers, measured elsewhere',
];

export function renderTable(rows: readonly Row[]): string {
  const verdict = ({ met }: Row) => (met === null ? '' : met ? 'met' : 'NOT MET');
  const lines = [
    HEADINGS,
    ...rows.map((row) => [
      row.measure,
      row.airlock,
      row.plain,
      row.reference,
      row.target,
      verdict(row),
      row.peers,
    ]),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [text[0], widths.map((width) => '─'.repeat(width)).join('  '), ...text.slice(1)].join('\n');
}
