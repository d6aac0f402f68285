import { expect, test } from './fixtures.ts';

test.describe('a shell', () => {
  test('opens with Enter, shows what is typed, says how it ended, and opens again', async ({ airlock }) => {
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
    await expect(pane.ending).toBeHidden();
    await pane.expectPrompt();
    await pane.run('echo second');
    await pane.expectLine('second');
    await pane.expectLine('42 from the sandbox');
  });

  test('a signal is said by its name, not as a code', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    await pane.run('kill -9 $$');
    await expect(pane.ending).toContainText('SIGKILL');
    await expect(pane.ending).not.toContainText('Exit code');
  });

  test('what is typed after the end goes nowhere', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    await pane.run('exit');
    await expect(pane.ending).toContainText('Exit code 0.');
    const before = await pane.screen();
    await pane.type('rm -rf everything');
    await expect(pane.ending).toBeVisible();
    expect(await pane.screen()).toEqual(before);
  });

  test('the very first stty size is the size of the pane (B05, ST-5)', async ({ airlock }) => {
    const pane = await airlock.workspace.openTabWithProfile('Size');
    await pane.expectText(/^\d+ \d+$/m);
    const { cols, rows } = await pane.size();
    expect((await pane.screen())[0]).toBe(`${rows} ${cols}`);
    expect(rows).not.toBe(24);
  });
  test.use({
    settings: {
      profiles: [
        { id: 'shell', name: 'Shell' },
        { id: 'size', name: 'Size', command: ['/bin/sh', '-c', 'stty size; cat'] },
      ],
    },
  });
});
