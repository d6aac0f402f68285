import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER_TARGETS } from '../shared/terminal/inside.ts';
import { type Airlock, expect, test, withFolders } from './fixtures.ts';
import { setClipboard } from './pages/clipboard.ts';
import type { Pane } from './pages/pane.ts';

test.use({ settings: withFolders() });

const BRACKETS_ON = '\\e[?2004h';
const START = '\x1b[200~';
const END = '\x1b[201~';

async function paste(airlock: Airlock, pane: Pane, text: string): Promise<void> {
  await setClipboard(airlock.page, text);
  await pane.press('Control+Shift+V');
}

/** What comes of a text that is pasted in brackets, whose end it holds in two ways, beside other controls. */
const HOSTILE = 'a\x1b[201~\u009b201~\x03b\tc\r\nd';
const CLEANED = `${START}a[201~201~b\tc\rd${END}`;

test.describe('a clipboard that wants to run something (B11)', () => {
  const CLIPBOARDS: [what: string, text: string][] = [
    ['the end marker', 'safe\x1b[201~\rtouch PWNED\r'],
    ['the end marker with U+009B', 'safe\u009b201~\rtouch PWNED\r'],
    ['a nested end marker', 'safe\x1b[20\x1b[201~1~\rtouch PWNED\r'],
    ['control keys', 'safe\0\x03\x04\x15\rtouch PWNED\r'],
  ];

  test('stands on the prompt and does not run', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    await pane.run(`cd ${FOLDER_TARGETS.scratch}; echo in $PWD`);
    await pane.expectLine(`in ${FOLDER_TARGETS.scratch}`);
    for (const [what, text] of CLIPBOARDS)
      await test.step(what, async () => {
        await pane.run('clear');
        await expect.poll(() => pane.text()).toEqual([expect.stringMatching(/\$$/)]);
        await paste(airlock, pane, text);
        await pane.expectText('touch PWNED');
        await pane.press('Control+c');
        await pane.expectPrompt();
        await pane.run('echo "files: $(ls)."');
        await pane.expectLine('files: .');
        expect(existsSync(join(airlock.folders.scratch, 'PWNED'))).toBe(false);
      });
  });

  /** What a browser does at a middle click: it pastes the selection in the task that lets the button go. */
  async function middleClick(pane: Pane, text: string): Promise<void> {
    await pane.root.locator('.xterm-screen').evaluate((screen, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      screen.dispatchEvent(new MouseEvent('mouseup', { button: 1, bubbles: true }));
      screen.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }),
      );
    }, text);
  }

  async function drop(pane: Pane, dropped: { text: string } | { file: string }): Promise<void> {
    await pane.root.locator('.xterm-screen').evaluate((screen, what) => {
      const dataTransfer = new DataTransfer();
      if ('file' in what) dataTransfer.items.add(new File(['x'], what.file));
      else dataTransfer.setData('text/plain', what.text);
      screen.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, dropped);
  }

  test('exactly one start and one end marker reach the program, and nothing else that acts, whichever way it comes', async ({
    airlock,
  }) => {
    const { workspace, page, folders } = airlock;
    const pane = await workspace.openFirstShell();
    const typed = await pane.recordInput(folders.scratch, BRACKETS_ON);
    const ways: [way: string, paste: () => Promise<void>][] = [
      ['by its keys', () => pane.press('Control+Shift+V')],
      ['by the palette', () => workspace.command('Paste')],
      ['by the middle button', () => middleClick(pane, HOSTILE)],
      ['dropped', () => drop(pane, { text: HOSTILE })],
    ];
    await setClipboard(page, HOSTILE);
    for (const [index, [way, pasteSo]] of ways.entries())
      await test.step(way, async () => {
        await pasteSo();
        await expect.poll(typed).toBe(CLEANED.repeat(index + 1));
      });
  });

  test('a file that is dropped is refused in words', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    await drop(pane, { file: 'x.txt' });
    await expect(pane.strip('message')).toContainText('A file cannot be dropped into a sandbox');
  });

  test('the middle button pastes nothing where the program has the mouse', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    const typed = await pane.recordInput(airlock.folders.scratch, '\\e[?1000h\\e[?1006h');
    await middleClick(pane, 'not wanted');
    await pane.type('z');
    await expect.poll(typed).toMatch(/z$/);
    expect(await typed()).not.toContain('wanted');
  });
});

test.describe('tildes that nobody typed (B10, ST-16)', () => {
  const TEXT = 'one\n~.\n~~two\n~?\n~Bthree\n~\x1afour';
  const RECEIVED = 'one\r~.\r~~two\r~?\r~Bthree\r~four';

  test('arrive byte for byte in brackets', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    const typed = await pane.recordInput(airlock.folders.scratch, BRACKETS_ON);
    await paste(airlock, pane, TEXT);
    await expect.poll(typed).toBe(START + RECEIVED + END);
    await pane.expectState('running');
  });

  test('arrive byte for byte without brackets, as do those of keys; typed ~. after them still works', async ({
    airlock,
  }) => {
    const pane = await airlock.workspace.openFirstShell();
    const typed = await pane.recordInput(airlock.folders.scratch);
    const ofKeys = '\r\x1b[3~\r\x1b[6~\r\x1b[15~.\r';
    await test.step('keys whose codes hold a tilde', async () => {
      await pane.press('Enter', 'Delete', 'Enter', 'PageDown', 'Enter', 'F5');
      await pane.type('.\n');
      await expect.poll(typed).toBe(ofKeys);
      await pane.expectState('running');
    });
    await test.step('a paste', async () => {
      await paste(airlock, pane, `${TEXT}\n`);
      await pane.strip('paste').getByRole('button', { name: 'Paste' }).click();
      await expect.poll(typed).toBe(`${ofKeys}${RECEIVED}\r`);
      await pane.expectState('running');
    });
    await pane.type('\n~.');
    await expect(pane.ending).toContainText('Disconnected with the escape sequence.');
  });
});

test('where the program has not asked for pastes one line is sent at once, several are shown first, with what was left out', async ({
  airlock,
}) => {
  const pane = await airlock.workspace.openFirstShell();
  const typed = await pane.recordInput(airlock.folders.scratch);
  const strip = pane.strip('paste');
  const received = async () => Buffer.from(await typed(), 'latin1').toString();

  await paste(airlock, pane, 'one line é 界 😀');
  await expect.poll(received).toBe('one line é 界 😀');

  await test.step('Cancel sends nothing', async () => {
    await paste(airlock, pane, 'first\nsec\x1bond\n');
    await expect(strip).toContainText('Paste 2 lines, 13 bytes?');
    await expect(strip).toContainText('1 control character');
    await expect(strip.getByRole('group', { name: 'Text to paste' })).toContainText(/first.*second/s);
    await strip.getByRole('button', { name: 'Cancel' }).click();
    await expect(strip).toBeHidden();
    await expect(pane.input).toBeFocused();
  });

  await test.step('Escape is Cancel', async () => {
    await paste(airlock, pane, 'a\nb');
    await expect(strip).toBeVisible();
    await airlock.page.keyboard.press('Escape');
    await expect(strip).toBeHidden();
    await pane.type('c');
    await expect.poll(received).toBe('one line é 界 😀c');
  });

  await test.step('Enter is Paste', async () => {
    await paste(airlock, pane, 'third\nfourth');
    await expect(strip).toContainText('Paste 2 lines');
    await airlock.page.keyboard.press('Enter');
    await expect(strip).toBeHidden();
    await pane.type('!');
    await expect.poll(received).toBe('one line é 界 😀cthird\rfourth!');
  });
});

test('a line that the kernel would cut is said before it is pasted (B12)', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  const typed = await pane.recordInput(airlock.folders.scratch);
  await paste(airlock, pane, 'x'.repeat(6_000));
  await expect(pane.strip('paste')).toContainText('gets the first 4 KiB');
  await pane.strip('paste').getByRole('button', { name: 'Paste' }).click();
  await expect.poll(async () => (await typed()).length).toBe(6_000);
});

test('a long paste arrives whole, and what is typed after it comes last (B12)', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  const typed = await pane.recordInput(airlock.folders.scratch, BRACKETS_ON);
  const text = Array.from({ length: 2000 }, (_, line) => `${line} é😀 ${'x'.repeat(90)}\n`).join('');
  await paste(airlock, pane, text);
  await pane.type('X');
  const expected = Buffer.from(`${START}${text.replaceAll('\n', '\r')}${END}X`).toString('latin1');
  await expect.poll(async () => (await typed()).length).toBe(expected.length);
  expect(await typed()).toBe(expected);
});
