import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { SandboxIdentity } from '../engine.ts';
import { smolvmWorkbench } from './testing/workbench.ts';

const HOST = fileURLToPath(new URL('./testing/lone-host.ts', import.meta.url));
const bench = smolvmWorkbench();

it('rule 10: the machine of a host that lives has a session, that of a killed one is blocked (ST-26)', async () => {
  const host = spawn(process.execPath, [HOST, bench.peer.address, bench.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(host.stdout), 'line')) as [string];
    const identity = JSON.parse(line) as SandboxIdentity;
    const place = { address: bench.peer.address, machine: 'dev' };
    await expect(bench.open()).rejects.toThrow('has a session already');
    expect(await bench.engine.machines.resolve(place)).toMatchObject({
      ok: false,
      error: { kind: 'blocked' },
    });

    host.kill('SIGKILL');
    await once(host, 'exit');
    const report = { kind: 'mismatch', reason: expect.stringContaining('Airlock ended while it was open.') };
    expect(await bench.engine.recover(identity)).toEqual(report);
    expect(await bench.engine.recover(identity)).toEqual(report);
    await expect(bench.open()).rejects.toThrow('is blocked');
    expect(bench.peer.upgrades).toHaveLength(1);

    expect(await bench.engine.machines.resolve(place)).toMatchObject({ ok: true });
    expect(await bench.engine.recover(identity)).toEqual({ kind: 'absent' });
    await bench.open();
  } finally {
    host.kill('SIGKILL');
  }
});
