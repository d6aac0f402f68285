import { closeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openPty } from '../../pty/native.ts';
import { withoutDescriptors } from '../../testing/without-descriptors.ts';
import { MonitorProcess } from './process.ts';

it('a monitor gets the descriptors that are named and no environment, and no terminal of another sandbox', async () => {
  const { master, slave } = openPty({ cols: 80, rows: 24 });
  const look = '(cd /proc/$$/fd && echo *); tr "\\0" " " </proc/$$/environ; echo end';
  const monitor = await MonitorProcess.start({
    program: '/bin/sh',
    args: ['-c', look],
    folder: '/',
    descriptors: ['pipe', 'pipe'],
  });
  await monitor.exited;
  await expect.poll(() => monitor.inWords()).toContain('end');
  expect(monitor.inWords()).toBe('the monitor ended with code 0; last words: 0 1 2 3 4 end');
  for (const descriptor of [master, slave]) closeSync(descriptor);
});

it('a monitor for which the host has no descriptors left is not started, with the reason', async () => {
  const start = () =>
    MonitorProcess.start({ program: '/bin/true', args: [], folder: '/', descriptors: ['pipe', 'pipe'] });
  await withoutDescriptors(async () => {
    await expect(start()).rejects.toThrow(/\/bin\/bash could not be started: .*EMFILE/);
  });
  await (await start()).exited;
});
