/**
 * A host that can be killed: `node host-process.ts LEDGER_FOLDER MARKER`. Starts a worker with a daemon, both deaf to SIGHUP
 * and SIGTERM and with MARKER in their arguments, prints a line when they run, and waits.
 */
import { profileSchema } from '../../../../shared/settings/schema.ts';
import { BubblewrapEngine } from '../../../sandbox/bubblewrap/engine.ts';
import { SessionLedger } from '../../../session/session-ledger.ts';
import { SandboxWorkers } from '../sandbox-workers.ts';

const [folder = '', marker = ''] = process.argv.slice(2);
const engine = new BubblewrapEngine({ privateFolders: [folder] });
const workers = new SandboxWorkers({
  engines: new Map([['bubblewrap', engine]]),
  ledger: new SessionLedger(folder),
});
const deaf = `trap "" HUP TERM; while :; do sleep 1; done`;
const worker = await workers.start(
  {
    sessionId: 'session-lost',
    argv: ['/bin/sh', '-c', `setsid sh -c '${deaf}' ${marker} & echo up; ${deaf}`, marker],
    profile: profileSchema.parse({ id: 'test', name: 'Test' }),
    mounts: [],
    fileMaxBytes: null,
  },
  new AbortController().signal,
);
worker.onOutput((bytes) => process.stdout.write(bytes));
await worker.ended;
