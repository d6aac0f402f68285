import { expect, type Locator, type Page } from '@playwright/test';

/** One pane: a terminal with its header and what stands over it. */
export class Pane {
  readonly page: Page;
  readonly root: Locator;

  constructor(page: Page, root: Locator) {
    this.page = page;
    this.root = root;
  }

  get input(): Locator {
    return this.root.locator('.xterm-helper-textarea');
  }

  get rows(): Locator {
    return this.root.locator('.xterm-rows > div');
  }

  /** How the session ended; absent while it runs. */
  get ending(): Locator {
    return this.root.getByRole('region', { name: 'How the session ended' });
  }

  /** A strip over the terminal's foot, by its `data-strip` name. */
  strip(name: 'close' | 'paste' | 'clipboard' | 'link' | 'message' | 'escape-help' | 'suspended'): Locator {
    return this.root.locator(`[data-strip="${name}"]`);
  }

  async focus(): Promise<void> {
    await this.input.focus();
  }

  /** Types key by key, as a person does. A line feed is Enter. */
  async type(text: string): Promise<void> {
    await this.focus();
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) await this.page.keyboard.press('Enter');
      await this.page.keyboard.type(line);
    }
  }

  async press(...keys: string[]): Promise<void> {
    await this.focus();
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Types a command and Enter. */
  async run(command: string): Promise<void> {
    await this.type(`${command}\n`);
  }

  /** The screen's rows as text, blank ends cut. */
  async screen(): Promise<string[]> {
    const rows = await this.rows.allTextContents();
    return rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd());
  }

  /** Columns and rows as the status line says them. The pane must be the active one. */
  async size(): Promise<{ cols: number; rows: number }> {
    const text = await this.page.locator('.status-size').textContent();
    const [cols, rows] = (text ?? '').split(' × ').map(Number);
    return { cols: cols ?? Number.NaN, rows: rows ?? Number.NaN };
  }

  /** Waits until a row of the screen is exactly this, or matches. */
  async expectLine(line: string | RegExp): Promise<void> {
    const matches = (row: string) => (typeof line === 'string' ? row === line : line.test(row));
    await expect
      .poll(async () => (await this.screen()).some(matches), { message: `a row of the screen is ${line}` })
      .toBe(true);
  }

  /** Waits until the screen's text contains this. Rows are joined with line feeds. */
  async expectText(text: string | RegExp): Promise<void> {
    const assertion = expect.poll(async () => (await this.screen()).join('\n'));
    if (typeof text === 'string') await assertion.toContain(text);
    else await assertion.toMatch(text);
  }

  /** Waits until the last row with text is a shell's prompt. */
  async expectPrompt(): Promise<void> {
    await expect
      .poll(async () => (await this.screen()).findLast((row) => row !== '') ?? '', { message: 'a prompt' })
      .toMatch(/[$#]$/);
  }
}
