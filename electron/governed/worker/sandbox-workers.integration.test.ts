import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WORKER_DIRECTORY } from '../../../shared/terminal/inside.ts';
import { processesWith } from '../../sandbox/testing/sandbox-shell.ts';
import { waitUntil } from '../../sandbox/wait.ts';
import { readLedgers } from '../../session/testing/ledgers.ts';
import { FolderFiles } from './testing/folder-files.ts';
import { PROFILE, WorkerBench } from './testing/worker-bench.ts';

let bench: WorkerBench;
let files: FolderFiles;
beforeEach(() => {
  bench = new WorkerBench();
  files = new FolderFiles({ path: 'data/rates.csv', content: 'EUR,1\n' }, 'data/report.csv');
});
afterEach(async () => {
  await bench.close();
  files.close();
});

describe('E14 a worker', () => {
  it('has TERM=dumb in its environment and nothing else, whatever the profile says', async () => {
    const profile = { ...PROFILE, environment: { SECRET: 'x' }, command: ['/bin/false'] };
    // By the kernel's word: a shell adds variables of its own to what it passes on.
    expect(await bench.run('', { argv: ['cat', '/proc/self/environ'], profile })).toBe('TERM=dumb\0');
  });

  it('gets its words literally: no shell comes in between', async () => {
    const argv = ['/usr/bin/printf', '%s|', '$HOME', '`id`', ';', "it's", '', 'a b', '*', '\\n'];
    expect(await bench.run('', { argv })).toBe("$HOME|`id`|;|it's||a b|*|\\n|");
  });

  it('is on a terminal of 80x24 that does not echo, with job control, as a user without rights', async () => {
    const { worker, text, shows } = await bench.start(
      'stty size; id -u; tty; read -r line; echo "got $line"',
    );
    await shows('/dev/');
    await worker.write(Buffer.from('hello\n'));
    await worker.ended;
    expect(text()).toMatch(/^24 80\r\n1000\r\n\/dev\/(pts\/\d+|console|tty)\r\ngot hello\r\n$/);
  });

  it('does not echo what comes before its program even runs', async () => {
    const { worker, text } = await bench.start('sleep 0.2; read -r line; echo "got $line"');
    await worker.write(Buffer.from('early\n'));
    await worker.ended;
    expect(text()).toBe('got early\r\n');
  });

  it('has no network', async () => {
    expect(await bench.run('cat /proc/net/dev | grep -c :')).toBe('1\r\n');
    expect((await bench.start('true')).worker.posture).toMatchObject({ network: 'none', mounts: [] });
  });

  it('F6 sees the mounted files and no other of the host', async () => {
    const text = await bench.run('pwd; ls -1A . data; cat data/rates.csv; ls -1A /home /home/u', files);
    expect(text).toBe(
      `${WORKER_DIRECTORY}\r\n.:\r\ndata\r\n\r\ndata:\r\nrates.csv\r\nreport.csv\r\nEUR,1\r\n/home:\r\nu\r\n\r\n/home/u:\r\n.bashrc\r\n`,
    );
  });

  it('F6 writes the output in place, and nothing else: not the input, not beside it, no replacing', async () => {
    const script = `
      echo row >> data/report.csv
      for try in 'echo x >> data/rates.csv' 'echo x > data/other' 'echo x > other' 'rm -f data/report.csv' 'mv /tmp/new data/report.csv'
      do touch /tmp/new; sh -c "$try" 2>/dev/null && echo "DID $try"; done; echo end`;
    const { worker, shows, text } = await bench.start(script, files);
    await shows('end');
    expect(text()).toBe('end\r\n');
    expect(await files.stagedBytes()).toBe(4);
    expect(worker.posture.mounts).toEqual([
      { source: files.mounts[0]?.source, target: `${WORKER_DIRECTORY}/data/rates.csv`, access: 'read-only' },
      {
        source: files.mounts[1]?.source,
        target: `${WORKER_DIRECTORY}/data/report.csv`,
        access: 'read-write',
      },
    ]);
  });

  it('F6 cannot write a file larger than its bound, to the byte', async () => {
    const part = { mounts: files.mounts, fileMaxBytes: 1_001 };
    const { worker, shows } = await bench.start(
      'head -c 5000 /dev/zero > data/report.csv; head -c 5000 /dev/zero > /tmp/x; wc -c < /tmp/x; echo end',
      part,
    );
    await shows('1001\r\nend');
    expect(await files.stagedBytes()).toBe(1_001);
    expect(worker.posture.limits.fileBytes).toBe(1_001);
  });

  it('F6 refuses a mount that is no plain file of its own, and a place outside of the working directory', async () => {
    const link = join(files.folder, 'link');
    symlinkSync('/etc/hostname', link);
    for (const source of [link, files.folder, join(files.folder, 'nothing'), 'relative']) {
      const mounts = [{ source, target: 'x', access: 'read-only' }] as const;
      await expect(bench.start('true', { mounts })).rejects.toMatchObject({ tag: 'profile-invalid' });
    }
    const source = files.mounts[0]?.source ?? '';
    for (const target of ['../x', '/x', 'a//b', './x', '', 'a\nb']) {
      const mounts = [{ source, target, access: 'read-only' }] as const;
      await expect(bench.start('true', { mounts })).rejects.toMatchObject({ tag: 'profile-invalid' });
    }
  });

  it('that cannot be executed says so', async () => {
    await expect(bench.start('', { argv: ['/nowhere/program'] })).rejects.toMatchObject({
      tag: 'open-failed',
      message: expect.stringContaining('"/nowhere/program" could not be started in the sandbox'),
    });
  });

  it('E10.4 runs on no engine that does not keep these promises', async () => {
    const profile = { ...PROFILE, engine: 'container' as const };
    expect(bench.workers.supports('container')).toBe(false);
    await expect(bench.start('true', { profile })).rejects.toMatchObject({ tag: 'engine-unavailable' });
  });

  it('is gone with everything that it started when it is released, and the ledger says so', async () => {
    const marker = `governed-${process.pid}-daemon`;
    const { worker, shows } = await bench.start(
      `setsid sh -c 'trap "" HUP TERM; echo up; exec sleep 1000 ${marker} 2>/dev/null || while :; do sleep 1; done' ${marker} & sleep 1000`,
    );
    await shows('up');
    expect(processesWith(marker).length).toBeGreaterThan(0);
    expect(await worker.release()).toMatchObject({ removed: true });
    expect(processesWith(marker)).toEqual([]);
    expect(readLedgers(bench.ledger.folder).map(({ event }) => event)).toEqual([
      'intent',
      'committed',
      'releasing',
      'clean',
    ]);
  });

  it('E15 that is given up while it starts leaves nothing, and rejects with the reason', async () => {
    const abort = new AbortController();
    const marker = `governed-${process.pid}-given-up`;
    const starting = bench.start(`sleep 1000; : ${marker}`, {}, abort.signal);
    const reason = new Error('given up');
    expect(await waitUntil(() => processesWith(marker).length > 0, 20_000)).toBe(true);
    abort.abort(reason);
    await starting.then(
      ({ worker }) => worker.release(),
      (error) => expect(error).toBe(reason),
    );
    expect(processesWith(marker)).toEqual([]);
  });
});
