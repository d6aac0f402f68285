/**
 * Bounds that a waiting shell sets and reads back, where the daemon does neither: Podman without root takes no limits for
 * single processes by this API, and says of control groups that nobody delegated to it that they bound something.
 */

/** Bytes of the unit in which shells count the size of files. */
const BLOCK_BYTES = 512;

export interface WantedBounds {
  readonly openFiles: number;
  /** Bytes of the largest file that may be written; null for any. In force rounded up to 512. */
  readonly fileBytes: number | null;
  /** Processes and threads, the container's init among them. */
  readonly tasks: number;
  readonly memoryBytes: number;
  /** Hundredths of one CPU. */
  readonly cpuPercent: number;
  /** Whether the kernel counts the processes of a user for each container alone (`countsPerNamespace`). */
  readonly perContainer: boolean;
}

/** What holds for the program, as its kernel says inside; null where a bound is not there, or is another than was wanted. */
export interface FoundBounds {
  readonly openFiles: number;
  readonly fileBytes: number | null;
  readonly tasks: number | null;
  readonly memoryBytes: number | null;
  readonly cpuPercent: number | null;
  /** Whether a control group enforces any of it. */
  readonly byControlGroup: boolean;
}

/** Control groups first, as the kernel shows them inside, then what each process is bound to. */
const SAID =
  /^(\S+), (\S+), (\S+(?: \S+)?), Max file size +\S+ +(\S+) .*, Max processes +(\S+) .*, Max open files +\S+ +(\S+) /;

/**
 * Lines of shell that set them, with `_gate_state=bounds` where the shell cannot, and leave in `_gate_said` what `foundBounds`
 * reads. Only what shells have built in is used, and no variable but those of the gate. Processes are bounded per user where no
 * control group does it and that counts those of one container alone.
 */
export function boundsScript({ openFiles, fileBytes, tasks, perContainer }: WantedBounds): string[] {
  const adds = (group: string) => [
    `_gate_line=-; read -r _gate_line </sys/fs/cgroup/${group}`,
    '_gate_said="$_gate_said, $_gate_line"',
  ];
  return [
    '{ _gate_said=-; read -r _gate_said </sys/fs/cgroup/pids.max',
    ...(perContainer
      ? [`[ "$_gate_said" = ${tasks} ] || ulimit -u ${tasks} || ulimit -p ${tasks} || _gate_state=bounds`]
      : []),
    `ulimit -c 0 && ulimit -n ${openFiles} || _gate_state=bounds`,
    ...(fileBytes === null ? [] : [`ulimit -f ${Math.ceil(fileBytes / BLOCK_BYTES)} || _gate_state=bounds`]),
    ...adds('memory.max'),
    ...adds('cpu.max'),
    'while read -r _gate_line; do case $_gate_line in "Max open files"*|"Max file size"*|"Max processes"*)',
    '_gate_said="$_gate_said, $_gate_line" ;; esac',
    'done </proc/self/limits; } 2>/dev/null',
  ];
}

/** What a shell said of them; null where a bound that it had to set is not there. */
export function foundBounds(said: string, wanted: WantedBounds): FoundBounds | null {
  const [, tasks, memory, cpu, fileBytes, ownTasks, openFiles] = SAID.exec(said) ?? [];
  const fileLimit =
    wanted.fileBytes === null ? null : Math.ceil(wanted.fileBytes / BLOCK_BYTES) * BLOCK_BYTES;
  const [quota, period] = (cpu ?? '').split(' ').map(Number);
  const group = {
    tasks: Number(tasks) === wanted.tasks,
    memory: Number(memory) === wanted.memoryBytes,
    cpu: Math.round((100 * (quota ?? 0)) / (period ?? 0)) === wanted.cpuPercent,
  };
  const isBound =
    Number(openFiles) === wanted.openFiles &&
    (fileLimit === null || Number(fileBytes) === fileLimit) &&
    (group.tasks || !wanted.perContainer || Number(ownTasks) === wanted.tasks);
  if (!isBound) return null;
  return {
    openFiles: wanted.openFiles,
    fileBytes: fileLimit,
    tasks: group.tasks || wanted.perContainer ? wanted.tasks : null,
    memoryBytes: group.memory ? wanted.memoryBytes : null,
    cpuPercent: group.cpu ? wanted.cpuPercent : null,
    byControlGroup: group.tasks || group.memory || group.cpu,
  };
}

/** Whether a kernel counts the processes of a user for each user namespace: since 5.14. Before, all of the machine's count. */
export function countsPerNamespace(kernelVersion: string | null): boolean {
  const [major = 0, minor = 0] = (kernelVersion ?? '').split('.').map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}
