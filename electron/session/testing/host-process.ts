/**
 * A host that can be killed: `node host-process.ts LEDGER_FOLDER MARKER`. Opens and ends sessions whose processes all
 * sleep for MARKER seconds, some of them as daemons and some deaf to SIGHUP and SIGTERM, until it is killed. Prints a
 * line for each session that is open.
 */
import { BubblewrapEngine } from '../../sandbox/bubblewrap/engine.ts';
import { SessionRegistry } from '../session-registry.ts';
import { RecordingSink } from './recording-sink.ts';
import { shellProfile } from './shell-profile.ts';

const [ledgerFolder, marker] = process.argv.slice(2) as [string, string];
const script = `setsid -f sleep ${marker}; (trap '' HUP TERM; sleep ${marker}) & echo up; exec sleep ${marker}`;
const profile = shellProfile(['/bin/bash', '-c', script]);
const engine = new BubblewrapEngine({ privateFolders: [ledgerFolder] });
const registry = new SessionRegistry({ engines: new Map([['bubblewrap', engine]]), ledgerFolder });

async function openAndEnd(): Promise<void> {
  for (;;) {
    const sink = new RecordingSink();
    const size = { cols: 80, rows: 24 };
    const signal = new AbortController().signal;
    const opened = await registry.open({ profile, project: null, size, principal: 'client', sink, signal });
    if (!opened.ok) throw new Error(opened.error.message);
    await sink.until(() => sink.text.includes('up'));
    console.log(opened.value.id);
    opened.value.end('user');
    await opened.value.closed;
  }
}

await Promise.all([openAndEnd(), openAndEnd(), openAndEnd()]);
