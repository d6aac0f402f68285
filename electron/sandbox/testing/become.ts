import { openPty } from '../pty/native.ts';

/** Makes this process another user's, if `user` is a number. Loads node-pty first: that user may not be able to. */
export function become(user: string): void {
  if (user === '') return;
  openPty({ cols: 80, rows: 24 });
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
