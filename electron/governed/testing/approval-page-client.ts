import { APPROVAL } from '../../../shared/governed/limits.ts';

/** The approval page as a person uses it: reads to the end, waits until it is armed, decides. */
export class ApprovalPageClient {
  readonly #origin: string;
  readonly #key: string;
  #decided = '';

  constructor({ origin, key }: { origin: string; key: string }) {
    this.#origin = origin;
    this.#key = key;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the answers are validated by what the tests expect of them.
  async ask(verb: string, params: unknown): Promise<any> {
    const answer = await fetch(`${this.#origin}/api/${verb}`, {
      method: 'POST',
      headers: {
        Origin: this.#origin,
        'Content-Type': 'application/json',
        Authorization: `Bearer ${this.#key}`,
      },
      body: JSON.stringify(params),
    });
    return answer.json();
  }

  async shown() {
    for (let after: number | null = null; ; ) {
      const { value } = await this.ask('list', { after });
      const [first] = value.waiting;
      if (first !== undefined && first.id !== this.#decided)
        return (await this.ask('show', { id: first.id })).value;
      after = value.revision;
    }
  }

  async approve() {
    const { id, digest, viewing, payload } = await this.shown();
    this.#decided = id;
    await this.ask('arm', { id, digest, viewing, ready: true });
    await new Promise((resolve) => setTimeout(resolve, APPROVAL.armMs + 50));
    return { payload: JSON.parse(payload), answer: await this.ask('approve', { id, digest, viewing }) };
  }

  async deny(reason: string) {
    const { id, digest } = await this.shown();
    return this.ask('deny', { id, digest, reason });
  }
}
