import type { GovernedActivity } from '../../shared/governed/activity.ts';
import type { CommandReply, GovernedFailure } from '../../shared/governed/call.ts';
import type { LoadedManifest, Manifest, ManifestCommand } from '../../shared/governed/manifest.ts';
import type { CommandOutcome, ShownStatus } from '../state/governed-store.ts';
import { counted, formatBytes, formatDuration, formatLeft, shortDigest } from '../ui/format.ts';
import type { PostureFact } from '../workspace/posture-words.ts';

/** What the button does when it is pressed now, in its own words. */
export function runLabel(
  { needsApproval, finalizes }: { readonly needsApproval: boolean; readonly finalizes: boolean },
  publishes: boolean,
): string {
  if (!finalizes) return needsApproval ? 'Ask for approval' : 'Run';
  const effect = publishes ? 'publish and end' : 'end';
  if (needsApproval) return `Ask, then ${effect}`;
  return publishes ? 'Publish and end' : 'Run and end';
}

/** The few words of a command's chip: "save · finalizes". */
export function chipWords({ name, finalize, needsApproval }: ManifestCommand): string {
  if (finalize) return `${name} · finalizes`;
  return needsApproval ? `${name} · asks` : name;
}

/** What a command is, in one sentence behind its description. */
export function commandFacts(command: ManifestCommand, publishes: boolean): string[] {
  return [
    `${command.riskTier} risk`,
    ...(command.needsApproval ? ['needs approval'] : []),
    ...(command.finalize ? [publishes ? 'publishes and ends the session' : 'ends the session'] : []),
  ];
}

/** What a manifest's sessions can do to files and how they are bounded, the most important first. */
export function manifestFacts({ manifest }: LoadedManifest): string[] {
  const { filesystem, commands, riskTier } = manifest;
  const asking = commands.filter(({ needsApproval }) => needsApproval).length;
  return [
    `${riskTier} risk`,
    ...fileFacts(filesystem).map(({ text }) => text),
    counted(commands.length, 'command'),
    ...(asking > 0 ? [`${asking} with approval`] : []),
  ];
}

/** "reads data/rates.csv", "may publish data/report.csv": for the posture of a pane. */
export function fileFacts(filesystem: Manifest['filesystem']): PostureFact[] {
  if (filesystem === null) return [];
  const { read, create } = filesystem;
  const reads = read.length === 1 ? (read[0] ?? '') : counted(read.length, 'file');
  return [
    ...(read.length > 0 ? [{ id: 'reads', text: `reads ${reads}`, tone: 'plain' as const }] : []),
    ...(create !== null
      ? [{ id: 'publishes', text: `may publish ${create}`, tone: 'attention' as const }]
      : []),
  ];
}

/** Whether a finalizing command lets a file out. */
export function publishes({ filesystem }: Manifest): boolean {
  return filesystem?.create != null;
}

/** For the status line: what the session does. */
export function activityWords(activity: GovernedActivity): string {
  switch (activity.kind) {
    case 'idle':
      return 'ready for a command';
    case 'running':
      return `running ${commandName(activity.command)}`;
    case 'waiting-for-approval':
      return 'decision open';
    case 'publishing':
      return 'publishing';
    case 'closed':
      return 'takes no more commands';
  }
}

/** "4 of 40 commands" and the deadlines that apply, for the status line. */
export function boundWords({ interactions, idleAt, lifeAt, activity }: ShownStatus, now: number): string[] {
  if (activity.kind === 'closed') return [];
  const { count, limit } = interactions;
  return [
    `${count} of ${limit} commands`,
    // An idle deadline at the end of life says nothing of its own.
    ...(idleAt !== null && (lifeAt === null || lifeAt - idleAt > 1_000)
      ? [`next command within ${formatLeft(idleAt - now)}`]
      : []),
    ...(lifeAt !== null ? [`ends in ${formatLeft(lifeAt - now)} at the latest`] : []),
  ];
}

/** What came of a command, and what to do next. */
export interface OutcomeWords {
  readonly tone: 'ok' | 'plain' | 'danger';
  readonly title: string;
  /** The reference's rule and its text, to be read and searched for as they are. */
  readonly rule: string | null;
  readonly detail: string | null;
  readonly next: string | null;
}

export function outcomeWords(outcome: CommandOutcome): OutcomeWords {
  switch (outcome.kind) {
    case 'answered':
      return answeredWords(outcome.command, outcome.reply);
    case 'refused':
      return refusedWords(outcome.command, outcome.failure);
    case 'unknown':
      return {
        tone: 'danger',
        title: `${outcome.command}: outcome unknown`,
        rule: null,
        detail: outcome.message,
        next: 'Look at the terminal and at Publications before you run it again.',
      };
  }
}

function answeredWords(command: string, reply: CommandReply): OutcomeWords {
  const took = `${command} answered in ${formatDuration(reply.duration_ms)}`;
  const plain = { tone: 'ok', rule: null, detail: null, next: null } as const;
  const [file] = reply.created_files;
  if (file !== undefined) {
    const facts = `${file.path} · ${formatBytes(file.bytes)} · sha-256 ${shortDigest(file.sha256)}`;
    return { ...plain, title: `Published ${facts}`, detail: took };
  }
  if (reply.execution_status === 'session_finalized')
    return { ...plain, title: 'Finalized; nothing was to be published.', detail: took };
  return {
    ...plain,
    title: `${took}.`,
    next: reply.session_closed ? 'That was the last command this session may take.' : null,
  };
}

/** Nobody is to be blamed for a decision: a refusal by a person or by time is said plainly. */
function refusedWords(command: string, failure: GovernedFailure): OutcomeWords {
  const { rule, text, file } = failure;
  const decided = rule.startsWith('A');
  return {
    tone: decided ? 'plain' : 'danger',
    title: `${command} ${file === undefined ? `was ${decided ? 'not approved' : 'refused'}` : RAN[file]}`,
    rule,
    detail: rule === 'A5' ? `${text}: nobody decided in time` : text,
    next: nextWords(failure),
  };
}

/** Of a command that ran, by what became of its file. */
const RAN = {
  kept: 'ran, and its file was not published',
  published: 'ran, and its file was published without a receipt',
  gone: 'ran, and its file was not published',
} as const;

const NEXT: Readonly<Record<string, string>> = {
  X16: 'The files it was opened with have changed. Put them back as they were, or open it again.',
  X18: 'End another governed session first.',
  X22: 'It took longer than it may. Open it again to go on.',
  X41: 'Its output was not published and is gone. Open it again and finalize before the last command.',
  F4: 'Move the file that is there away, or choose another name; nothing is ever overwritten.',
};

const NEXT_WITH_FILE = {
  kept: 'The session has ended. The sealed file is kept: see Publications.',
  published: 'The session has ended. The file is where it was to be: see Publications.',
  gone: 'The session has ended, and what it wrote is gone. Open it again to go on.',
} as const;

function nextWords({ rule, session, file }: GovernedFailure): string {
  const known = NEXT[rule] ?? (file && NEXT_WITH_FILE[file]);
  if (known !== undefined) return known;
  if (session === 'ended') return 'The session has ended. Open it again to go on.';
  return session === 'lives' ? 'The session goes on. Nothing was sent.' : 'Nothing was started or sent.';
}

/** `COMMAND` of `TOOL.COMMAND`; a tool's name has no dot (M4). */
function commandName(full: string): string {
  return full.slice(full.indexOf('.') + 1);
}
