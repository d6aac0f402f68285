import type { Result } from '../../shared/result.ts';
import { fail, ok } from '../../shared/result.ts';
import type { Client } from '../connection/client.ts';

/** What the host says of a folder for files: its path, or why it cannot be used. */
type FolderAnswer = Result<string, string>;

/** The questions of one field. Only the last one counts: an answer to any other changes nothing, whenever it comes. */
export class FolderQuestions {
  readonly #client: Pick<Client, 'request'>;
  #last: { readonly path: string } | null = null;

  constructor(client: Pick<Client, 'request'>) {
    this.#client = client;
  }

  /** The folder that the host is looking at for this field. */
  get underWay(): string | null {
    return this.#last?.path ?? null;
  }

  /** Resolves to null when the question was dropped, or another one asked, before the answer came. */
  async ask(path: string): Promise<FolderAnswer | null> {
    const question = { path };
    this.#last = question;
    const answer = await this.#client.request('folder.check', { path, use: 'files' });
    if (this.#last !== question) return null;
    this.#last = null;
    if (!answer.ok) return fail(answer.error.message);
    return answer.value.usable ? ok(answer.value.path) : fail(answer.value.reason);
  }

  drop(): void {
    this.#last = null;
  }
}
