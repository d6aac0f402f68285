import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const RUNNER = fileURLToPath(new URL('../testing/user-worker.ts', import.meta.url));

interface Result {
  readonly lines: string[];
  readonly output: string;
  readonly removed: boolean;
}

/** Another user where the tests run as root; an empty one stays who they run as. */
const USERS = process.getuid?.() === 0 ? ['', '65534'] : [''];

describe.each(USERS)('the worker of user "%s"', (user) => {
  it('E14 F6 gets its files, its bound, no echo and no environment', async () => {
    const script = `
      tr '\\0' '\\n' < /proc/$$/environ; read -r line; echo "got $line"; pwd; cat in.txt; id -u
      (echo x >> in.txt) 2>/dev/null || echo read-only; (echo x > other) 2>/dev/null || echo nowhere else
      trap '' XFSZ; printf 0123456789abcdef > out.txt 2>/dev/null; grep CapEff /proc/self/status | tr '\\t' ' '`;
    const { stdout } = await promisify(execFile)(process.execPath, [RUNNER, user, script]);
    expect(JSON.parse(stdout) as Result).toEqual({
      lines: [
        'TERM=dumb',
        'got typed',
        '/work',
        'input',
        '1000',
        'read-only',
        'nowhere else',
        'CapEff: 0000000000000000',
      ],
      output: '0123456789',
      removed: true,
    });
  });
});
