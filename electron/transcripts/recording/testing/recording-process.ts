/**
 * A host that can be killed: `node recording-process.ts FOLDER ID`. Records numbered lines until it is killed, and prints how
 * many bytes are written whenever it hears of it.
 */
import { profileSchema } from '../../../../shared/settings/schema.ts';
import { plannedPosture } from '../../../governed/planned-posture.ts';
import { Recordings } from '../recordings.ts';

const [folder, id] = process.argv.slice(2) as [string, string];
const recordings = new Recordings({ folder });
const profile = profileSchema.parse({ id: 'shell', name: 'Shell' });
recordings.onProgress(({ bytes }) => console.log(bytes));
const recording = recordings.start({
  ...{ id, kind: 'shell', title: 'Shell', profile, posture: plannedPosture(profile) },
  size: { cols: 80, rows: 24 },
});
let line = 0;
setInterval(() => {
  for (let count = 0; count < 50; count += 1) {
    line += 1;
    recording.output(Buffer.from(`${line} \xff\n`, 'latin1'));
  }
}, 1);
