/** What the filter needs to know of a processor. Numbers: linux/audit.h and the syscall tables of the kernel. */
interface Architecture {
  readonly audit: number;
  readonly ioctl: number;
  readonly keyctl: number;
  readonly addKey: number;
  readonly requestKey: number;
  readonly socket: number;
  readonly prctl: number;
  /** Numbers from here on belong to x32, the second table of x86_64. */
  readonly secondTable: number | null;
}

const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, Architecture>>> = {
  x64: {
    ...{ audit: 0xc000003e, secondTable: 0x40000000 },
    ...{ ioctl: 16, addKey: 248, requestKey: 249, keyctl: 250, socket: 41, prctl: 157 },
  },
  arm64: {
    ...{ audit: 0xc00000b7, secondTable: null },
    ...{ ioctl: 29, addKey: 217, requestKey: 218, keyctl: 219, socket: 198, prctl: 167 },
  },
};

/** The same on every processor. Without a ring from this call the others of io_uring(7) have nothing to work on. */
const IO_URING_SETUP = 425;

/** ioctl requests that put bytes into a terminal's input, or drive the console (asm-generic/ioctls.h, linux/tiocl.h). */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** Option of prctl(2). */
const PR_SET_PDEATHSIG = 1;

/** Address families that network namespaces confine: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const CONFINED_FAMILIES = [1, 2, 10, 16];

// struct seccomp_data: int nr; __u32 arch; __u64 instruction_pointer; __u64 args[6]. Both processors are little-endian.
const OFFSET_NUMBER = 0;
const OFFSET_ARCHITECTURE = 4;
const OFFSET_FIRST_ARGUMENT_LOW = 16;
const OFFSET_SECOND_ARGUMENT_LOW = 24;

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const EAFNOSUPPORT = 0x00050061;

type Target = 'next' | 'allow' | 'refuse' | 'ioctl' | 'prctl' | 'socket' | 'no-such-call' | 'kill';
type Line =
  | { readonly load: number; readonly label?: Target }
  | { readonly op: number; readonly value: number; readonly yes: Target; readonly no: Target }
  | { readonly result: number; readonly label?: Target };

/**
 * The system-call filter of every sandbox, as a classic BPF program for bwrap's `--seccomp` (8 bytes an instruction).
 * It refuses what namespaces do not close:
 *
 * - TIOCSTI and TIOCLINUX, which type into the session's own terminal as if the person had (B29). The kernel looks
 *   at the low 32 bits of the request only, so the filter does too.
 * - The kernel's key rings, which are shared with the host's user.
 * - Sockets that no network namespace confines: AF_VSOCK, for one, reaches the hypervisor of a virtual machine. And
 *   io_uring, which makes sockets without the call that is filtered here.
 * - PR_SET_PDEATHSIG: a debugger may take over the sandbox's pid 1, and without that signal it would outlive the host
 *   (ST-26). pid 1 has asked for it before it installs the filter.
 * - The x32 table, which would give every call a second number; and calls of another architecture, which have other
 *   numbers altogether: the process is killed.
 *
 * Debuggers keep working: ptrace reaches the sandbox's own processes only. User namespaces are closed by
 * `--disable-userns`. Null for a processor whose numbers are not known: the engine then refuses to open.
 */
export function seccompFilter(processor: NodeJS.Architecture): Uint8Array | null {
  const numbers = ARCHITECTURES[processor];
  return numbers ? assemble(program(numbers)) : null;
}

function program(numbers: Architecture): Line[] {
  return [
    { load: OFFSET_ARCHITECTURE },
    { op: JUMP_IF_EQUAL, value: numbers.audit, yes: 'next', no: 'kill' },
    { load: OFFSET_NUMBER },
    ...(numbers.secondTable === null
      ? []
      : [{ op: JUMP_IF_AT_LEAST, value: numbers.secondTable, yes: 'no-such-call', no: 'next' } as const]),
    { op: JUMP_IF_EQUAL, value: IO_URING_SETUP, yes: 'no-such-call', no: 'next' },
    { op: JUMP_IF_EQUAL, value: numbers.ioctl, yes: 'ioctl', no: 'next' },
    { op: JUMP_IF_EQUAL, value: numbers.prctl, yes: 'prctl', no: 'next' },
    { op: JUMP_IF_EQUAL, value: numbers.socket, yes: 'socket', no: 'next' },
    { op: JUMP_IF_EQUAL, value: numbers.keyctl, yes: 'refuse', no: 'next' },
    { op: JUMP_IF_EQUAL, value: numbers.addKey, yes: 'refuse', no: 'next' },
    { op: JUMP_IF_EQUAL, value: numbers.requestKey, yes: 'refuse', no: 'allow' },
    { load: OFFSET_SECOND_ARGUMENT_LOW, label: 'ioctl' },
    { op: JUMP_IF_EQUAL, value: TIOCSTI, yes: 'refuse', no: 'next' },
    { op: JUMP_IF_EQUAL, value: TIOCLINUX, yes: 'refuse', no: 'allow' },
    { load: OFFSET_FIRST_ARGUMENT_LOW, label: 'prctl' },
    { op: JUMP_IF_EQUAL, value: PR_SET_PDEATHSIG, yes: 'refuse', no: 'allow' },
    { load: OFFSET_FIRST_ARGUMENT_LOW, label: 'socket' },
    ...CONFINED_FAMILIES.map((value) => ({ op: JUMP_IF_EQUAL, value, yes: 'allow', no: 'next' }) as const),
    { result: EAFNOSUPPORT },
    { result: ALLOW, label: 'allow' },
    { result: EPERM, label: 'refuse' },
    { result: ENOSYS, label: 'no-such-call' },
    { result: KILL_PROCESS, label: 'kill' },
  ];
}

/** struct sock_filter: __u16 code; __u8 jt; __u8 jf; __u32 k. Jumps count the instructions that are skipped. */
function assemble(lines: readonly Line[]): Uint8Array {
  const code = new DataView(new ArrayBuffer(lines.length * 8));
  for (const [index, line] of lines.entries()) {
    const skip = (target: Target) =>
      target === 'next'
        ? 0
        : lines.findIndex((other) => 'label' in other && other.label === target) - index - 1;
    const [operation, yes, no, value] =
      'load' in line
        ? [LOAD_WORD, 0, 0, line.load]
        : 'result' in line
          ? [RETURN, 0, 0, line.result]
          : [line.op, skip(line.yes), skip(line.no), line.value];
    code.setUint16(index * 8, operation, true);
    code.setUint8(index * 8 + 2, yes);
    code.setUint8(index * 8 + 3, no);
    code.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(code.buffer);
}
