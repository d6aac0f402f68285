import { FOLDER_TARGETS } from '../shared/terminal/inside.ts';
import { type Airlock, expect, test, withFolders } from './fixtures.ts';
import { readClipboard, setClipboard } from './pages/clipboard.ts';
import type { Pane } from './pages/pane.ts';
import { holdTime } from './pages/time.ts';

/** What a program prints to set the clipboard to “EVIL text”, and a row to see that it was printed. */
const WRITE = "printf '\\e]52;c;%s\\a' $(printf 'EVIL text' | base64); echo printed $((1 + 1))";

async function shellWithSentinel(airlock: Airlock): Promise<Pane> {
  const pane = await airlock.workspace.openFirstShell();
  await setClipboard(airlock.page, 'SENTINEL');
  return pane;
}

test.describe('a program and the clipboard (B13)', () => {
  test.describe('by default', () => {
    test.use({ settings: withFolders() });

    test('a write does nothing, and a read is never answered', async ({ airlock }) => {
      const pane = await shellWithSentinel(airlock);
      await pane.run(WRITE);
      await pane.expectLine('printed 2');
      await pane.run(WRITE.replace('52;c', '52;p').replace('\\a', '\\e\\\\').replace('1 + 1', '2 + 2'));
      await pane.expectLine('printed 4');
      expect(await readClipboard(airlock.page)).toBe('SENTINEL');

      const reads = '\\e]52;c;?\\a\\e]52;p;?\\e\\\\\\e]52;;?\\a';
      const typed = await pane.recordInput(airlock.folders.scratch, reads);
      await pane.type('end');
      await expect.poll(typed).toBe('end');
    });
  });

  test.describe('when the profile says ask', () => {
    test.use({ settings: withFolders({ clipboardWrite: 'ask' }) });

    test('the text is shown; keys that were on their way to the program answer nothing, Deny changes nothing, Allow once sets it', async ({
      airlock,
    }) => {
      const pane = await shellWithSentinel(airlock);
      await pane.run(WRITE);
      await airlock.page.keyboard.type(' \n \necho typed $((2 + 2))\n');
      await pane.expectLine('typed 4');
      const strip = pane.strip('clipboard');
      await expect(strip).toBeVisible();
      expect(await readClipboard(airlock.page), 'after keys').toBe('SENTINEL');
      await expect(strip).toContainText('The program in “Shell” wants to set the clipboard');
      await expect(strip.getByRole('group', { name: 'Text for the clipboard' })).toHaveText('EVIL text');
      await expect(pane.input).toBeFocused();
      await strip.getByRole('button', { name: 'Deny' }).click();
      await expect(strip).toBeHidden();

      await pane.run(WRITE);
      await expect(strip).toBeVisible();
      expect(await readClipboard(airlock.page), 'after Deny').toBe('SENTINEL');
      await strip.getByRole('button', { name: 'Allow once' }).click();
      await expect.poll(() => readClipboard(airlock.page)).toBe('EVIL text');
      await expect(strip).toBeHidden();
    });

    test('it is asked after what the person brought up, whose answer does not answer it', async ({
      airlock,
    }) => {
      const { page } = airlock;
      const pane = await airlock.workspace.openFirstShell();
      await pane.run(`${WRITE}; exec cat`);
      await pane.expectLine('printed 2');
      const [asked, paste] = [pane.strip('clipboard'), pane.strip('paste')];
      await expect(asked.getByRole('button', { name: 'Allow once' })).toBeEnabled();
      await setClipboard(page, 'one\ntwo\n');
      await pane.press('Control+Shift+V');
      await expect(paste).toBeVisible();
      await expect(asked).toBeHidden();
      await holdTime(page);
      await paste.getByRole('button', { name: 'Paste' }).dblclick();
      await expect(paste).toBeHidden();
      await expect(asked.getByRole('button', { name: 'Allow once' })).toBeDisabled();
      expect(await readClipboard(page)).toBe('one\ntwo\n');
    });
  });

  test.describe('when the profile says allow', () => {
    test.use({ settings: withFolders({ clipboardWrite: 'allow' }) });

    test('the focused pane sets it and says so; one in the background does not', async ({ airlock }) => {
      const pane = await shellWithSentinel(airlock);
      await pane.run(WRITE);
      await expect.poll(() => readClipboard(airlock.page)).toBe('EVIL text');
      await expect(pane.strip('message')).toContainText('put 9 characters on the clipboard');

      await setClipboard(airlock.page, 'SENTINEL');
      await pane.run(
        `read -r _ < ${FOLDER_TARGETS.project}/go; ${WRITE.replace('1 + 1', '3 + 3')}; printf '\\e]0;done\\a'`,
      );
      await airlock.workspace.openTab();
      await airlock.releaseFifo('go');
      await expect(airlock.workspace.tab(/^done/)).toBeVisible();
      expect(await readClipboard(airlock.page)).toBe('SENTINEL');
    });
  });
});

test.describe('copying', () => {
  test('copies the selection by key', async ({ airlock }) => {
    const { workspace, page } = airlock;
    const pane = await workspace.openFirstShell();
    await setClipboard(page, 'SENTINEL');
    await pane.run('printf "take %s\\n" this-word');
    await pane.expectLine('take this-word');
    const { x, y } = await pane.placeOf('this-word\n'.trim());
    await page.mouse.dblclick(x, y);
    await page.keyboard.press('Control+Shift+C');
    await expect.poll(() => readClipboard(page)).toBe('this-word');
  });

  test.describe('with copy on select', () => {
    test.use({ settings: { terminal: { copyOnSelect: true } } });

    test('selecting is enough', async ({ airlock }) => {
      const { workspace, page } = airlock;
      const pane = await workspace.openFirstShell();
      await setClipboard(page, 'SENTINEL');
      await pane.run('printf "%s-selected\\n" just');
      const { x, y } = await pane.placeOf('just-selected');
      await page.mouse.dblclick(x, y);
      await expect.poll(() => readClipboard(page)).toBe('just-selected');
    });
  });
});
