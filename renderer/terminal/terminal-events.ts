import type { LinkVerdict } from '../../shared/terminal/link-policy.ts';
import type { PasteQuestion } from '../../shared/terminal/paste.ts';
import type { TerminalSize } from '../../shared/terminal/size.ts';

/** A link on the screen: what it says, where it really goes, and what the policy says about that (B14). */
export interface TerminalLink {
  /** The text that the program shows for it. */
  readonly label: string;
  /** The target as the program wrote it; show `verdict.href` where there is one. */
  readonly target: string;
  readonly verdict: LinkVerdict;
}

/** Where the pointer is over a link, in pixels of the page. */
export interface LinkHover extends TerminalLink {
  readonly x: number;
  readonly y: number;
}

export interface PasteConfirmation extends PasteQuestion {
  /** Sends the text, framed for what the program asks for by then. */
  accept(): void;
}

/** A program wants to set the clipboard and its profile says `ask` (B13). */
export interface ClipboardConfirmation {
  readonly text: string;
  /** Null when done, else why not, for a person. */
  accept(): Promise<string | null>;
}

export interface FindResults {
  /** 0-based; -1 when there are more matches than are counted, or none. */
  readonly index: number;
  readonly count: number;
}

/** What a terminal view tells its pane. Texts that come from the program are cleaned, but never markup. */
export interface TerminalEvents {
  /** Cleaned and rate-limited; empty when the program took its title back (B15). */
  title: string;
  bell: undefined;
  focusChanged: boolean;
  selectionChanged: boolean;
  /** A new size, already told to the session that runs here. */
  sizeChanged: TerminalSize;
  /** A person activated a link; `verdict` may refuse it. Nothing has been opened. */
  linkRequested: TerminalLink;
  linkHovered: LinkHover | null;
  pasteNeedsConfirmation: PasteConfirmation;
  clipboardWriteRequested: ClipboardConfirmation;
  /** A program set the clipboard, as its profile allows. */
  clipboardWritten: { readonly chars: number };
  findResults: FindResults;
  /** A key or paste that went nowhere because input is held: the session is suspended. */
  heldInput: undefined;
  /** Something a person did had no effect; the words say why. */
  refused: string;
}
