import { expect, it } from 'vitest';
import { Channels } from './channels.ts';

function sink() {
  const got: string[] = [];
  return { got, onOutput: (bytes: Uint8Array) => void got.push(Buffer.from(bytes).toString()) };
}

it('ST-21 output that comes before its pane is kept, in order, and given to it first', () => {
  const channels = new Channels();
  channels.deliver(1, Buffer.from('a'));
  channels.deliver(2, Buffer.from('other'));
  channels.deliver(1, Buffer.from('b'));
  const pane = sink();
  channels.attach(1, pane);
  channels.deliver(1, Buffer.from('c'));
  expect(pane.got).toEqual(['a', 'b', 'c']);
});

it('output of a pane that has left goes nowhere, and is not kept', () => {
  const channels = new Channels();
  const [first, late] = [sink(), sink()];
  channels.attach(1, first).dispose();
  channels.deliver(1, Buffer.from('ghost'));
  channels.attach(1, late);
  expect([first.got, late.got]).toEqual([[], []]);
});

it('ST-23 nothing of a lost link reaches the panes of the next', () => {
  const channels = new Channels();
  const [before, after] = [sink(), sink()];
  channels.attach(1, before);
  channels.deliver(2, Buffer.from('early'));
  channels.clear();
  channels.deliver(1, Buffer.from('x'));
  channels.attach(2, after);
  expect([before.got, after.got]).toEqual([[], []]);
});
