import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { transcriptIdSchema } from '../../../shared/transcripts/transcript.ts';
import { type OpenIndex, openIndexToRead } from '../library/index/index-file.ts';
import { IndexKeeper } from '../library/index/index-keeper.ts';
import { Catalogue } from '../library/query/catalogue.ts';
import { IndexReader } from '../library/query/index-reader.ts';

/** Of a data folder. */
export function transcriptsFolder(dataDir: string): string {
  return join(dataDir, 'transcripts');
}

/** Of the recordings that there are. */
export function transcriptIds(dataDir: string): string[] {
  const folder = transcriptsFolder(dataDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => transcriptIdSchema.safeParse(name).success);
}

/**
 * The transcripts of a data folder, whether a host runs on it or not. A host that runs keeps the index, and it is only read;
 * without one what is missing in it is made first, which `waiting` is told when it takes a while. Throws when it cannot be
 * read. A folder in which nothing was ever recorded stays as it is: null.
 */
export async function withCatalogue<T>(
  dataDir: string,
  waiting: () => void,
  use: (catalogue: Catalogue) => T,
): Promise<T | null> {
  const folder = transcriptsFolder(dataDir);
  if (!existsSync(folder)) return null;
  const problem = await bringUpToDate(folder, waiting);
  const { database } = openIndex(folder, problem);
  try {
    return use(new Catalogue(new IndexReader(database), folder));
  } finally {
    database.close();
  }
}

const PATIENCE_MS = 1_000;

function openIndex(folder: string, problem: string | null): OpenIndex {
  try {
    return openIndexToRead(folder);
  } catch (error) {
    throw problem === null ? error : new Error(problem);
  }
}

/** Answers what kept it from that, in words for a person. */
async function bringUpToDate(folder: string, waiting: () => void): Promise<string | null> {
  const patience = setTimeout(waiting, PATIENCE_MS);
  let keeper: IndexKeeper | null = null;
  try {
    // What fails here shows when the index is read.
    keeper = new IndexKeeper({ folder, changed: () => {}, report: () => {} });
    await keeper.idle();
    return keeper.failure;
  } catch {
    // A folder that can only be read may still have a whole index.
    return null;
  } finally {
    clearTimeout(patience);
    keeper?.dispose();
  }
}
