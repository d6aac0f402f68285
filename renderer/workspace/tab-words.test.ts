import { describe, expect, it } from 'vitest';
import { DEFAULT_PROFILE } from '../../shared/settings/schema.ts';
import type { Pane, PaneState } from '../state/panes-store.ts';
import { tabName, tabWords, windowTitle } from './tab-words.ts';

const running: PaneState = { kind: 'running', route: 'sandbox', suspended: false };

function pane(change: Partial<Pane>): Pane {
  return {
    id: 'pane-1',
    profile: DEFAULT_PROFILE,
    trial: null,
    project: null,
    governed: null,
    session: null,
    state: running,
    title: '',
    bell: false,
    size: null,
    hasSelection: false,
    asks: [],
    notices: [],
    find: null,
    hovered: null,
    ...change,
  };
}

function ended(code: number): PaneState {
  return {
    kind: 'ended',
    cause: 'program-ended',
    outcome: { kind: 'exited', code },
    release: { removed: true, steps: [] },
  };
}

describe('tabWords', () => {
  it('shows the title, or the profile while there is none', () => {
    expect(tabWords(pane({ title: 'vim notes' })).title).toBe('vim notes');
    expect(tabWords(pane({})).title).toBe('Shell');
  });

  it('says that a session is thrown away', () => {
    expect(tabWords(pane({ trial: DEFAULT_PROFILE })).title).toBe('Try: Shell');
    expect(tabName(pane({ trial: DEFAULT_PROFILE, title: 'vim' }), false)).toBe('vim, Try: Shell, running');
  });

  it('names the project folder until the program sets a title', () => {
    expect(tabWords(pane({ project: '/home/me/api/' })).title).toBe('Shell · api');
    expect(tabWords(pane({ project: '/home/me/a\u202epi' })).title).toBe('Shell · api');
    expect(tabWords(pane({ project: '/' })).title).toBe('Shell');
    expect(tabWords(pane({ project: '/home/me/api', title: 'vim' })).title).toBe('vim');
    expect(tabName(pane({ project: '/home/me/api' }), false)).toBe('Shell · api, running');
  });

  it('says how a session ended, and only code 0 is a success', () => {
    expect(tabWords(pane({ state: ended(9) }))).toMatchObject({ mark: 'exit 9', dot: 'failed' });
    expect(tabWords(pane({ state: ended(0) }))).toMatchObject({ mark: 'exit 0', dot: 'ended' });
    expect(tabWords(pane({ state: { kind: 'lost', reason: 'gone' } }))).toMatchObject({
      mark: 'outcome unknown',
      dot: 'failed',
    });
  });
});

it('names a tab with what no title can hide', () => {
  expect(tabName(pane({ title: 'vim' }), true)).toBe('vim, Shell, running, bell');
  expect(tabName(pane({ state: ended(2) }), false)).toBe('Shell, exit 2');
});

it('B15: a title cannot change how the window’s title begins', () => {
  expect(windowTitle(pane({ title: 'Airlock — approved' }))).toBe('Airlock · Shell: Airlock — approved');
  expect(windowTitle(null)).toBe('Airlock');
});
