/**
 * A host that opens one session, says what it was as JSON, and stays until it is killed. Arguments: the address of a server
 * with a machine "dev", and a data folder.
 */
import { profileSchema } from '../../../../shared/settings/schema.ts';
import { SmolvmEngine } from '../engine.ts';
import { MemoryTokens } from './memory-tokens.ts';

const [address = '', dataDir = ''] = process.argv.slice(2);
const engine = new SmolvmEngine({ dataDir, tokens: new MemoryTokens() });
const profile = profileSchema.parse({
  ...{ id: 'vm', name: 'VM', engine: 'smolvm', command: ['/bin/sh'] },
  smolvm: { address, machine: 'dev' },
});
const spec = { sessionId: 'lone', profile, project: null };
const terminal = await engine.open(spec, { cols: 80, rows: 24 }, new AbortController().signal);
terminal.onOutput(() => {});
console.log(JSON.stringify(terminal.identity));
