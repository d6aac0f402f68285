import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes/lib/addon-unicode-graphemes.mjs';
import headless from '@xterm/headless';
import { joinGraphemesWith } from '../../../../shared/terminal/bounded-graphemes.ts';
import { boundRequests } from '../../../../shared/terminal/bounded-requests.ts';
import { ProgramColours } from '../../../../shared/terminal/program-colours.ts';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { REPLAY_SIZE_MAX, SNAPSHOT } from '../../../../shared/transcripts/limits.ts';
import type { Core, ScreenBuffer } from './internals.ts';

const GROUND = 0;

/**
 * A terminal without a screen that shows what the player's shows: same widths of characters, same number of lines above
 * the screen. Writes take effect at once.
 */
export class ReplayTerminal {
  readonly core: Core;
  readonly colours: ProgramColours;
  readonly #terminal: InstanceType<typeof headless.Terminal>;

  constructor(size: TerminalSize) {
    this.#terminal = new headless.Terminal({
      ...replaySize(size),
      scrollback: SNAPSHOT.scrollbackLines,
      allowProposedApi: true,
      logLevel: 'off',
    });
    boundRequests(this.#terminal);
    joinGraphemesWith(new UnicodeGraphemesAddon(), this.#terminal);
    this.colours = new ProgramColours(this.#terminal);
    this.core = (this.#terminal as unknown as { _core: Core })._core;
  }

  get size(): TerminalSize {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  get normal(): ScreenBuffer {
    return this.core._bufferService.buffers.normal;
  }

  get alternate(): ScreenBuffer {
    return this.core._bufferService.buffers.alt;
  }

  get active(): ScreenBuffer {
    return this.core._bufferService.buffers.active;
  }

  get isAlternate(): boolean {
    return this.active === this.alternate;
  }

  /** Between two sequences, so that what comes next means the same to a terminal that saw nothing before. */
  get isAtGround(): boolean {
    return this.core._inputHandler._parser.currentState === GROUND;
  }

  /** Whether the last thing was a character: what follows may join it, or repeat it. */
  get isAfterCharacter(): boolean {
    return this.core._inputHandler._parser.precedingJoinState !== 0;
  }

  get parser(): InstanceType<typeof headless.Terminal>['parser'] {
    return this.#terminal.parser;
  }

  write(text: string): void {
    if (text !== '') this.core.writeSync(text);
  }

  resize(size: TerminalSize): void {
    const { cols, rows } = replaySize(size);
    this.#terminal.resize(cols, rows);
  }

  dispose(): void {
    this.colours.dispose();
    this.#terminal.dispose();
  }
}

/** A recorded size as it is replayed: a program or a foreign file may name one that no memory holds. */
export function replaySize({ cols, rows }: TerminalSize): TerminalSize {
  // xterm draws nothing narrower than two columns.
  return {
    cols: Math.min(Math.max(cols, 2), REPLAY_SIZE_MAX.cols),
    rows: Math.min(Math.max(rows, 1), REPLAY_SIZE_MAX.rows),
  };
}
