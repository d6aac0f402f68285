import type { ApprovalRecord } from '../governed/approval.ts';
import type { CommandReply } from '../governed/call.ts';
import type { Route } from '../terminal/session-state.ts';
import type { UntimedMoment } from './moment.ts';

/** A moment in words: what happened ("Approved"), and to what; the second is empty where there is no such. */
export interface MomentWords {
  readonly what: string;
  readonly rest: string;
}

type Words = {
  readonly [Kind in UntimedMoment['kind']]: (moment: Extract<UntimedMoment, { kind: Kind }>) => MomentWords;
};

/** A kind without words does not compile. */
const WORDS: Words = {
  'command-start': ({ command, line }) => ({ what: 'Command sent', rest: subject(command, line) }),
  'command-end': ({ command, status }) => {
    const what = STATUS_WORDS.get(status);
    return what === undefined
      ? { what: 'Command failed', rest: subject(command, status) }
      : { what, rest: command };
  },
  'approval-requested': ({ label }) => ({ what: 'Approval requested', rest: afterColon(label) }),
  'approval-decided': ({ outcome, label }) => ({ what: OUTCOME_WORDS[outcome], rest: afterColon(label) }),
  publication: ({ receiptId, path }) => ({
    what: receiptId === null ? 'Not published' : 'Published',
    rest: path,
  }),
  route: ({ route }) => ({ what: ROUTE_WORDS[route], rest: '' }),
  suspended: () => ({ what: 'Suspended', rest: '' }),
  resumed: () => ({ what: 'Resumed', rest: '' }),
  notice: ({ text }) => ({ what: 'Notice', rest: text }),
  'recording-stopped': ({ why }) => ({ what: 'Recording stopped', rest: why }),
  marker: ({ label }) => ({ what: label === '' ? 'Marker' : label, rest: '' }),
};

/** What a governed command's reply calls its end (section 2.8); every other status is why it failed. */
const STATUS_WORDS: ReadonlyMap<string, string> = new Map<CommandReply['execution_status'], string>([
  ['prompt_observed', 'Command answered'],
  ['session_finalized', 'Session finalized'],
]);

const OUTCOME_WORDS: Record<ApprovalRecord['outcome'], string> = {
  approved: 'Approved',
  denied: 'Denied',
  expired: 'Not decided in time',
  cancelled: 'Request withdrawn',
  unknown: 'Outcome unknown',
};

const ROUTE_WORDS: Record<Route, string> = {
  sandbox: 'Back in the sandbox',
  prompt: 'Held for a decision',
  'host-process': 'Held by a program of this machine',
};

/** Whether it says that a command failed. */
export function isFailure(moment: UntimedMoment): boolean {
  return moment.kind === 'command-end' && !STATUS_WORDS.has(moment.status);
}

/** Not cleaned: what a program or a foreign file wrote is in it as it was. */
export function momentWords(moment: UntimedMoment): MomentWords {
  const words = WORDS[moment.kind] as (moment: UntimedMoment) => MomentWords;
  return words(moment);
}

function subject(command: string, about: string): string {
  return command === '' || about.startsWith(command) ? about : `${command}: ${about}`;
}

/** Labels of requests and decisions end with the title of the request. */
function afterColon(label: string): string {
  const at = label.indexOf(': ');
  return at < 0 ? '' : label.slice(at + 2);
}
