import { expect, it, vi } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import { dispatchKeys } from './key-dispatch.ts';
import { CommandRegistry } from './registry.ts';

/** Ctrl and Shift and a key: its first event, or one of those that follow while it is held. */
function keyDown(key: string, code: string, repeat: boolean): Event {
  const held = { ctrlKey: true, shiftKey: true, altKey: false, metaKey: false };
  return Object.assign(new Event('keydown', { cancelable: true }), { key, code, repeat, ...held });
}

it('a key that is held closes once, and goes from tab to tab again and again; the program sees none of it', () => {
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  vi.stubGlobal('Element', class {});
  const ran: string[] = [];
  const actions = CATALOGUE.map(({ id }) => [id, { run: () => ran.push(id) }] as const);
  const dispatching = dispatchKeys(new CommandRegistry(Object.fromEntries(actions)));
  for (const repeat of [false, true, true]) {
    for (const event of [keyDown('W', 'KeyW', repeat), keyDown('PageDown', 'PageDown', repeat)]) {
      page.dispatchEvent(event);
      expect(event.defaultPrevented).toBe(true);
    }
  }
  expect(ran).toEqual(['pane.close', 'tab.next', 'tab.next', 'tab.next']);
  dispatching.dispose();
});
