import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_PROFILE } from '../../shared/settings/schema.ts';
import { addPane, dropNotices, paneOf, removePane, showMessage, showNotice } from './panes-store.ts';

const PANE = 'pane-1';
const notices = () => paneOf(PANE)?.notices;

beforeEach(() => addPane(PANE, { profile: DEFAULT_PROFILE, trial: null, project: null, governed: null }));
afterEach(() => removePane(PANE));

it('a message takes the place of the last message, and of nothing that stays', () => {
  const stopped = { kind: 'recording-stopped', why: 'The disk is full.' } as const;
  showNotice(PANE, stopped);
  showMessage(PANE, 'one');
  showMessage(PANE, 'two');
  expect(notices()).toEqual([stopped, { kind: 'message', text: 'two' }]);
  dropNotices(PANE, 'message');
  expect(notices()).toEqual([stopped]);
});
