import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp.ts';

const X86_64 = 0xc000003e;
const I386 = 0x40000003;
const AARCH64 = 0xc00000b7;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const EAFNOSUPPORT = 0x00050061;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const TCGETS = 0x5401;

/** What the kernel would do with the program: the few instructions of classic BPF that it has. */
function run(
  program: Uint8Array,
  call: { number: number; architecture: number; first?: number; request?: number; high?: number },
) {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number, true);
  data.setUint32(4, call.architecture, true);
  data.setUint32(16, call.first ?? 0, true);
  data.setUint32(24, call.request ?? 0, true);
  data.setUint32(28, call.high ?? 0, true);
  const code = new DataView(program.buffer);
  let accumulator = 0;
  for (let index = 0; ; index++) {
    const operation = code.getUint16(index * 8, true);
    const [yes, no] = [code.getUint8(index * 8 + 2), code.getUint8(index * 8 + 3)];
    const value = code.getUint32(index * 8 + 4, true);
    if (operation === 0x20) accumulator = data.getUint32(value, true);
    else if (operation === 0x15) index += accumulator === value ? yes : no;
    else if (operation === 0x35) index += accumulator >= value ? yes : no;
    else if (operation === 0x06) return value;
    else throw new Error(`Unknown instruction ${operation}`);
  }
}

const filterOf = (processor: NodeJS.Architecture) => {
  const filter = seccompFilter(processor);
  if (!filter) throw new Error(`No filter for ${processor}`);
  return filter;
};

describe.each([
  {
    processor: 'x64',
    architecture: X86_64,
    keys: [248, 249, 250],
    calls: { ioctl: 16, read: 0, ptrace: 101, socket: 41, prctl: 157 },
  },
  {
    processor: 'arm64',
    architecture: AARCH64,
    keys: [217, 218, 219],
    calls: { ioctl: 29, read: 63, ptrace: 117, socket: 198, prctl: 167 },
  },
] as const)('B29 the filter for $processor', ({ processor, architecture, keys, calls }) => {
  const filter = filterOf(processor);
  const { ioctl, read, ptrace, socket, prctl } = calls;

  it('refuses to type into the terminal, whatever the upper half of the request says', () => {
    for (const request of [TIOCSTI, TIOCLINUX]) {
      expect(run(filter, { number: ioctl, architecture, request })).toBe(EPERM);
      expect(run(filter, { number: ioctl, architecture, request, high: 0xffffffff })).toBe(EPERM);
    }
  });

  it('allows what a shell needs', () => {
    expect(run(filter, { number: ioctl, architecture, request: TCGETS })).toBe(ALLOW);
    expect(run(filter, { number: read, architecture, request: TIOCSTI })).toBe(ALLOW);
    expect(run(filter, { number: ptrace, architecture })).toBe(ALLOW);
  });

  it('refuses the key rings', () => {
    for (const number of keys) expect(run(filter, { number, architecture })).toBe(EPERM);
  });

  it('allows sockets that the network namespace confines, and no others', () => {
    for (let family = 0; family < 64; family++) {
      const confined = [1, 2, 10, 16].includes(family);
      const result = run(filter, { number: socket, architecture, first: family });
      expect({ family, result }).toEqual({ family, result: confined ? ALLOW : EAFNOSUPPORT });
    }
    expect(run(filter, { number: 425, architecture })).toBe(ENOSYS);
  });

  it('ST-26 refuses to change the signal that ends a process with its parent, and no other prctl', () => {
    expect(run(filter, { number: prctl, architecture, first: 1 })).toBe(EPERM);
    for (const first of [0, 2, 4, 15, 38])
      expect(run(filter, { number: prctl, architecture, first })).toBe(ALLOW);
  });

  it('kills what calls by the numbers of another processor', () => {
    for (const other of [I386, X86_64, AARCH64].filter((value) => value !== architecture)) {
      expect(run(filter, { number: read, architecture: other })).toBe(KILL);
    }
  });
});

it('B29 the filter for x64 has no x32 calls', () => {
  const call = { number: 0x40000000 + 16, architecture: X86_64, request: TIOCSTI };
  expect(run(filterOf('x64'), call)).toBe(ENOSYS);
});

it('there is no filter for a processor whose numbers are not known', () => {
  expect(seccompFilter('riscv64')).toBeNull();
});
