import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TestHost } from './connection/testing/test-host.ts';
import { MemoryEngine } from './session/testing/memory-sandbox.ts';
import { readEvents } from './transcripts/cast/reader.ts';

it('closing goes on after a step that fails: it is reported, and recordings get their end', async () => {
  const test = new TestHost(new MemoryEngine());
  await test.host.governed;
  const { sessionId } = await (await test.client()).open();
  // The audit log is closed before the recordings, and cannot give up a lock that is a folder.
  const lock = join(test.dataDir, 'audit', 'lock.json');
  rmSync(lock);
  mkdirSync(lock);
  expect(await test.host.close('The test is over.')).toEqual({ sessions: 1, unconfirmed: 0 });
  expect(test.faults).toMatchObject([{ syscall: 'unlink', path: lock }]);
  const events = [...readEvents(test.host.recordings.folderOf(sessionId))];
  expect(events.at(-1)).toMatchObject({ kind: 'ended' });
  await test.dispose();
});
