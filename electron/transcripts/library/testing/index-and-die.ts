/** Indexes a folder of transcripts until somebody kills it; says so once the first snapshot is stored. */
import { DatabaseSync } from 'node:sqlite';
import { indexPath } from '../index/index-file.ts';
import { IndexKeeper } from '../index/index-keeper.ts';

const [folder = ''] = process.argv.slice(2);
let told = false;
const keeper = new IndexKeeper({
  folder,
  changed: () => {
    if (told) return;
    const database = new DatabaseSync(indexPath(folder), { readOnly: true });
    const row = database.prepare('SELECT count(*) AS count FROM snapshots').get();
    database.close();
    if (Number(row?.['count']) < 2) return;
    told = true;
    console.log('indexing');
  },
  report: console.error,
});
await keeper.idle();
