/**
 * A host that opens one session, says what it was as JSON when the session has said "started", and stays until it is
 * killed. Arguments: a subject's name, what that subject's `engineFor` takes, and the script.
 */
import { profileSchema } from '../../../../shared/settings/schema.ts';
import { SIZE } from './conformance-bench.ts';
import { engineFor } from './lone-engines.ts';

const [name = '', ...rest] = process.argv.slice(2);
const script = rest.pop() ?? '';
const { engine, profile, shell } = await engineFor(name, rest);
const whole = profileSchema.parse({
  ...{ id: 'conformance', name: 'Conformance', engine: engine.kind },
  ...profile,
  command: [...shell, '-c', script],
});
const spec = { sessionId: `conformance-${process.pid}-host`, profile: whole, project: null };
const terminal = await engine.open(spec, SIZE, new AbortController().signal);
let shown = '';
terminal.onOutput((bytes) => {
  shown += Buffer.from(bytes).toString('latin1');
  if (!shown.includes('started')) return;
  shown = '';
  console.log(JSON.stringify(terminal.identity));
});
