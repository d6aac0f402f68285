import { setTimeout as delay } from 'node:timers/promises';
import { openStream } from '../docker/attach-stream.ts';
import type { DockerClient } from '../docker/client.ts';
import { TerminalStream } from '../docker/terminal-stream.ts';
import type { SandboxIdentity } from '../engine.ts';

/** In the environment of everything that is started, so that it can be found again among somebody else's processes. */
export const MARK_VARIABLE = 'AIRLOCK_SESSION';

export type ProgramIdentity = Extract<SandboxIdentity, { kind: 'program' }>;

/**
 * How many processes were found, and the users ("UID:GID") of whom some that may be of the program cannot be looked at; or why
 * nothing can be told.
 */
export type Look =
  | { readonly count: number; readonly unseen: readonly string[] }
  | { readonly count: null; readonly why: string };

export function isNone(look: Look): boolean {
  return look.count === 0 && look.unseen.length === 0;
}

/** Users beside its own that a container is looked at as. */
const USERS_MAX = 4;

/**
 * Signals every process of the container that has the mark. Never rejects. It takes the container's own shell and grep, and a
 * process that hides its environment is not seen.
 *
 * In a container nobody may look at processes of other users, root included. So what cannot be looked at, and can be of the
 * program, is looked at once more as its own user.
 */
export async function endProcesses(
  client: DockerClient,
  program: ProgramIdentity,
  signal: 'HUP' | 'TERM' | 'KILL' | null,
): Promise<Look> {
  const script = scriptFor(program, signal);
  const first = await lookAs(client, program, script, null);
  if (first.count === null) return first;
  if (first.unseen.length > USERS_MAX)
    return { count: null, why: 'too many users have begun processes since' };
  let { count } = first;
  const unseen: string[] = [];
  for (const user of first.unseen) {
    const look = await lookAs(client, program, script, user);
    if (look.count === null) return look;
    count += look.count;
    if (look.unseen.includes(user)) unseen.push(user);
  }
  return { count, unseen };
}

/** As this user, or as the container's own. Whom that one cannot look at is unseen. */
async function lookAs(
  client: DockerClient,
  { container }: ProgramIdentity,
  script: string,
  user: string | null,
): Promise<Look> {
  const command = ['/bin/sh', '-c', script];
  const output = await runQuietly(client, container, command, user).catch(wordsOf);
  if (typeof output !== 'string') return output;
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  if (last === NO_GREP) return { count: null, why: 'it has no grep to look with' };
  const [, count, unseen] = /^found (\d+) processes((?: \d+:\d+)*)$/.exec(last) ?? [];
  if (count === undefined) return UNFINISHED;
  return { count: Number(count), unseen: unseen?.match(/\d+:\d+/g) ?? [] };
}

/**
 * One grep for all that run there, and one more for each that is found: its number can be another's by then. More than 2 is no
 * answer of grep's, but that it could not be started. Its own processes do not have the mark. The last line tells that everything
 * was read, and the users of what could not be: of that which can be the program's. A process is of the session of terminals of
 * one that it descends from, so none whose leader began before the program is; and none at all when the container itself did later.
 */
function scriptFor({ mark, startTime }: ProgramIdentity, signal: string | null): string {
  const marked = `"${MARK_VARIABLE}=${mark}"`;
  const act = signal === null ? ':' : `kill -${signal} "$p"; kill -CONT "$p"`;
  const others = `
stat_of 1 && [ "$start" -le ${startTime} ] && for f in /proc/[0-9]*/environ; do
  { true <"$f"; } && continue
  p=\${f#/proc/}; p=\${p%/environ}
  stat_of "$p" && [ "$state" != Z ] && [ "$start" -ge ${startTime} ] || continue
  stat_of "$leader" && [ "$start" -lt ${startTime} ] && continue
  u=; while read -r key _ id _; do
    case $key in Uid:) u=$id ;; Gid:) u=$u:$id; break ;; esac
  done <"/proc/$p/status"
  case "$users " in *" $u "*) ;; *) users="$users $u" ;; esac
done`;
  return `exec 2>/dev/null
grep -V >/dev/null || grep --help >/dev/null || { echo "${NO_GREP}"; exit; }
stat_of() {
  read -r line <"/proc/$1/stat" || return
  set -- \${line##*) }
  state=$1 leader=$4 start=\${20}
}
n=0 users=
all=$(grep -ls ${marked} /proc/[0-9]*/environ)
[ $? -le 2 ] || exit
for f in $all; do
  grep -qs ${marked} "$f" || { [ $? -le 2 ] && continue; exit; }
  p=\${f#/proc/}; p=\${p%/environ}
  stat_of "$p" && [ "$state" != Z ] || continue
  n=$((n + 1)); ${act}
done
${startTime === undefined ? '' : others}
echo "found $n processes$users"`;
}

const NO_GREP = 'found no grep';

const UNFINISHED: Look = { count: null, why: 'the look at its processes did not finish' };

function wordsOf(error: unknown): Look {
  if (!(error instanceof Error) || error.name === 'TimeoutError') return UNFINISHED;
  return { count: null, why: error.message };
}

/** Milliseconds that what was killed has for its end. */
export const KILLED_MS = 500;

/** Milliseconds between two looks. */
export const LOOK_MS = 50;

/** Looks until none is left, or a grace is over. The end of the terminal tells nothing: others may have left it, or outlive it. */
export async function lookUntilNone(
  client: DockerClient,
  program: ProgramIdentity,
  graceMs: number,
): Promise<Look> {
  const until = performance.now() + graceMs;
  for (;;) {
    const look = await endProcesses(client, program, null);
    const leftMs = until - performance.now();
    if (isNone(look) || leftMs <= 0) return look;
    await delay(Math.min(LOOK_MS, leftMs));
  }
}

/** What may be left, as a sentence. */
export function leftInWords(look: Look, { container }: ProgramIdentity): string {
  if (look.count !== null && look.count > 0)
    return `${look.count} processes that were started in the container still run.`;
  const why =
    look.count === null
      ? look.why.replace(/\.$/, '')
      : `processes of ${look.unseen.join(', ')} that began since cannot be looked at`;
  return `Whether anything of the session is left in container ${container.slice(0, 12)} cannot be told: ${why}.`;
}

/** Milliseconds for a helper in the container, and the bytes that are read of it. */
const HELPER_MS = 4_000;
const HELPER_MAX_BYTES = 8_192;

/** The output of a short program in the container, as far as it came in time. With a terminal, so that nothing is framed (B07). */
async function runQuietly(
  client: DockerClient,
  container: string,
  command: readonly string[],
  user: string | null,
): Promise<string> {
  const signal = AbortSignal.timeout(HELPER_MS);
  const until = performance.now() + HELPER_MS;
  const asUser = user === null ? {} : { User: user };
  const options = { AttachStdout: true, Tty: true, Cmd: command, ...asUser };
  const exec = await client.createExec(container, options, signal);
  const path = `/v${client.daemon.api}/exec/${exec}/start`;
  const body = { Detach: false, Tty: true };
  const raw = await openStream({ endpoint: client.endpoint, path, body, what: 'look for processes', signal });
  const stream = new TerminalStream(raw);
  let output = '';
  stream.onOutput((bytes) => {
    if (output.length < HELPER_MAX_BYTES) output += Buffer.from(bytes).toString('utf8');
  });
  await stream.finish(until - performance.now());
  return output;
}
