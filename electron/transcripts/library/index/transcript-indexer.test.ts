import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { segmentName } from '../../cast/segments.ts';
import { TestTranscripts } from '../testing/recordings.ts';
import { Aside } from './aside/aside.ts';
import { openIndexToWrite } from './index-file.ts';
import { IndexStore } from './index-store.ts';
import { TranscriptIndexer } from './transcript-indexer.ts';

let transcripts: TestTranscripts;
beforeEach(() => {
  transcripts = new TestTranscripts();
});
afterEach(() => transcripts.dispose());

it('says that it came to the end only when what has come meanwhile is in the index too', () => {
  const id = transcripts.add(Array.from({ length: 10 }, (_, n) => `line ${n}\r\n`));
  const folder = join(transcripts.folder, id);
  const { size } = statSync(join(folder, segmentName(1)));
  const { database } = openIndexToWrite(transcripts.folder);
  const aside = new Aside(transcripts.folder);
  const indexer = new TranscriptIndexer(new IndexStore(database, aside), id, folder);
  // Cut off by its deadline, and the recording grows before it goes on.
  expect(indexer.step(size / 2, 0)).toBe(null);
  expect(indexer.step(size, Number.POSITIVE_INFINITY)).toBe(size / 2);
  expect(indexer.step(size, Number.POSITIVE_INFINITY)).toBe(size);
  expect(indexer.position).toBe(size);
  indexer.dispose();
  aside.dispose();
  database.close();
});
