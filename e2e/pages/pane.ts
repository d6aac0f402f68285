import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { FOLDER_TARGETS } from '../../shared/terminal/inside.ts';
import { expect } from '../harness/expect.ts';

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

  get header(): Locator {
    return this.root.locator('.pane-header');
  }

  get rows(): Locator {
    return this.root.locator('.xterm-rows > div');
  }

  /** How the session ended; absent while it runs. */
  get ending(): Locator {
    return this.root.getByRole('region', { name: 'How the session ended' });
  }

  /** The find bar. */
  get find(): Locator {
    return this.root.locator('[data-find]');
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

  /**
   * Gives a command in one piece, as an input method does, and Enter. What is about keys has `type` and `press`. The first
   * letter is a key: xterm takes nothing from an input method while it believes that a key is down, and a chord that moved
   * the focus away leaves it in that belief.
   */
  async run(command: string): Promise<void> {
    await this.type(command.slice(0, 1));
    await this.page.keyboard.insertText(command.slice(1));
    await this.page.keyboard.press('Enter');
  }

  /** The screen's rows as text, blank ends cut. */
  async screen(): Promise<string[]> {
    const rows = await this.rows.allTextContents();
    return rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd());
  }

  /** The screen's rows without the blank ones. */
  async text(): Promise<string[]> {
    return (await this.screen()).filter((row) => row !== '');
  }

  /** Waits until the session is in this state, in the word of the pane. */
  async expectState(state: 'opening' | 'running' | 'suspended' | 'ended' | 'failed' | 'lost'): Promise<void> {
    await expect(this.root).toHaveAttribute('data-session-state', state);
  }

  /** Columns and rows as the status line says them. The pane must be the active one. */
  async size(): Promise<{ cols: number; rows: number }> {
    const text = await this.page.locator('.status-size').textContent();
    const [cols, rows] = (text ?? '').split(' × ').map(Number);
    return { cols: cols ?? Number.NaN, rows: rows ?? Number.NaN };
  }

  /** Waits until a row of the screen is exactly this, or matches; `timeout` in milliseconds, where not the usual one. */
  async expectLine(line: string | RegExp, timeout?: number): Promise<void> {
    const matches = (row: string) => (typeof line === 'string' ? row === line : line.test(row));
    await expect
      .poll(async () => (await this.screen()).some(matches), {
        message: `a row of the screen is ${line}`,
        ...(timeout === undefined ? {} : { timeout }),
      })
      .toBe(true);
  }

  /**
   * Waits until the terminal fills its pane with the size that the status line says, and resolves to that; it comes a while after
   * the window changed.
   */
  async expectFits(): Promise<{ cols: number; rows: number }> {
    let size = await this.size();
    await expect(async () => {
      size = await this.size();
      expect(await this.rows.count()).toBe(size.rows);
      const room = await this.root.locator('.terminal-host').evaluate((element) => {
        const [host, screen] = [element, element.querySelector('.xterm-screen')].map((one) =>
          one?.getBoundingClientRect(),
        );
        return {
          right: (host?.right ?? Number.NaN) - (screen?.right ?? Number.NaN),
          below: (host?.bottom ?? Number.NaN) - (screen?.bottom ?? Number.NaN),
        };
      });
      for (const pixels of Object.values(room)) {
        expect(pixels).toBeGreaterThanOrEqual(0);
        expect(pixels).toBeLessThan(30);
      }
    }).toPass();
    return size;
  }

  /**
   * Waits until the terminal fills its pane and the shell in it says the same size as the status line. What the shell says is
   * told from what it said before by `name`.
   */
  async expectFilled(name: string): Promise<void> {
    await expect(async () => {
      const { cols, rows } = await this.expectFits();
      await this.run(`echo "${name}: $(stty size)"`);
      await this.expectLine(`${name}: ${rows} ${cols}`, 3_000);
    }).toPass();
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
      .poll(async () => (await this.screen()).findLast((row) => row !== '') ?? '', {
        message: 'a prompt',
      })
      .toMatch(/[$#]$/);
  }

  /**
   * Starts a program that takes every byte of its input and keeps it in the scratch folder; `before` is what it first
   * prints, as an argument of printf. Resolves to what reads the bytes so far, as Latin-1.
   */
  async recordInput(scratch: string, before = ''): Promise<() => Promise<string>> {
    await this.run(`stty raw -echo; printf '${before}'; echo READY; cat > ${FOLDER_TARGETS.scratch}/typed`);
    await this.expectLine('READY');
    return async () => {
      try {
        return await readFile(join(scratch, 'typed'), 'latin1');
      } catch {
        return '';
      }
    };
  }

  /** Where the text stands on the screen, in pixels of the page: the middle of its first occurrence. */
  async placeOf(text: string): Promise<{ x: number; y: number }> {
    await this.expectText(text);
    return this.rows.evaluateAll((rows, wanted) => {
      for (const row of rows) {
        const at = (row.textContent ?? '').replaceAll('\u00a0', ' ').indexOf(wanted);
        if (at < 0) continue;
        const box = row.getBoundingClientRect();
        const range = document.createRange();
        const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
        for (let before = 0, node = walker.nextNode(); node; node = walker.nextNode()) {
          const length = node.textContent?.length ?? 0;
          if (at < before + length) {
            range.setStart(node, at - before);
            range.setEnd(node, at - before + 1);
            const first = range.getBoundingClientRect();
            return { x: first.left + (first.width * wanted.length) / 2, y: box.top + box.height / 2 };
          }
          before += length;
        }
      }
      throw new Error(`“${wanted}” is not on the screen.`);
    }, text);
  }

  /** Ctrl-click on a text of the screen, after the pointer came to rest there. */
  async ctrlClick(text: string): Promise<void> {
    const { x, y } = await this.placeOf(text);
    await this.page.mouse.move(x, y - 1);
    await this.page.mouse.move(x, y);
    await this.page.keyboard.down('Control');
    await this.page.mouse.click(x, y);
    await this.page.keyboard.up('Control');
  }
}
