import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStatus, StatusReader } from './status.ts';

const LINES = '{ "child-pid": 4242, "pid-namespace": 4026532181 }\n\n{ "exit-code": 42 }\n';

describe('the status that bwrap reports', () => {
  it('is the same however the pipe cuts it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: LINES.length - 1 }), { maxLength: 8 }),
        async (cuts) => {
          const pipe = new PassThrough();
          const status = new StatusReader(pipe);
          const ends = [...new Set(cuts)].sort((a, b) => a - b);
          for (const [index, end] of [...ends, LINES.length].entries())
            pipe.write(LINES.slice(ends[index - 1] ?? 0, end));
          pipe.end();
          expect(await status.childPid).toBe(4242);
          expect(await status.complete).toEqual({ childPid: 4242, exitCode: 42 });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('does not count a line that is not whole', () => {
    expect(parseStatus('{ "child-pid": 42')).toEqual({ childPid: null, exitCode: null });
  });

  it.each([
    '{ "exit-code": 256 }\n',
    '{ "exit-code": -1 }\n',
    '{ "exit-code": "0" }\n',
    '{ "exit-code": null }\n',
    'null\n',
    'not json\n',
  ])('ST-22 never takes %j for an exit code', (text) => {
    expect(parseStatus(text).exitCode).toBeNull();
  });

  it('ST-22 is empty when bwrap says nothing', async () => {
    const pipe = new PassThrough();
    const status = new StatusReader(pipe);
    pipe.end();
    expect(await status.childPid).toBeNull();
    expect(await status.complete).toEqual({ childPid: null, exitCode: null });
  });
});
