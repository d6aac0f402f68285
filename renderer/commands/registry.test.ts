import { expect, it } from 'vitest';
import { CommandRegistry } from './registry.ts';

function registry() {
  const ran: string[] = [];
  const action = (id: string, enabled = true) => ({ run: () => void ran.push(id), enabled: () => enabled });
  const commands = new CommandRegistry({
    'tab.new': action('tab.new'),
    'find.open': action('find.open'),
    'pane.close': action('pane.close', false),
  });
  return { commands, ran };
}

it('runs what means something now, and says whether it did', () => {
  const { commands, ran } = registry();
  expect(commands.run('tab.new')).toBe(true);
  expect(commands.run('pane.close')).toBe(false);
  expect(commands.run('no.such')).toBe(false);
  expect(commands.run('constructor')).toBe(false);
  expect(ran).toEqual(['tab.new']);
});

it('offers what means something now, what was chosen last first', () => {
  const { commands } = registry();
  expect(commands.available().map(({ id }) => id)).toEqual(['tab.new', 'find.open']);
  commands.runChosen('find.open');
  commands.run('tab.new');
  expect(commands.available().map(({ id }) => id)).toEqual(['find.open', 'tab.new']);
});
