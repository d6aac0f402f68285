import { describe, expect, it } from 'vitest';
import type { SessionState } from '../../shared/terminal/session-state.ts';
import {
  mayRead,
  refusalOfControl,
  refusalOfInput,
  type SessionEvent,
  transition,
} from './session-machine.ts';

const running: SessionState = { kind: 'running', route: 'sandbox', suspended: false };
const outcome = { kind: 'exited', code: 0 } as const;
const removed = { removed: true, steps: [] };

const states = {
  opening: { kind: 'opening' },
  running,
  'in a prompt': { kind: 'running', route: 'prompt', suspended: false },
  suspended: { kind: 'running', route: 'sandbox', suspended: true },
  releasing: { kind: 'releasing', cause: 'user' },
  ended: { kind: 'ended', cause: 'user', outcome, release: removed },
  'needs attention': { kind: 'needs-attention', cause: 'user', outcome, release: removed },
} satisfies Record<string, SessionState>;

const events = {
  committed: { kind: 'committed' },
  diverted: { kind: 'diverted', route: 'prompt' },
  returned: { kind: 'returned' },
  suspended: { kind: 'suspended' },
  resumed: { kind: 'resumed' },
  'release-begun': { kind: 'release-begun', cause: 'user' },
  released: { kind: 'released', outcome, report: removed },
} satisfies Record<string, SessionEvent>;

const suspendedPrompt: SessionState = { kind: 'running', route: 'prompt', suspended: true };
const table: Record<keyof typeof states, Partial<Record<keyof typeof events, SessionState>>> = {
  opening: { committed: running, 'release-begun': states.releasing },
  running: {
    diverted: states['in a prompt'],
    suspended: states.suspended,
    'release-begun': states.releasing,
  },
  'in a prompt': { returned: running, suspended: suspendedPrompt, 'release-begun': states.releasing },
  suspended: { diverted: suspendedPrompt, resumed: running, 'release-begun': states.releasing },
  releasing: { released: states.ended },
  ended: {},
  'needs attention': {},
};

const keysOf = <K extends string>(record: Record<K, unknown>) => Object.keys(record) as K[];

describe('transitions', () => {
  for (const state of keysOf(states)) {
    it.each(keysOf(events))(`${state}, %s`, (event) => {
      expect(transition(states[state], events[event])).toEqual(table[state][event] ?? null);
    });
  }

  it('ST-25 a removal that was not confirmed needs attention', () => {
    const report = { removed: false, steps: [], reason: 'still there' };
    expect(transition(states.releasing, { kind: 'released', outcome, report })).toEqual({
      kind: 'needs-attention',
      cause: 'user',
      outcome,
      release: report,
    });
  });
});

describe('what a state admits', () => {
  const rows: [keyof typeof states, boolean, string | undefined, string | undefined][] = [
    ['opening', false, 'session-not-running', 'session-not-running'],
    ['running', true, undefined, undefined],
    ['in a prompt', false, undefined, 'route-refuses-input'],
    ['suspended', false, undefined, 'session-suspended'],
    ['releasing', true, 'session-releasing', 'session-releasing'],
    ['ended', false, 'session-not-running', 'session-not-running'],
    ['needs attention', false, 'session-not-running', 'session-not-running'],
  ];
  it.each(rows)('ST-7 ST-13 ST-18 ST-19 %s: read %s, control %s, input %s', (name, read, control, input) => {
    expect(mayRead(states[name], false)).toBe(read);
    expect(refusalOfControl(states[name])?.tag).toBe(control);
    expect(refusalOfInput(states[name])?.tag).toBe(input);
  });

  it.each(keysOf(states))('nothing is read without credit: %s', (name) => {
    expect(mayRead(states[name], true)).toBe(false);
  });
});
