import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CurableError } from '../docker/curable-error.ts';
import { requireReachable } from './folder-access.ts';

it('a folder that other users cannot read is refused with the command that opens it to them', () => {
  const path = mkdtempSync(join(tmpdir(), 'airlock-closed-'));
  chmodSync(path, 0o700);
  const project = { path, device: 0n, inode: 0n };
  const user = { uid: 1000, gid: 1000, namespace: '', sameOnHost: false };
  expect(() => requireReachable({ project, scratch: null, files: null }, user)).toThrow(
    expect.objectContaining({
      summary: `The project folder ${path} cannot be read by every user: the daemon maps users to others.`,
      fixes: [{ text: 'To allow it:', command: `chmod o+rX '${path}'` }],
    } satisfies Partial<CurableError>),
  );
  rmdirSync(path);
});
