import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const PROGRAM = new URL('./testing/prepare-read-only.ts', import.meta.url).pathname;
const NOBODY = 65_534;

it('F2 an output needs a folder that can be written', async () => {
  // Root may write anywhere.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(process.execPath, [PROGRAM], { ...user, stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await text(child.stdout)).toBe('F2 filesystem creation requires a writable mount ceiling\n');
});
