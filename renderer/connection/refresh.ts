/**
 * Asks the host for something anew. Asked while an answer is on its way, it asks once more after it: the last question
 * is always younger than the last change, and a burst of changes is two questions.
 */
export class Refresh {
  readonly #load: () => Promise<void>;
  #running: Promise<void> | null = null;
  #again = false;

  /** `load` must not reject. */
  constructor(load: () => Promise<void>) {
    this.#load = load;
  }

  /** Resolves when an answer to a question that was asked after this call has been taken in. */
  async ask(): Promise<void> {
    if (this.#running !== null) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#run();
    await this.#running;
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      await this.#load();
    } while (this.#again);
    this.#running = null;
  }
}
