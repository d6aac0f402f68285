import { USER } from '../../../shared/terminal/inside.ts';
import { type DaemonInfo, hasSecurityOption, isRootless } from '../docker/answers.ts';
import type { Daemon } from '../docker/client.ts';

/** Who runs Airlock; null where the system has no such numbers. */
export interface HostUser {
  readonly uid: number | null;
  readonly gid: number | null;
}

/** Who the program is in its container, and who that is on the host. */
export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
  /** HostConfig.UsernsMode: how users of the container are mapped to users of the host; empty for the daemon's own way. */
  readonly namespace: string;
  /** Whether a file of the program belongs to that very number on the host. */
  readonly sameOnHost: boolean;
}

/**
 * An ordinary user in any case. Files on both sides must belong to one and the same user, or what a program leaves in /out could
 * not be read, and what a person shares could not be written:
 *
 * - Podman without root maps the person to the same number inside (keep-id).
 * - A daemon that is root maps nobody: the program gets the person's own number; where Airlock is root itself, the sandbox's.
 * - Docker without root, or with remapped users, maps the person to root inside, which the program must not be: it is a
 *   user that the host has no name for.
 */
export function containerUser(
  product: Daemon['product'],
  info: DaemonInfo,
  { uid, gid }: HostUser,
): ContainerUser {
  const own = { uid: USER.id, gid: USER.id };
  const person = uid !== null && gid !== null && uid !== 0 ? { uid, gid } : null;
  if (isRootless(info)) {
    if (product === 'Podman' && person !== null) return { ...person, namespace: 'keep-id', sameOnHost: true };
    return { ...own, namespace: '', sameOnHost: false };
  }
  if (hasSecurityOption(info.SecurityOptions, 'userns')) return { ...own, namespace: '', sameOnHost: false };
  return { ...(person ?? own), namespace: '', sameOnHost: true };
}
