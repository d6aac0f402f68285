import { statSync } from 'node:fs';
import { CurableError } from '../docker/curable-error.ts';
import type { Folders, SharedFolder } from '../host-folders.ts';
import { inQuotes } from '../in-quotes.ts';
import type { ContainerUser } from './user.ts';

const READ_AND_ENTER = 0o5;
const WRITE = 0o2;

/**
 * Refuses folders that the program could not use: in a container it is no other user than its number, and what root of this
 * machine owns is not its own. By the folder's own mode; lists of access rights are not looked at.
 */
export function requireReachable({ project, scratch }: Folders, user: ContainerUser): void {
  if (project !== null) require(project, 'project', READ_AND_ENTER, user);
  if (scratch !== null) require(scratch, 'scratch', READ_AND_ENTER | WRITE, user);
}

function require({ path }: SharedFolder, role: string, wanted: number, user: ContainerUser): void {
  const { mode, uid, gid } = statSync(path);
  const { sameOnHost } = user;
  const isOwner = sameOnHost && uid === user.uid;
  const shift = isOwner ? 6 : sameOnHost && gid === user.gid ? 3 : 0;
  if (((mode >> shift) & wanted) === wanted) return;
  const who = sameOnHost
    ? `user ${user.uid}, who the program is in the container`
    : 'every user: the daemon maps users to others';
  const verb = wanted & WRITE ? 'written' : 'read';
  const quoted = inQuotes(path);
  const command =
    sameOnHost && wanted & WRITE
      ? `sudo chown ${user.uid}:${user.gid} ${quoted}`
      : `chmod o+rX${wanted & WRITE ? 'w' : ''} ${quoted}`;
  throw new CurableError('profile-invalid', `The ${role} folder ${path} cannot be ${verb} by ${who}.`, [
    { text: 'To allow it:', command },
  ]);
}
