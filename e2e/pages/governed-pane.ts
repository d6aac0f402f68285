import type { Locator } from '@playwright/test';
import { expect } from '../harness/expect.ts';
import { Pane } from './pane.ts';

/** A pane of a governed session: its terminal is watched, its command bar is worked with. */
export class GovernedPane extends Pane {
  get bar(): Locator {
    return this.root.locator('[data-command-bar]');
  }

  get line(): Locator {
    return this.bar.getByRole('textbox', { name: 'Command text' });
  }

  /** A command's chip, by its name. */
  command(name: string): Locator {
    return this.bar.getByRole('radio', { name: new RegExp(`^${name}( ·|$)`) });
  }

  /** The button that runs what stands in the bar, by what it says that it does. */
  button(name: string): Locator {
    return this.bar.getByRole('button', { name, exact: true });
  }

  /** The exact line that will be sent, or why none will be. */
  get sent(): Locator {
    return this.bar.locator('.command-sent');
  }

  /** What came of the last command; stays after the session's end. */
  get outcome(): Locator {
    return this.root.locator('[data-outcome]');
  }

  get held(): Locator {
    return this.root.locator('[data-strip="held"]');
  }

  /** Fills the line in and runs it by Enter, as soon as the host has said what it sends. */
  async send(text: string): Promise<void> {
    await this.line.fill(text);
    await expect(this.sent).toContainText('Sends');
    await this.line.press('Enter');
  }

  /** Chooses the command, sends the text, and waits for its answer. */
  async call(command: string, text: string): Promise<void> {
    await this.command(command).click();
    await this.send(text);
    await expect(this.outcome).toContainText(`${command} answered`);
  }
}
