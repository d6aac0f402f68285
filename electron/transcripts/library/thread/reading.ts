import { isDamage, isReplaced, type OpenIndex, openIndexToRead } from '../index/index-file.ts';
import { Catalogue } from '../query/catalogue.ts';
import { IndexReader } from '../query/index-reader.ts';
import type { Failure } from './calls.ts';

export class IndexMissing extends Error {}

/** The reading end of the index: opens it when it is asked, and anew when another file has taken its place. */
export class Reading {
  readonly #folder: string;
  #index: OpenIndex | null = null;
  #catalogue: Catalogue | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws IndexMissing, and what SQLite says of a damaged index. */
  get calls(): Catalogue {
    if (this.#index !== null && isReplaced(this.#folder, this.#index)) this.close();
    if (this.#catalogue !== null) return this.#catalogue;
    try {
      this.#index = openIndexToRead(this.#folder);
    } catch (error) {
      throw isDamage(error) ? error : new IndexMissing((error as Error).message);
    }
    this.#catalogue = new Catalogue(new IndexReader(this.#index.database), this.#folder);
    return this.#catalogue;
  }

  /** What a failed call leaves open may be of no use. */
  close(): void {
    this.#catalogue = null;
    this.#index?.database.close();
    this.#index = null;
  }
}

export function failureOf(error: unknown): Failure {
  const { message } = error as Error;
  if (error instanceof IndexMissing) return { kind: 'missing', message };
  return { kind: isDamage(error) ? 'damaged' : 'other', message };
}
