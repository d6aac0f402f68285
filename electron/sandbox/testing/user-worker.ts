/**
 * Runs a shell script as a worker's program as another user, and prints what came of it as one line of JSON. Arguments: the
 * user to become or nothing, and the script. The worker has `in.txt` for reading, `out.txt` for writing, and files of at most
 * 10 bytes.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profileSchema } from '../../../shared/settings/schema.ts';
import { BubblewrapEngine } from '../bubblewrap/engine.ts';
import { become } from './become.ts';

const [user = '', script = ''] = process.argv.slice(2);
become(user);
const folder = mkdtempSync(join(tmpdir(), 'airlock-user-worker-'));
const staged = { input: join(folder, 'input'), output: join(folder, 'output') };
writeFileSync(staged.input, 'input\n');
chmodSync(staged.input, 0o444);
writeFileSync(staged.output, '');
chmodSync(staged.output, 0o666);
const engine = new BubblewrapEngine({ privateFolders: [folder] });
const profile = profileSchema.parse({ id: 'test', name: 'Test', command: ['/bin/sh', '-c', script] });
const worker = {
  files: [
    { source: staged.input, target: 'in.txt', access: 'read-only' },
    { source: staged.output, target: 'out.txt', access: 'read-write' },
  ],
  fileMaxBytes: 10,
} as const;
const spec = { sessionId: 'test', profile, project: null, worker };
const terminal = await engine.open(spec, { cols: 80, rows: 24 }, new AbortController().signal);
const chunks: Uint8Array[] = [];
terminal.onOutput((chunk) => chunks.push(chunk.slice()));
await terminal.write(Buffer.from('typed\n'));
await terminal.ended;
const { removed } = await terminal.release();
const lines = Buffer.concat(chunks).toString().split('\r\n').filter(Boolean);
const output = readFileSync(staged.output, 'utf8');
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ lines, output, removed }));
