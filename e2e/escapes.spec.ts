import { expect, test, withFolders } from './fixtures.ts';
import { resizeWindow } from './pages/window.ts';

test.use({ settings: withFolders() });

test('~. at the start of a line disconnects, also from a program that hangs (ST-11)', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  await pane.run("trap '' INT QUIT TSTP HUP TERM; stty raw -echo; echo READY; while :; do sleep 1; done");
  await pane.expectLine('READY');
  await pane.type('~.');
  await expect(pane.ending).toContainText('Disconnected with the escape sequence.');
  await expect(airlock.workspace.activeTab).not.toContainText('exit 0');
});

test('a tilde elsewhere is a tilde; ~~ sends one; ~x sends both (ST-14, ST-15)', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  const typed = await pane.recordInput(airlock.folders.scratch);
  await pane.type('a~.b\n~~.\n~x');
  await expect.poll(typed).toBe('a~.b\r~.\r~x');
  await pane.expectState('running');
});

test('~? is drawn in the pane and not sent (ST-14)', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  const typed = await pane.recordInput(airlock.folders.scratch);
  await pane.type('~?');
  await pane.expectLine('Escape sequences at the start of a line:');
  for (const keys of ['~.', '~B', '~Ctrl-Z', '~~', '~?']) await pane.expectText(`  ${keys}`);
  await pane.type('z');
  await expect.poll(typed).toBe('z');
});

test('~? does not disturb a program that has the whole screen', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  await pane.recordInput(airlock.folders.scratch, '\\e[?1049h');
  const before = await pane.screen();
  await pane.type('~?');
  await expect(pane.strip('escape-help')).toContainText('~Ctrl-Z');
  expect(await pane.screen()).toEqual(before);
});

test('~B says what BREAK meant here (ST-10, ST-12)', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  await pane.run('cat -v');
  await pane.type('~B');
  await pane.expectText(/BREAK/);
  await pane.expectState('running');
});

test('~^Z suspends: nothing is sent, and any key resumes with the size first (ST-13)', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  const pane = await workspace.openFirstShell();
  await pane.run('while read -r line; do echo "got $line at $(stty size)"; done');
  await pane.type('~');
  await pane.press('Control+z');
  await pane.expectState('suspended');
  await expect(pane.strip('suspended')).toContainText('Press any key');
  await expect(workspace.activeTab).toContainText('suspended');

  const before = await pane.size();
  await resizeWindow(page, { width: 1000, height: 640 });
  const { cols, rows } = await pane.expectFits();
  expect(cols).toBeLessThan(before.cols);
  await pane.type('q');
  await pane.expectState('running');
  await pane.type('after\n');
  await pane.expectLine(`got after at ${rows} ${cols}`);
});

test('a size that changes while a session is being resumed is its size (ST-13)', async ({ airlock }) => {
  const { workspace, page, hostPid } = airlock;
  const pane = await workspace.openFirstShell();
  const before = await pane.size();
  await workspace.command('Suspend');
  await pane.expectState('suspended');
  process.kill(hostPid, 'SIGSTOP');
  try {
    await pane.type('q');
    await resizeWindow(page, { width: 1000, height: 640 });
    await pane.expectFits();
  } finally {
    process.kill(hostPid, 'SIGCONT');
  }
  await pane.expectState('running');
  const { cols, rows } = await pane.expectFits();
  expect(cols).toBeLessThan(before.cols);
  await pane.run('stty size');
  await pane.expectLine(`${rows} ${cols}`);
});

test('a click resumes, and the palette suspends', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  await airlock.workspace.command('Suspend');
  await pane.expectState('suspended');
  await pane.strip('suspended').click();
  await pane.expectState('running');
  await pane.run('echo back $((1 + 1))');
  await pane.expectLine('back 2');
});

test.describe('with escape characters of the profiles', () => {
  test.use({
    settings: async ({ folders: { scratch } }, use) => {
      const none = { id: 'shell', name: 'None', scratch, escapeCharacter: null };
      const percent = { id: 'percent', name: 'Percent', scratch, escapeCharacter: '%' };
      await use({ profiles: [none, percent] });
    },
  });

  test('none leaves ~. to the program; another one counts, and ~ is ordinary (ST-17)', async ({
    airlock,
  }) => {
    const { workspace, folders } = airlock;
    const none = await workspace.openFirstShell();
    const typed = await none.recordInput(folders.scratch);
    await none.type('~.\n~?\n~B');
    await expect.poll(typed).toBe('~.\r~?\r~B');
    await expect(workspace.statusLine).not.toContainText('for escapes');

    const percent = await workspace.openTabWithProfile('Percent');
    await percent.expectPrompt();
    await percent.recordInput(folders.scratch);
    await expect(workspace.statusLine).toContainText('%? for escapes');
    await percent.type('~.\n');
    await expect.poll(typed).toBe('~.\r');
    await percent.type('%.');
    await expect(percent.ending).toBeVisible();
  });
});
