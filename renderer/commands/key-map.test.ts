import { describe, expect, it } from 'vitest';
import {
  buildKeyMap,
  chordKeys,
  chordOf,
  chordText,
  type KeyPress,
  keptByBrowser,
  parseChord,
  refusalOf,
} from './key-map.ts';

const none = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false };

function press(key: string, code: string, held: Partial<KeyPress> = {}): KeyPress {
  return { ...none, key, code, ...held };
}

function text(pressed: KeyPress): string | null {
  const chord = chordOf(pressed);
  return chord && chordText(chord);
}

function parsed(chord: string) {
  const result = parseChord(chord);
  if (result === null) throw new Error(`cannot read ${chord}`);
  return result;
}

describe('parseChord', () => {
  it('has one spelling for each chord', () => {
    for (const spelling of ['shift+ctrl+p', 'Ctrl + Shift + P', 'CONTROL+SHIFT+p']) {
      expect(chordText(parsed(spelling))).toBe('Ctrl+Shift+P');
    }
    expect(chordText(parsed('cmd+option+pageup'))).toBe('Alt+Meta+PageUp');
    expect(chordText(parsed('alt+shift+='))).toBe('Alt+Shift+=');
  });

  it('refuses what is no chord', () => {
    for (const spelling of ['', 'Ctrl', 'Ctrl+', 'Hyper+P', 'Ctrl+Ctrl+P', 'Ctrl+PP', 'Ctrl+F25', 'Ctrl+é']) {
      expect(parseChord(spelling)).toBeNull();
    }
  });
});

describe('chordOf', () => {
  it('names a key without what Shift makes of it', () => {
    expect(text(press('P', 'KeyP', { ctrlKey: true, shiftKey: true }))).toBe('Ctrl+Shift+P');
    expect(text(press('!', 'Digit1', { altKey: true, shiftKey: true }))).toBe('Alt+Shift+1');
    expect(text(press('+', 'Equal', { ctrlKey: true, shiftKey: true }))).toBe('Ctrl+Shift+=');
    expect(text(press('ArrowLeft', 'ArrowLeft', { ctrlKey: true, shiftKey: true }))).toBe('Ctrl+Shift+Left');
  });

  it('follows a Latin layout, and the place of the key on another one', () => {
    expect(text(press('A', 'KeyQ', { ctrlKey: true, shiftKey: true }))).toBe('Ctrl+Shift+A');
    expect(text(press('З', 'KeyP', { ctrlKey: true, shiftKey: true }))).toBe('Ctrl+Shift+P');
    expect(text(press('†', 'KeyT', { metaKey: true, altKey: true }))).toBe('Alt+Meta+T');
  });

  it('is none while only modifiers are held', () => {
    expect(text(press('Shift', 'ShiftLeft', { shiftKey: true }))).toBeNull();
    expect(text(press('Dead', 'IntlBackslash'))).toBeNull();
  });
});

describe('refusalOf', () => {
  it('leaves the program its keys', () => {
    for (const chord of ['Ctrl+C', 'Alt+B', 'F11', 'A', 'Shift+A', 'Ctrl+Alt+T', 'Meta+P']) {
      expect(refusalOf(parsed(chord), 'linux')).toMatch(/belongs to/);
    }
    for (const chord of ['Ctrl+Shift+C', 'Alt+Shift+1', 'Ctrl+Alt+Shift+T']) {
      expect(refusalOf(parsed(chord), 'windows')).toBeNull();
    }
  });

  it('takes Cmd, and only Cmd, on macOS', () => {
    expect(refusalOf(parsed('Cmd+T'), 'mac')).toBeNull();
    expect(refusalOf(parsed('Ctrl+Shift+T'), 'mac')).toMatch(/Use Cmd/);
  });
});

describe('buildKeyMap', () => {
  const defaults = new Map<string, string | null>([
    ['tab.new', 'Ctrl+Shift+T'],
    ['find', 'Ctrl+Shift+F'],
    ['theme', null],
  ]);

  it('finds commands by chord and chords by command', () => {
    const map = buildKeyMap(defaults, {}, 'linux');
    expect(map.commandOf.get('Ctrl+Shift+T')).toBe('tab.new');
    expect(chordText(map.chordOf.get('find') ?? parsed('A'))).toBe('Ctrl+Shift+F');
    expect(map.chordOf.has('theme')).toBe(false);
    expect(map.problems).toEqual([]);
  });

  it('takes a key away and gives another', () => {
    const map = buildKeyMap(defaults, { find: null, theme: 'alt+shift+h' }, 'linux');
    expect([...map.commandOf]).toEqual([
      ['Ctrl+Shift+T', 'tab.new'],
      ['Alt+Shift+H', 'theme'],
    ]);
  });

  it('lets the chosen chord win over a default and says so', () => {
    const map = buildKeyMap(defaults, { theme: 'Ctrl+Shift+T' }, 'linux');
    expect(map.commandOf.get('Ctrl+Shift+T')).toBe('theme');
    expect(map.chordOf.has('tab.new')).toBe(false);
    expect(map.problems).toEqual([
      { kind: 'conflict', chord: 'Ctrl+Shift+T', commands: ['tab.new', 'theme'], winner: 'theme' },
    ]);
  });

  it('names what it cannot use', () => {
    const overrides = { find: 'Ctrl+C', theme: 'Ctrl+Shift+', gone: 'Ctrl+Shift+G' };
    const { problems, commandOf } = buildKeyMap(defaults, overrides, 'linux');
    expect(problems.map((problem) => problem.kind)).toEqual(['unknown-command', 'refused', 'unreadable']);
    expect([...commandOf.values()]).toEqual(['tab.new']);
  });
});

it('knows what a browser keeps', () => {
  expect(keptByBrowser(parsed('Ctrl+Shift+T'), 'linux')).toBe(true);
  expect(keptByBrowser(parsed('Alt+Shift+T'), 'linux')).toBe(false);
  expect(keptByBrowser(parsed('Cmd+W'), 'mac')).toBe(true);
});

it('labels keys as the keyboard does', () => {
  expect(chordKeys(parsed('Ctrl+Shift+Left'), 'linux')).toEqual(['Ctrl', 'Shift', '←']);
  expect(chordKeys(parsed('Cmd+Shift+P'), 'mac')).toEqual(['⇧', '⌘', 'P']);
});
