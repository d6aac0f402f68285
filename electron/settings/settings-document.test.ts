import { describe, expect, it } from 'vitest';
import { problemsInWords } from '../../shared/protocol/issues.ts';
import { SETTINGS_FILE_MAX_BYTES } from '../../shared/terminal/limits.ts';
import type { Migration } from './migrations.ts';
import { defaultSettings, readSettings, writeSettings } from './settings-document.ts';

describe('reading settings', () => {
  it('takes the defaults where there is no file, and for what a file leaves out', () => {
    expect(readSettings(undefined)).toEqual({ settings: defaultSettings(), problems: [] });
    expect(readSettings('{}')).toEqual({ settings: defaultSettings(), problems: [] });
    expect(readSettings('\uFEFF{ "terminal": { "scrollback": 5 } }').settings.terminal).toMatchObject({
      scrollback: 5,
      bell: 'mark',
    });
  });

  it('reads back what it wrote', () => {
    const settings = { ...defaultSettings(), keys: { 'tab.new': 'Ctrl+T', 'tab.close': null } };
    expect(readSettings(writeSettings(settings))).toEqual({ settings, problems: [] });
  });

  it.each([
    ['{"terminal":{"scrollback":999999999}}', 'terminal.scrollback must be at most 200000, is 999999999'],
    ['{"terminl":{}}', 'terminl is not a field that exists here'],
    ['{"a": b}', 'The file is not JSON: line 1, column 7: invalid symbol'],
    ['{\n  "a": 1,\n}\n', 'The file is not JSON: line 3, column 1: property name expected'],
    ['{\r\n  "a": 1 // why\r\n}', 'The file is not JSON: line 2, column 10: invalid comment token'],
    ['{"a":1', 'The file is not JSON: line 1, column 7: close brace expected'],
    ['  ', 'The file is empty; delete it or write { }'],
    ['[]', 'The file must hold a JSON object: { … }'],
    ['{"version":"1"}', 'version must be a whole number from 0 to 1'],
    ['{"version":2}', 'version must be at most 1, is 2: a newer Airlock has written this file'],
    ['x'.repeat(SETTINGS_FILE_MAX_BYTES + 1), 'The file must have at most 524288 bytes, has 524289'],
  ])('names what is wrong and uses the defaults: %#', (text, expected) => {
    const { settings, problems } = readSettings(text);
    expect(problemsInWords(problems)).toBe(expected);
    expect(settings).toEqual(defaultSettings());
  });
});

describe('migration', () => {
  it('takes a file without a version for version 0', () => {
    const { settings, problems } = readSettings('{ "defaultProfile": "shell" }');
    expect({ version: settings.version, problems }).toEqual({ version: 1, problems: [] });
  });

  it('applies every step from the version of the file on, in order', () => {
    const steps: Migration[] = [
      ({ lines, ...rest }) => ({ ...rest, scrollback: lines }),
      ({ scrollback, ...rest }) => ({ ...rest, terminal: { scrollback } }),
    ];
    // The table is of two versions here, the schema of one: only what the steps made of the fields is looked at.
    const problemsOf = (text: string) => problemsInWords(readSettings(text, steps).problems);
    expect(problemsOf('{ "lines": -5 }')).toContain('terminal.scrollback must be at least 0, is -5');
    expect(problemsOf('{ "version": 1, "scrollback": -6 }')).toContain('must be at least 0, is -6');
    expect(problemsOf('{ "version": 2, "terminal": { "scrollback": -7 } }')).toContain('at least 0, is -7');
    expect(problemsOf('{ "version": 1, "lines": 5 }')).toContain('lines is not a field');
  });
});
