import { describe, expect, it } from 'vitest';
import { codesIn, fieldsOf } from './fields.ts';
import { timeLeft } from './time-left.ts';

const PAYLOAD = {
  kind: 'command',
  call_id: 'call-1',
  tool: 'report_writer.save',
  command: 'save-report',
  arguments: { ticket: 'OPS-1' },
  manifest: { name: 'report_writer', version: '1.0.0', digest: 'ab', file: '/m.clad.toml' },
  fingerprint: 'sha256:cd',
  engine: 'Bubblewrap',
  posture: ['No network', 'Project read-only'],
  effects: ['Publishes the file'],
  files: {
    read: [{ path: 'data/rates.csv', bytes: 3, sha256: 'ef' }],
    create: ['data/report.csv'],
    max_file_bytes: 16_777_216,
    input_snapshots: true,
    overwrite: false,
    output_parent_identity: ['65024', '1234'],
  },
  destination: '/home/data/report.csv',
  staged: { bytes: 12, sha256: null },
  session_finalizes: true,
};

const shown = (payload: object) => fieldsOf('airlock', JSON.stringify(payload));
const linesOf = (payload: object, label: string) =>
  shown(payload).find((field) => field.label === label)?.lines;

/** Every text and number in a value. */
function leaves(value: unknown): string[] {
  if (value === null) return [];
  if (typeof value === 'object') return Object.values(value as object).flatMap(leaves);
  return typeof value === 'boolean' ? [] : [String(value)];
}

describe('the fields of a request', () => {
  it('hold everything that the payload holds', () => {
    const text = shown(PAYLOAD)
      .flatMap(({ lines }) => lines)
      .join('\n');
    const { kind: _, ...rest } = PAYLOAD;
    for (const leaf of leaves(rest)) expect(text).toContain(leaf);
  });

  it('say what is meant', () => {
    expect(linesOf(PAYLOAD, 'Arguments')).toEqual(['ticket: OPS-1']);
    expect(linesOf(PAYLOAD, 'What happens')).toEqual(['Ends the session.', 'Publishes the file']);
    const ends = { ...PAYLOAD, effects: ['Ends the session.'] };
    expect(linesOf(ends, 'What happens'), 'said once').toEqual(['Ends the session.']);
    expect(linesOf(PAYLOAD, 'Reads')).toEqual(['data/rates.csv', '3 bytes', 'sha256: ef']);
    expect(linesOf(PAYLOAD, 'Creates')).toEqual(['data/report.csv']);
    expect(linesOf(PAYLOAD, 'Existing files')).toEqual(['never replaced']);
    expect(linesOf({ ...PAYLOAD, files: { overwrite: true } }, 'Existing files')).toEqual([
      'overwrite: true',
    ]);
    expect(linesOf(PAYLOAD, 'Folder identity')).toEqual(['65024:1234']);
    const labels = shown(PAYLOAD).map(({ label }) => label);
    expect(labels.indexOf('Creates')).toBeLessThan(labels.indexOf('Sandbox'));
    expect(labels.indexOf('Folder identity')).toBeGreaterThan(labels.indexOf('Manifest'));
    expect(linesOf(PAYLOAD, 'Staged file')).toEqual([
      '12 bytes',
      'not sealed yet: its content can still change',
    ]);
    expect(linesOf({ ...PAYLOAD, staged: { bytes: 1, sha256: 'aa' } }, 'Staged file')).toEqual([
      '1 bytes',
      'sha256: aa',
    ]);
  });

  it('B24 show what they do not know under its own name, and never as a label of the page', () => {
    const field = shown({ ...PAYLOAD, surprise: { deep: ['x'] }, Command: 'spoofed' });
    expect(field.find(({ label }) => label === 'surprise')).toMatchObject({
      lines: ['deep 1: x'],
      known: false,
    });
    expect(field.filter(({ label }) => label === 'Command').map(({ known }) => known)).toEqual([true, false]);
    expect(shown({ ...PAYLOAD, constructor: 'x' }).at(-1)).toMatchObject({
      label: 'constructor',
      lines: ['x'],
    });
  });

  it.each(['not JSON', '[]', '7', 'null'])('show a payload that is %s as it is', (payload) => {
    expect(fieldsOf('airlock', payload)).toMatchObject([{ label: 'Content', lines: [payload] }]);
  });

  it.each([
    ['command', { deep: 'x' }, 'Command', ['deep: x']],
    ['effects', 'one', 'What happens', ['Ends the session.', 'one']],
    ['posture', [{ a: 1 }], 'Posture', ['1 a: 1']],
    ['session_finalizes', 'perhaps', 'Ends the session', ['perhaps']],
    ['staged', 'odd', 'Staged file', ['odd']],
    ['files', ['odd'], 'File grants', ['1: odd']],
    ['files', { read: ['odd'], surprise: 1 }, 'Other grants', ['surprise: 1']],
    ['files', { read: [{ path: 'a', size: 1 }] }, 'Reads', ['path: a', 'size: 1']],
    ['files', { output_parent_identity: ['1', '2', '3'] }, 'Folder identity', ['1: 1', '2: 2', '3: 3']],
  ])('%s of another shape is shown all the same', (name, value, label, lines) => {
    expect(linesOf({ ...PAYLOAD, [name]: value }, label)).toEqual(lines);
  });

  it('A12 of a Symbiont runtime are the whole action as JSON in ASCII, and whom it is held by', () => {
    const runtime = { profile: 'ops', name: 'Ops', address: 'http://127.0.0.1:8080', version: '1.21.1' };
    const action = { id: '1', agent_id: 'agent-7', expires_at: '2031-01-01T00:00:00Z', text: 'é\u202e' };
    const fields = fieldsOf('symbiont', JSON.stringify({ runtime, action, surprise: 1 }));
    expect(fields[0]).toMatchObject({ look: 'json', known: true });
    expect(fields[0]?.lines).toEqual([
      '{',
      '  "id": "1",',
      '  "agent_id": "agent-7",',
      '  "expires_at": "2031-01-01T00:00:00Z",',
      '  "text": "\\u00e9\\u202e"',
      '}',
    ]);
    expect(codesIn(fields)).toBe(2);
    expect(fields.map(({ label, lines }) => [label, ...lines]).slice(1)).toEqual([
      ['Agent', 'agent-7'],
      ['Held there until', '2031-01-01T00:00:00Z'],
      ['Runtime', 'Ops', 'http://127.0.0.1:8080'],
      ['Symbiont version', '1.21.1'],
      ['Profile', 'ops'],
      ['surprise', '1'],
    ]);
    expect(fields.at(-1)?.known).toBe(false);
  });

  it('B24 of a Symbiont runtime never break a line by themselves, and spaces that nobody can count are codes', () => {
    const fields = fieldsOf('symbiont', JSON.stringify({ action: { text: 'a\n\t"}  \u2028' } }));
    expect(fields[0]?.lines).toEqual(['{', '  "text": "a\\n\\t\\"}  \\u2028"', '}']);
    expect(codesIn(fields)).toBe(4);
  });

  it.each([{}, { action: 7, runtime: 'x' }, { action: [{ __proto__: null }] }])(
    'A12 a Symbiont payload of another shape is shown all the same: %j',
    (payload) => expect(fieldsOf('symbiont', JSON.stringify(payload))[0]?.label).toBe('Held action'),
  );
});

it.each([
  [120_000, '2:00'],
  [65_000, '1:05'],
  [999, '0:01'],
  [0, '0:00'],
  [-5, '0:00'],
])('%d ms left read %s', (milliseconds, text) => expect(timeLeft(milliseconds)).toBe(text));
