import type { BrowserContext, Page } from '@playwright/test';
import type { RecordedCall } from './control.ts';

export interface LaunchOptions {
  /** Settings, window state and session records of this run; the second of two runs on one folder is refused. */
  readonly dataDir: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running desktop Airlock: the double and real Electron are driven alike. */
export interface LaunchedDesktop {
  readonly kind: 'double' | 'electron';
  readonly pid: number;
  /** The page of the first window. */
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the main process asked of the desktop so far, by name; the names are those of native-parts.ts. */
  calls(name: string): Promise<readonly RecordedCall[]>;
  /** The pages of all open windows. */
  windows(): Page[];
  /** Picks an item of the application menu by its labels, e.g. `('File', 'New Tab')`. */
  clickMenu(...labels: string[]): Promise<void>;
  /** The next message box is answered with the button of this label; without an answer, as Escape would. */
  answerMessageBox(label: string): Promise<void>;
  /** The next folder dialog chooses this folder; without an answer it is cancelled. */
  answerFolderDialog(path: string): Promise<void>;
  /** Presses the close button of the window that was opened or used last. */
  closeWindow(): Promise<void>;
  /** Ends the renderer of that window, as a crash would. */
  crashPage(): Promise<void>;
  /** Asks the application to quit, as its menu does. */
  quit(): Promise<void>;
  /**
   * Starts the program once more on the same data folder, as its icon would. Resolves with the exit code of that second
   * process.
   */
  startAgain(args?: readonly string[]): Promise<number | null>;
  /** Resolves with the exit code when the process has ended. */
  readonly exited: Promise<number | null>;
  /** What the process wrote on stderr so far. */
  stderr(): string;
  /** Ends whatever still runs. */
  close(): Promise<void>;
}
