import { randomBytes } from 'node:crypto';
import { EngineError } from '../engine.ts';
import { inQuotes } from '../in-quotes.ts';
import { settledWithin } from '../wait.ts';
import { cleanWords } from './daemon-error.ts';
import { boundsScript, type FoundBounds, foundBounds, type WantedBounds } from './shell-bounds.ts';
import type { TerminalStream } from './terminal-stream.ts';

/** Milliseconds for the gate's own steps, each of which needs a few. */
const GATE_MS = 10_000;

/** Bytes of the gate's line, and of what it says there of one mount. */
const LINE_MAX_BYTES = 1_024;
const MOUNT_MAX_BYTES = 128;

/** What the host answers. The terminal echoes it, where it echoes. */
const GO = 'go\n';
const ECHO_OF_GO = 'go\r\n';

/** Ends the waiting shell, as any other line does. */
const NO = 'no\n';

/** Milliseconds in which that must have been taken. */
const NO_MS = 500;

export interface GateOptions {
  /** A worker's: no echo, and `TERM=dumb` as the whole environment (E14). */
  readonly forWorker: boolean;
  /** What it sets and reads back; left out where the daemon does. */
  readonly bounds?: WantedBounds | undefined;
  /** Where in the sandbox something is mounted that it has to look at. */
  readonly mounts?: readonly string[];
}

/** What is mounted in the sandbox at one place, as its kernel says. */
export interface FoundMount {
  readonly device: bigint;
  readonly inode: bigint;
  /** Nanoseconds since 1970. */
  readonly changedAt: bigint;
}

/** What the gate found out in the sandbox. */
export interface GateReport {
  /** /proc/version of the kernel that the program will run on. */
  readonly kernel: string;
  /** The boot of that kernel, as in ProcessIdentity; "-" where it does not tell. */
  readonly bootId: string;
  /** When its process began, which is the program's: field 22 of /proc/PID/stat; "-" where that is not there. */
  readonly startTime: string;
  /** In the order of the mounts that were asked for. */
  readonly mounts: readonly FoundMount[];
  /** Null where none were asked for. */
  readonly bounds: FoundBounds | null;
}

/** What is done while it waits: a look at what it found, which throws where that is wrong, and the terminal's size. */
export interface GateSteps {
  readonly check: (report: GateReport) => void;
  readonly resize: () => Promise<void>;
}

/**
 * A shell that runs before the program, in its place: it says what it finds, waits for the host, and becomes the program. So
 * the host can set the terminal's size where the daemon takes none at creation (ST-5), switch the echo off, see the kernel and what
 * is mounted, and set bounds that the daemon does not, before anything of the person's runs. It needs `sh` in the image; to look at
 * mounts `stat`, and for a worker `stty` and `env` too.
 *
 * The program finds everything as if it had been started at once: the same process, terminal, folder and environment. What
 * shells add to the environment is taken out again; what some of them drop is lost: variables of the image with a name that is
 * none in a shell, such as a dotted one.
 */
export class Gate {
  readonly #nonce = randomBytes(16).toString('hex');
  readonly #options: GateOptions;
  #isOpen = false;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** The command that stands for `command`. */
  wrap(command: readonly string[]): string[] {
    return ['/bin/sh', '-c', script(this.#nonce, this.#options), 'airlock-gate', ...command];
  }

  /** Whether the program may have begun. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Lets the program begin, when `check` does not throw and `resize` has set the size. Rejects with EngineError where the gate
   * cannot work here, and then the program has not begun, unless `isOpen`.
   */
  async open(stream: TerminalStream, command: readonly string[], steps: GateSteps): Promise<GateReport> {
    try {
      return await this.#open(stream, command, steps);
    } catch (error) {
      if (!this.#isOpen) await settledWithin(stream.write(Buffer.from(NO)), NO_MS);
      throw error;
    }
  }

  async #open(
    stream: TerminalStream,
    command: readonly string[],
    { resize, check }: GateSteps,
  ): Promise<GateReport> {
    const { mounts = [] } = this.#options;
    const maxBytes = LINE_MAX_BYTES + mounts.length * MOUNT_MAX_BYTES;
    const line = await stream.take((bytes) => endOfLine(bytes, maxBytes), GATE_MS);
    const found =
      line === null
        ? null
        : new RegExp(`^${this.#nonce} (\\w+) \\[(.*?)\\] \\[(.*?)\\] (\\S+) (\\d+|-) (.*)\r\n$`).exec(
            line.toString('utf8'),
          );
    if (!found) throw failed(`the waiting shell did not say what it should: ${wordsOf(line, stream)}`);
    const [, state = '', said = '', mounted = '', bootId = '', startTime = '', kernel = ''] = found;
    refuse(state, command[0] ?? '');
    const report = { kernel, bootId, startTime, mounts: foundMounts(mounted), bounds: this.#bounds(said) };
    check(report);
    await resize();
    this.#isOpen = true;
    await stream.write(Buffer.from(GO));
    await this.#dropEcho(stream);
    return report;
  }

  #bounds(said: string): FoundBounds | null {
    const { bounds } = this.#options;
    if (bounds === undefined) return null;
    const found = foundBounds(said, bounds);
    if (found === null) throw failed(`${UNBOUNDED}: they are "${cleanWords(said)}"`);
    return found;
  }

  async #dropEcho(stream: TerminalStream): Promise<void> {
    if (this.#options.forWorker) return;
    const echo = await stream.take(
      (bytes) => (bytes.length >= ECHO_OF_GO.length ? ECHO_OF_GO.length : null),
      GATE_MS,
    );
    if (echo?.toString('latin1') !== ECHO_OF_GO)
      throw failed('its terminal does not echo as a terminal does');
  }
}

const UNBOUNDED = 'its shell could not set the limits for open files, file sizes and processes';

/** Where `stat` is looked for before the program's own PATH, which may name other places only, or one that somebody else writes. */
const STAT_PATH = '/usr/local/bin:/usr/bin:/bin';

function script(nonce: string, { forWorker, bounds, mounts = [] }: GateOptions): string {
  const start = forWorker
    ? [
        'case $1 in */*) p=$1 ;; *) p=$(command -v -- "$1") ;; esac',
        // What the shell has built in is found by its name.
        'case $p in /*) ;; *) p=$1 ;; esac',
        'shift',
        'exec env -i TERM=dumb "$p" "$@"',
      ]
    : ['unset _gate_state _gate_said _gate_line _gate_mounts PWD OLDPWD SHLVL', 'exec "$@"'];
  return [
    '_gate_state=ok _gate_said= _gate_mounts=',
    'case $1 in */*) [ -f "$1" ] && [ -x "$1" ] ;; *) command -v -- "$1" >/dev/null 2>&1 ;; esac || _gate_state=program',
    ...(forWorker
      ? ['command -v env >/dev/null 2>&1 || _gate_state=env', 'stty -echo 2>/dev/null || _gate_state=stty']
      : []),
    ...(bounds === undefined ? [] : boundsScript(bounds)),
    ...mounts.map(
      (path) =>
        `_gate_mounts="$_gate_mounts$(PATH=${STAT_PATH}\${PATH:+:$PATH}; stat -c '%d %i %Z %z' ${inQuotes(path)} 2>/dev/null)," || _gate_state=stat`,
    ),
    '_gate_line=-; { read -r _gate_line </proc/sys/kernel/random/boot_id; } 2>/dev/null',
    '_gate_mounts="$_gate_mounts] $_gate_line"',
    `_gate_start() { read -r _gate_line; set -- \${_gate_line##*) }; _gate_line=\${20:--}; }`,
    '_gate_line=-; { _gate_start </proc/$$/stat; } 2>/dev/null',
    '_gate_mounts="$_gate_mounts $_gate_line"',
    'read -r _gate_line </proc/version',
    `printf '%s %s [%s] [%s %s\\n' ${nonce} "$_gate_state" "$_gate_said" "$_gate_mounts" "$_gate_line"`,
    'read -r _gate_line && [ "$_gate_line" = go ] || exit 125',
    ...start,
  ].join('\n');
}

function refuse(state: string, program: string): void {
  if (state === 'ok') return;
  if (state === 'bounds') throw failed(UNBOUNDED);
  if (state === 'program') throw failed(`"${program}" is no program in its image`);
  if (state === 'stat')
    throw failed('what is shared with it is checked by stat, which the image does not have');
  throw failed(`a governed session needs ${state} in the image, and it is not there`);
}

/** What `stat` said of each mount, as far as it can be read. */
function foundMounts(said: string): FoundMount[] {
  return [...said.matchAll(/(\d+) (\d+) (\d+) \S+ \S+?\.(\d{9}) \S+,/g)].map(
    ([, device = '', inode = '', seconds = '', nanoseconds = '']) => ({
      device: BigInt(device),
      inode: BigInt(inode),
      changedAt: BigInt(seconds + nanoseconds),
    }),
  );
}

function endOfLine(bytes: Buffer, maxBytes: number): number | null {
  const end = bytes.indexOf('\n');
  if (end >= 0) return end + 1;
  return bytes.length > maxBytes ? bytes.length : null;
}

function wordsOf(line: Buffer | null, stream: TerminalStream): string {
  return cleanWords((line?.toString('utf8') ?? '') + stream.unheard) || 'it said nothing';
}

function failed(why: string): EngineError {
  return new EngineError('open-failed', `The program could not be started in the container: ${why}.`);
}
