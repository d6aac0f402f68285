import type { CDPSession } from '@playwright/test';
import { type Airlock, expect, test, withFolders } from './fixtures.ts';

test.use({ settings: withFolders() });

/** An input method: what is being composed, then what it became. */
class InputMethod {
  readonly #session: CDPSession;

  static async on({ context, page }: Airlock): Promise<InputMethod> {
    return new InputMethod(await context.newCDPSession(page));
  }

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  async compose(...steps: string[]): Promise<void> {
    for (const text of steps) {
      await this.#session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    }
  }

  async commit(text: string): Promise<void> {
    await this.#session.send('Input.insertText', { text });
  }

  /** Enter, taken by the input method: the page hears of a key, but not of this one. */
  async commitByEnter(text: string): Promise<void> {
    const enter = { key: 'Enter', code: 'Enter' };
    await this.#session.send('Input.dispatchKeyEvent', {
      ...enter,
      type: 'rawKeyDown',
      windowsVirtualKeyCode: 229,
    });
    await this.commit(text);
    await this.#session.send('Input.dispatchKeyEvent', {
      ...enter,
      type: 'keyUp',
      windowsVirtualKeyCode: 13,
    });
  }
}

const utf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString();

test('what is typed while a session opens is its first input, and goes to no other', async ({ airlock }) => {
  const { workspace, page, hostPid } = airlock;
  const first = await workspace.openFirstShell();
  process.kill(hostPid, 'SIGSTOP');
  try {
    await page.keyboard.press('Alt+Shift+Equal');
    await expect(workspace.activePane.input).toBeFocused();
    await page.keyboard.type('echo a""head\n');
  } finally {
    process.kill(hostPid, 'SIGCONT');
  }
  await workspace.activePane.expectLine('ahead');
  expect(await first.screen()).not.toContainEqual(expect.stringContaining('echo'));
});

test.describe('input methods (B34)', () => {
  test('each composed text arrives once, also when the next begins at once', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    const typed = await pane.recordInput(airlock.folders.scratch);
    const method = await InputMethod.on(airlock);
    await method.compose('h', 'he', '狠', '狠狠');
    await method.commit('狠狠');
    await method.compose('n', '你');
    await method.commit('你');
    await pane.type('!');
    await expect.poll(async () => utf8(await typed())).toBe('狠狠你!');
  });

  test('a tilde made by a dead key is a typed tilde', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    await pane.recordInput(airlock.folders.scratch);
    const method = await InputMethod.on(airlock);
    await method.compose('~');
    await method.commit('~');
    await pane.type('.');
    await expect(pane.ending).toContainText('Disconnected with the escape sequence.');
  });

  test('the Enter that ends a composition is not sent and starts no line', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    const typed = await pane.recordInput(airlock.folders.scratch);
    const method = await InputMethod.on(airlock);
    await method.compose('き', '今日');
    await method.commitByEnter('今日');
    await pane.type('~.');
    await expect.poll(async () => utf8(await typed())).toBe('今日~.');
    await pane.expectState('running');
  });

  test('a composition outlives another size of the window', async ({ airlock }) => {
    const pane = await airlock.workspace.openFirstShell();
    const typed = await pane.recordInput(airlock.folders.scratch);
    const method = await InputMethod.on(airlock);
    const { cols } = await pane.size();
    await method.compose('に', '日');
    await airlock.page.setViewportSize({ width: 900, height: 620 });
    await expect.poll(async () => (await pane.size()).cols).toBeLessThan(cols);
    await method.compose('日本');
    await method.commit('日本');
    await expect.poll(async () => utf8(await typed())).toBe('日本');
  });

  test('what is being composed when the focus leaves arrives once or not at all', async ({ airlock }) => {
    const { workspace, folders } = airlock;
    const pane = await workspace.openFirstShell();
    const typed = await pane.recordInput(folders.scratch);
    const method = await InputMethod.on(airlock);
    await method.compose('か', '書');
    await airlock.page.getByRole('button', { name: 'New tab with profile' }).focus();
    await pane.type('z');
    await expect.poll(async () => utf8(await typed())).toMatch(/^書?z$/);
  });

  test('composing while another tab floods loses nothing', async ({ airlock }) => {
    const flood = await airlock.workspace.openFirstShell();
    await flood.run('yes');
    const pane = await airlock.workspace.openTab();
    const typed = await pane.recordInput(airlock.folders.scratch);
    const method = await InputMethod.on(airlock);
    await method.compose('こ', 'こん', 'こんにちは');
    await method.commit('今日は');
    await expect.poll(async () => utf8(await typed())).toBe('今日は');
  });
});

test.describe('the Option key of a Mac (B34)', () => {
  /** The page as it is on a Mac. Resolves to what presses a key with Option that makes `text`. */
  async function onMac({ context, page }: Airlock) {
    const devtools = await context.newCDPSession(page);
    const userAgent = await page.evaluate(() => navigator.userAgent.replace(/\([^)]*\)/, '(Macintosh)'));
    await devtools.send('Emulation.setUserAgentOverride', { userAgent, platform: 'MacIntel' });
    await expect(page.getByRole('button', { name: 'Open a shell' })).toBeVisible();
    await page.reload();
    const OPTION = 1;
    return async (code: string, text: string) => {
      const key = { code, key: text, modifiers: OPTION, windowsVirtualKeyCode: code.charCodeAt(3) };
      await devtools.send('Input.dispatchKeyEvent', { ...key, type: 'keyDown', text });
      await devtools.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' });
    };
  }

  test('writes its characters, and a tilde written with it is a typed one', async ({ airlock }) => {
    const pressOption = await onMac(airlock);
    const pane = await airlock.workspace.openFirstShell();
    const typed = await pane.recordInput(airlock.folders.scratch);
    await pressOption('KeyL', '@');
    await pressOption('KeyN', '~');
    await expect.poll(typed).toBe('@~');
    await pane.press('Enter');
    await pressOption('KeyN', '~');
    await pane.type('.');
    await expect(pane.ending).toContainText('Disconnected with the escape sequence.');
  });

  test.describe('as Meta', () => {
    test.use({ settings: withFolders({}, { terminal: { optionIsMeta: true } }) });

    test('is Escape before the letter', async ({ airlock }) => {
      const pressOption = await onMac(airlock);
      const pane = await airlock.workspace.openFirstShell();
      const typed = await pane.recordInput(airlock.folders.scratch);
      await pressOption('KeyB', '∫');
      await expect.poll(typed).toBe('\x1bb');
    });
  });
});

test('the keys of a shell reach it: history, completion, word keys, control keys', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  const typed = await pane.recordInput(airlock.folders.scratch);
  await pane.press(
    'ArrowUp',
    'Control+ArrowLeft',
    'Alt+b',
    'Tab',
    'Control+r',
    'Control+p',
    'Control+\\',
    'Escape',
  );
  await expect.poll(typed).toBe('\x1b[A\x1b[1;5D\x1bb\t\x12\x10\x1c\x1b');
});

test('job control: Ctrl-Z stops, fg continues, Ctrl-C ends (B29)', async ({ airlock }) => {
  const pane = await airlock.workspace.openFirstShell();
  // A key that gives a signal takes with it what nobody has read yet: each is pressed once its reader is there.
  await pane.run("sh -c 'echo reading; exec cat'");
  await pane.expectLine('reading');
  await pane.press('Control+z');
  await pane.expectText(/\[1\]\+\s+Stopped\s+sh -c/);
  await pane.expectPrompt();
  await pane.run('fg');
  await pane.expectLine("sh -c 'echo reading; exec cat'");
  await pane.type('echoed\n');
  await pane.expectText(/echoed\nechoed/);
  await pane.press('Control+c');
  await pane.expectPrompt();
  await pane.run('echo status $?');
  await pane.expectLine('status 130');
});
