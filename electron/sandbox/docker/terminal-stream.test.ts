import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { TerminalStream } from './terminal-stream.ts';

it('ST-2 what comes at once after the bytes that were taken is not lost', async () => {
  const raw = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const stream = new TerminalStream(raw);
  const endOfLine = (bytes: Buffer) => bytes.indexOf('\n') + 1 || null;
  const first = stream.take(endOfLine, 10_000);
  for (const line of ['one\n', 'two\n', 'three']) raw.push(line);
  expect(String(await first)).toBe('one\n');
  expect(String(await stream.take(endOfLine, 10_000))).toBe('two\n');
  let heard = '';
  stream.onOutput((bytes) => {
    heard += Buffer.from(bytes).toString();
  });
  raw.push(null);
  await stream.closed;
  expect(heard).toBe('three');
});
