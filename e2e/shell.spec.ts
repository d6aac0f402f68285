import { expect, test } from './fixtures.ts';
import { descendantsOf } from './harness/processes.ts';

test('a shell opens with Enter, shows what is typed, says how it ended, and opens again', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  await expect(page.getByRole('heading', { name: 'A shell that cannot reach your machine' })).toBeVisible();
  const pane = await workspace.openFirstShell();
  await expect(pane.input).toBeFocused();

  await pane.run('echo $((6 * 7)) from the sandbox');
  await pane.expectLine('42 from the sandbox');

  await pane.run('exit 3');
  await expect(pane.ending).toContainText('Exit code 3.');
  await expect(workspace.activeTab).toContainText('exit 3');
  await pane.expectLine('42 from the sandbox');

  await pane.ending.getByRole('button', { name: 'Open again' }).click();
  await pane.expectState('running');
  await expect(pane.input).toBeFocused();
  await pane.run('echo second $((1 + 1))');
  await pane.expectLine('second 2');
  await pane.run('exit');
  await expect(pane.ending).toContainText('Exit code 0.');
  // An Enter by itself, not the one that ends a line typed too late.
  await expect(async () => {
    await pane.press('Enter');
    await expect(pane.ending).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await pane.expectState('running');
  await pane.expectLine('42 from the sandbox');
});

test('the posture is said in words and its details on focus', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  const posture = pane.root.getByRole('button', { name: /^No network/ });
  await expect(posture).toHaveAccessibleName(/No network · none of your files · 1 GiB/);
  await posture.focus();
  await expect(airlock.page.getByRole('tooltip')).toContainText('none, only its own loopback');
  await expect(pane.root.getByText('recorded', { exact: true })).toBeVisible();
});

test('a sandbox that is killed from outside is not said to have exited (ST-22)', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  const sandboxes = descendantsOf(airlock.hostPid).filter(({ name }) => name === 'bwrap');
  expect(sandboxes.length).toBeGreaterThan(0);
  for (const { pid } of sandboxes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone in the meantime.
    }
  }
  await expect(pane.ending).toContainText(/SIGKILL|Outcome unknown/);
  await expect(pane.ending).not.toContainText('Exit code');
});

test('what is typed after the end goes nowhere', async ({ airlock }) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  await pane.run('exit');
  await expect(pane.ending).toContainText('Exit code 0.');
  await pane.expectLine('exit');
  const before = await pane.text();
  await pane.type('echo nobody is ther');
  // Nothing comes between the last letter and Enter: one that comes a second later opens a shell.
  await Promise.all([page.keyboard.press('e'), page.keyboard.press('Enter')]);
  await pane.ending.getByRole('button', { name: 'Open again' }).click();
  await pane.expectState('running');
  await pane.expectPrompt();
  await pane.run('echo next');
  await expect
    .poll(() => pane.text())
    .toEqual([...before, expect.stringMatching(/\$ echo next$/), 'next', expect.stringMatching(/\$$/)]);
});

test.describe('with a program of its own', () => {
  test.use({
    settings: {
      profiles: [
        { id: 'shell', name: 'Shell' },
        { id: 'size', name: 'Size', command: ['/bin/sh', '-c', 'stty size; cat'] },
        { id: 'gone', name: 'Gone', command: ['/no/such/program'] },
      ],
    },
  });

  test('the very first stty size is the size of the pane (B05, ST-5)', async ({ airlock }) => {
    const pane = await airlock.workspace.openTabWithProfile('Size');
    await pane.expectText(/^\d+ \d+$/m);
    const { cols, rows } = await pane.size();
    expect((await pane.screen())[0]).toBe(`${rows} ${cols}`);
    expect(rows).not.toBe(24);
  });

  test('a program that does not exist is said, and nothing is left open', async ({ airlock }) => {
    const pane = await airlock.workspace.openTabWithProfile('Gone');
    await expect(pane.ending).toContainText(/did not open|Exit code 127|Outcome unknown/);
    await expect
      .poll(() => descendantsOf(airlock.hostPid).filter(({ name }) => name === 'bwrap'))
      .toEqual([]);
  });
});
