import { SerializeAddon } from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import type { TerminalSize } from '../../../../shared/terminal/size.ts';
import { readEvents } from '../../cast/reader.ts';

/** A terminal that nobody sees; everything happens in the order of the calls. */
export class ShownTerminal {
  readonly #terminal: headless.Terminal;
  readonly #serialize = new SerializeAddon();
  #last: Promise<void> = Promise.resolve();

  constructor({ cols, rows }: TerminalSize) {
    this.#terminal = new headless.Terminal({ cols, rows, allowProposedApi: true, scrollback: 1_000 });
    // The add-on is of the terminal that draws; it uses what both have.
    this.#terminal.loadAddon(this.#serialize as unknown as headless.ITerminalAddon);
  }

  write(bytes: Uint8Array): void {
    const own = Uint8Array.from(bytes);
    this.#then(() => new Promise((resolve) => this.#terminal.write(own, resolve)));
  }

  resize({ cols, rows }: TerminalSize): void {
    this.#then(() => this.#terminal.resize(cols, rows));
  }

  /** Size, screen, scrollback and modes. */
  async state(): Promise<string> {
    await this.#last;
    const { cols, rows, buffer } = this.#terminal;
    return `${cols}x${rows} ${buffer.active.type}\n${this.#serialize.serialize()}`;
  }

  #then(step: () => Promise<void> | void): void {
    this.#last = this.#last.then(step);
  }
}

/** What straight play of a recording shows at its end. */
export async function replayed(folder: string): Promise<string> {
  let terminal: ShownTerminal | null = null;
  for (const event of readEvents(folder)) {
    if (event.kind === 'header') terminal ??= new ShownTerminal(event.header.term);
    if (event.kind === 'output') terminal?.write(event.bytes ?? Buffer.from(event.text));
    if (event.kind === 'resize') terminal?.resize(event.size);
  }
  return terminal?.state() ?? '';
}
