import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, withFolders } from './fixtures.ts';

test.use({ settings: withFolders() });

test.describe('titles (B15)', () => {
  test('are text, cleaned, bounded, and behind what Airlock says itself', async ({ airlock }) => {
    const { workspace, page, folders } = airlock;
    await writeFile(
      join(folders.project, 'title'),
      '\x1b]2;<img src=x onerror=alert(1)>\u202e\u200bgpj.exe\x07',
    );
    const pane = await workspace.openFirstShell();
    await pane.run('cat title');
    await expect(workspace.activeTab).toContainText('<img src=x onerror=alert(1)>gpj.exe');
    await expect(page).toHaveTitle('Airlock · Shell: <img src=x onerror=alert(1)>gpj.exe');
    await expect(page.locator('img')).toHaveCount(0);

    await pane.run("printf '\\e]0;%0*d\\a' 100000 0");
    await expect.poll(async () => (await page.title()).length).toBeLessThan(300);
    await expect(page).toHaveTitle(/^Airlock · Shell: 0+…?$/);
    await pane.run("printf '\\e]0;Airlock — approved\\a'");
    await expect(page).toHaveTitle('Airlock · Shell: Airlock — approved');
  });

  test('are never reported back to the program', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    const typed = await pane.recordInput(
      airlock.folders.scratch,
      '\\e]0;x;touch PWNED\\r\\a\\e[21t\\e[20t\\e[18t\\e[14t',
    );
    await pane.type('end');
    await expect.poll(typed).toBe('end');
    await expect(airlock.workspace.activeTab).toContainText('x;touch PWNED');
  });

  test('5000 of them in a second leave the window at the last one', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    await pane.run("for i in {1..5000}; do printf '\\e]0;title %d\\a' $i; done");
    await expect(airlock.page).toHaveTitle('Airlock · Shell: title 5000');
  });
});

test.describe('controls in output (B17)', () => {
  test('U+009B is a control, the byte 9B is not, NUL hides nothing, letters stay whole', async ({
    airlock,
  }) => {
    const { workspace, folders } = airlock;
    const rows = ['a\u009b31mb', 'c\u009d0;T\u009cd', 'e\0f', 'À Á Ā €'];
    await writeFile(join(folders.project, 'controls'), `${rows.join('\n')}\n`);
    await writeFile(join(folders.project, 'raw'), Buffer.from('g\x9b31mh\n', 'latin1'));
    const pane = await workspace.openFirstShell();
    await pane.run('cat controls raw');
    for (const row of ['ab', 'cd', 'ef', 'À Á Ā €', 'g\ufffd31mh']) await pane.expectLine(row);

    await pane.press('Control+Shift+F');
    await airlock.page.keyboard.type('ef');
    await expect(pane.find.getByRole('status')).toContainText(/^1 of/);
  });

  test('a bell marks a tab that is not looked at', async ({ airlock }) => {
    const { workspace } = airlock;
    const pane = await workspace.openFirstShell();
    await pane.run("read -r _ < go; printf '\\a'");
    await workspace.openTab();
    await airlock.releaseFifo('go');
    await expect(workspace.tab(/bell/)).toHaveCount(1);
    await workspace.tabs.first().click();
    await expect(workspace.tab(/bell/)).toHaveCount(0);
  });
});

test('wide, combined and joined characters stand in their cells (B01)', async ({ airlock }) => {
  const { workspace, folders } = airlock;
  await writeFile(join(folders.project, 'text'), '[A—B…C👩‍💻D𐀀E\u0301 F界G]\n');
  const pane = await workspace.openFirstShell();
  // One byte at a time: no read of the PTY ends where a character does.
  await pane.run('while IFS= read -rN1 c; do printf %s "$c"; done < <(LC_ALL=C cat text)');
  await pane.expectLine('[A—B…C👩‍💻D𐀀E\u0301 F界G]');
});
