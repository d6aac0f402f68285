import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { SymbiontFake } from '../../electron/approvals/testing/symbiont-fake.ts';
import { test as base, expect } from '../fixtures.ts';
import { Decisions } from '../pages/decisions.ts';

const test = base.extend<{ symbiont: SymbiontFake }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  symbiont: async ({}, use) => {
    const fake = await SymbiontFake.start();
    await use(fake);
    await fake.close();
  },
});

async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

test('a person follows a Symbiont runtime and decides what it holds; the token stays with the host', async ({
  airlock,
  symbiont,
}) => {
  const { page, workspace, folders } = airlock;
  const settings = await workspace.openSettings();
  await settings.section('Profiles');
  await settings.content.getByRole('button', { name: 'Add Symbiont runtime' }).click();
  const name = settings.field('Name');
  await name.fill('Operations');
  await name.press('Enter');
  const address = settings.field('Address');
  await address.fill('http://symbiont.example');
  await expect(settings.content.getByText('Address must use https, except on this machine')).toBeVisible();
  await address.fill(symbiont.address);
  await address.press('Enter');
  const status = page.locator('[data-symbiont-status]');
  await expect(status).toHaveText('Not followed: no token is kept for this address.');
  await expect(settings.content.getByRole('button', { name: 'Make default' })).toBeHidden();

  const token = settings.field('Token');
  await expect(token).toHaveAttribute('type', 'password');
  await token.fill(symbiont.token);
  await settings.content.getByRole('button', { name: 'Save token' }).click();
  await expect(status).toHaveText('Following Symbiont 1.21.1: nothing is held.');
  await expect(token).toHaveValue('');
  await expect(settings.content.getByText('A token is kept for this address.')).toBeVisible();
  expect(await page.content()).not.toContain(symbiont.token);
  expect(await readFile(join(folders.data, 'settings.json'), 'utf8')).not.toContain(symbiont.token);
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'New tab with profile' }).click();
  await page.getByRole('menuitem', { name: 'Operations' }).click();
  const approvals = page.getByRole('main', { name: 'Approvals' });
  await expect(approvals.getByRole('region', { name: 'Symbiont runtimes' })).toContainText('symbi shell');
  expect(await accessibilityFaults(page)).toEqual([]);

  const { id, agent_id: agent } = symbiont.hold({
    summary: 'tool_call report\u202e_writer.save',
    context_snapshot: { arguments: { text: 'caf\u00e9\u200b' } },
  });
  const decisions = new Decisions(page);
  await expect(decisions.badge).toHaveText('1');
  const content = decisions.frame.locator('.card');
  await expect(content).toContainText('Symbiont: tool_call report<U+202E>_writer.save');
  await expect(content).toContainText('caf\\u00e9\\u200b');
  for (const text of [agent, '1.21.1', 'Held there until', symbiont.address])
    await expect(content).toContainText(text);
  // By a person: it stays, where one that opened by itself would close again.
  await page.keyboard.press('Alt+Shift+A');
  await decisions.approve();
  await expect.poll(() => symbiont.decided).toMatchObject([{ id, decision: 'approve' }]);
  await expect(approvals.locator('[data-approval-outcome=approved]')).toContainText('Symbiont:');

  symbiont.cutsDecisions = 'after';
  symbiont.hold({ id: 'f'.repeat(16), summary: 'delegate elsewhere' });
  await decisions.frame.getByRole('button', { name: 'Show the next request' }).click();
  await expect(decisions.frame.locator('.card-title')).toContainText('delegate elsewhere');
  await decisions.deny('not today');
  await expect(decisions.frame.locator('.card')).toContainText('Outcome unknown');
  await expect(approvals.locator('[data-approval-outcome=unknown]')).toContainText('The denial was sent.');

  await symbiont.close();
  await expect(status).toContainText('The Symbiont runtime does not answer (nothing listens there).');
});
