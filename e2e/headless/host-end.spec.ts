import { expect, test } from '../fixtures.ts';
import { descendantsOf, isAlive } from '../harness/processes.ts';

test('Ctrl-C of the host releases every session, and the page says so', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  await pane.run('yes');
  await pane.expectLine(/^y$/);
  await workspace.openTab();
  const sandboxes = descendantsOf(airlock.hostPid);
  expect(sandboxes.length).toBeGreaterThan(1);
  process.kill(airlock.hostPid, 'SIGINT');
  await expect(page.getByText('The connection ended.')).toBeVisible();
  await expect(workspace.activePane.ending).toContainText(/Airlock was closed|Outcome unknown/);
  await expect.poll(() => sandboxes.filter(isAlive)).toEqual([]);
  await expect(workspace.activePane.rows.first()).toContainText('$');
});

test('a host that is killed leaves no sandbox, and the page does not pretend (ST-26)', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  await workspace.openFirstShell();
  const sandboxes = descendantsOf(airlock.hostPid);
  process.kill(airlock.hostPid, 'SIGKILL');
  await expect(workspace.activePane.ending).toContainText('Outcome unknown');
  await expect(page.getByRole('button', { name: 'Connect again' })).toBeVisible();
  await expect.poll(() => sandboxes.filter(isAlive)).toEqual([]);
});
