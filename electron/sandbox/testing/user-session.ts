/**
 * Runs one program in a sandbox as another user, and prints what came of it as one line of JSON. Arguments: the user
 * to become or nothing, and the program. Bounds the processes to 20, and has
 * /usr/share as its project folder. When the program asks for it by writing "break", it gets a BREAK.
 */
import { profileSchema } from '../../../shared/settings/schema.ts';
import { BubblewrapEngine } from '../bubblewrap/engine.ts';
import { become } from './become.ts';

const [user = '', ...command] = process.argv.slice(2);
become(user);
const engine = new BubblewrapEngine({ privateFolders: [] });
const profile = profileSchema.parse({ id: 'test', name: 'Test', command, limits: { processes: 20 } });
const spec = { sessionId: 'test', profile, project: '/usr/share' };
const terminal = await engine.open(spec, { cols: 133, rows: 41 }, new AbortController().signal);
const chunks: Uint8Array[] = [];
terminal.onOutput((chunk) => {
  chunks.push(chunk.slice());
  if (Buffer.from(chunk).includes('break')) void terminal.sendBreak();
});
const outcome = await terminal.ended;
const { removed } = await terminal.release();
const lines = Buffer.concat(chunks).toString().split('\r\n').filter(Boolean);
console.log(
  JSON.stringify({ lines, outcome, removed, limits: terminal.posture.limits, probe: await engine.probe() }),
);
