import { readdirSync, readFileSync } from 'node:fs';

/** A process told apart from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat: clock ticks since boot. */
  readonly startTime: string;
  readonly name: string;
}

interface ProcessFacts extends ProcessIdentity {
  readonly parent: number;
  readonly state: string;
}

/** Every living process below `pid`; zombies have ended and only wait to be reaped. */
export function descendantsOf(pid: number): ProcessIdentity[] {
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => factsOf(Number(entry)) ?? []);
  const found: ProcessFacts[] = [];
  let parents = new Set([pid]);
  while (parents.size > 0) {
    const children = all.filter((process) => parents.has(process.parent));
    found.push(...children);
    parents = new Set(children.map((child) => child.pid));
  }
  return found.filter((process) => process.state !== 'Z');
}

export function isAlive(identity: ProcessIdentity): boolean {
  const now = factsOf(identity.pid);
  return now !== null && now.startTime === identity.startTime && now.state !== 'Z';
}

/** Null when there is no such process. */
function factsOf(pid: number): ProcessFacts | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name stands in parentheses and may contain anything, more parentheses too.
  const nameEnd = stat.lastIndexOf(')');
  const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
  const [state = '', parent = '', ...rest] = stat.slice(nameEnd + 2).split(' ');
  return { pid, parent: Number(parent), state, name, startTime: rest[17] ?? '' };
}
