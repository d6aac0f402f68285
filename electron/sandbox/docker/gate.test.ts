import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Gate } from './gate.ts';

const SHELLS = [['/bin/sh'], ['/bin/busybox', 'sh'], ['/bin/bash', '--norc', '--posix']].filter(
  ([program]) => process.platform === 'linux' && existsSync(program ?? ''),
);

describe.each(SHELLS)('what %s %s says before a program begins', (program = '', ...args) => {
  const saidWith = (env: NodeJS.ProcessEnv) => {
    const [, ...script] = new Gate({ forWorker: false, mounts: ['/'] }).wrap(['/bin/true']);
    return spawnSync(program, [...args, ...script], { env, input: 'no\n', encoding: 'utf8' });
  };

  it.each(['/nowhere', undefined])('is what is mounted, wherever the PATH of a profile leads: %s', (path) => {
    const { stdout, status } = saidWith(path === undefined ? {} : { PATH: path });
    const { dev, ino } = statSync('/');
    expect(stdout).toMatch(new RegExp(String.raw`^\w+ ok \[\] \[${dev} ${ino} .*\] \S+ \d+ Linux `));
    expect(status).toBe(125);
  });
});
