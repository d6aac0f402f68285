/**
 * A host that does nothing but open sandboxes, one after the other, until it is killed. Arguments: a marker that
 * every process of its sandboxes carries, and the user to become, or nothing. Says "opening" before the first.
 */
import { profileSchema } from '../../../shared/settings/schema.ts';
import { BubblewrapEngine } from '../bubblewrap/engine.ts';
import { become } from './become.ts';

const [marker = '', user = ''] = process.argv.slice(2);
become(user);
const engine = new BubblewrapEngine({ privateFolders: [] });
const program = `(setsid sh -c ": ${marker}; trap '' HUP TERM; while :; do sleep 1; done" &); : ${marker}; exec sleep 1000`;
const profile = profileSchema.parse({ id: 'test', name: 'Test', command: ['/bin/bash', '-c', program] });
console.log('opening');
for (let n = 0; n < 20; n++) {
  const spec = { sessionId: `${n}`, profile, project: null };
  await engine.open(spec, { cols: 80, rows: 24 }, new AbortController().signal);
}
