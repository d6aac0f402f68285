import { CATALOGUE, type CommandInfo } from './catalogue.ts';

/** What a command does. `enabled` says whether it means anything now; without it, it always does. */
export interface Action {
  readonly run: () => void;
  readonly enabled?: () => boolean;
}

export type Actions = Readonly<Record<string, Action>>;

/** Every command with what it does. The palette, the key map and the native menu run commands through it alone. */
export class CommandRegistry {
  readonly #actions: Actions;
  #recent: readonly string[] = [];

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  enabled(id: string): boolean {
    if (!Object.hasOwn(this.#actions, id)) return false;
    return this.#actions[id]?.enabled?.() ?? true;
  }

  /** False when there is no such command or it means nothing now. */
  run(id: string): boolean {
    if (!this.enabled(id)) return false;
    this.#actions[id]?.run();
    return true;
  }

  /** Runs a command chosen by name, which then comes first next time. */
  runChosen(id: string): boolean {
    if (!this.run(id)) return false;
    this.#recent = [id, ...this.#recent.filter((other) => other !== id)].slice(0, RECENT_MAX);
    return true;
  }

  /** The commands that mean something now: recently chosen ones first, then in the catalogue's order. */
  available(): CommandInfo[] {
    const place = (command: CommandInfo) => {
      const index = this.#recent.indexOf(command.id);
      return index < 0 ? RECENT_MAX : index;
    };
    return CATALOGUE.filter((command) => this.enabled(command.id)).toSorted((a, b) => place(a) - place(b));
  }
}

/** Commands remembered as recently chosen, for as long as the page lives. */
const RECENT_MAX = 8;
