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
}

const utf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString();

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
  await pane.run('cat');
  await pane.press('Control+z');
  await pane.expectText(/\[1\]\+\s+Stopped\s+cat/);
  await pane.run('fg');
  await pane.expectLine('cat');
  await pane.type('echoed\n');
  await pane.expectText(/echoed\nechoed/);
  await pane.press('Control+c');
  await pane.run('echo status $?');
  await pane.expectLine('status 130');
});
