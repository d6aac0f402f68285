import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where publication keeps its files: `staging` of live sessions, emptied at every start; `sealed` until published. */
export interface DataFolders {
  readonly dataDir: string;
  readonly staging: string;
  readonly sealed: string;
}

export async function makeDataFolders(dataDir: string): Promise<DataFolders> {
  const folders = { dataDir, staging: join(dataDir, 'staging'), sealed: join(dataDir, 'sealed') };
  await mkdir(folders.staging, { recursive: true, mode: 0o700 });
  await mkdir(folders.sealed, { recursive: true, mode: 0o700 });
  return folders;
}
