import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { PullProgress } from '../../../shared/protocol/engine-requests.ts';
import { isImageName } from './image-name.ts';
import { followPull } from './images.ts';

const follow = async (parts: readonly string[], signal = new AbortController().signal) => {
  const seen: PullProgress[] = [];
  await followPull(
    Readable.from(parts.map((part) => Buffer.from(part))),
    (progress) => seen.push(progress),
    signal,
  );
  return seen;
};
const line = (value: object) => `${JSON.stringify(value)}\n`;

describe('the progress of a pull', () => {
  it('adds up the layers, wherever its lines are cut', async () => {
    const text =
      line({ status: 'Pulling fs layer', id: 'a' }) +
      line({ status: 'Downloading', id: 'a', progressDetail: { current: 5, total: 10 } }) +
      line({ status: 'Downloading', id: 'b', progressDetail: { current: 1, total: 100 } }) +
      line({ status: 'Download complete', id: 'a', progressDetail: {} });
    for (const cut of [1, 30, 60, 61, text.length - 2]) {
      const seen = await follow([text.slice(0, cut), text.slice(cut)]);
      expect(seen.map(({ doneBytes, totalBytes }) => [doneBytes, totalBytes])).toEqual([
        [0, null],
        [5, 10],
        [6, 110],
        [11, 110],
      ]);
    }
  });

  it('does not go back when a layer is gone on with after a failure', async () => {
    const downloading = (current: number, total: number) =>
      line({ status: 'Downloading', id: 'a', progressDetail: { current, total } });
    const seen = await follow([downloading(60, 100), downloading(10, 40), downloading(40, 40)]);
    expect(seen.map(({ doneBytes, totalBytes }) => [doneBytes, totalBytes])).toEqual([
      [60, 100],
      [70, 100],
      [100, 100],
    ]);
  });

  it('is no progress when the daemon says an error, a line without an end, or something else', async () => {
    await expect(follow([line({ error: 'not found\u001b[2J' })])).rejects.toThrow(
      'The image was not pulled: not found [2J',
    );
    await expect(follow(['x'.repeat(70_000)])).rejects.toThrow('longer than any pull');
    await expect(follow(['[1]\n'])).rejects.toThrow('none that Airlock understands');
  });

  it('is told without control characters, and bounded', async () => {
    const [progress] = await follow([line({ status: `a\u0007${'b'.repeat(1_000)}` })]);
    expect(progress?.text).toMatch(/^a b+$/);
    expect(progress?.text.length).toBe(256);
  });

  it('ends when it is cancelled, with the reason', async () => {
    const cancel = new AbortController();
    const endless = new Readable({ read() {} });
    const following = followPull(endless, () => {}, cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(following).rejects.toThrow('cancelled');
    expect(endless.destroyed).toBe(true);
  });
});

it.each([
  ['debian', true],
  ['debian:12', true],
  ['ghcr.io/a/b-c_d:1.0', true],
  ['localhost:5000/x', true],
  [`sha256:${'a'.repeat(64)}`, true],
  ['../json', false],
  ['a/../b', false],
  ['a?b=c', false],
  ['a b', false],
  ['-a', false],
  ['', false],
])('%s is the name of an image: %s', (name, is) => {
  expect(isImageName(name)).toBe(is);
});
