import { describe, expect, it } from 'vitest';
import { LIFETIME_OUTPUT_MAX_BYTES } from '../../../shared/governed/limits.ts';
import { OUTPUT_CREDIT } from '../../../shared/terminal/limits.ts';
import { sentLine } from './sent-line.ts';
import { turns } from './testing/fake-clock.ts';
import { GovernedBench } from './testing/governed-bench.ts';
import { ViewerFeed } from './viewer-feed.ts';

/** A page that acknowledges only when it is told to. */
function page() {
  const seen: string[] = [];
  let bytes = 0;
  let arrived = '';
  const feed = new ViewerFeed({
    arrived: (chunk) => {
      arrived += Buffer.from(chunk).toString();
    },
    output: (chunk) => {
      bytes += chunk.length;
      seen.push(Buffer.from(chunk).toString());
    },
    ended: () => seen.push('END'),
  });
  return { seen, feed, bytes: () => bytes, arrived: () => arrived };
}

describe('the watched copy', () => {
  it('is the raw output, escape sequences included, and its end comes last', async () => {
    const bench = new GovernedBench();
    const { feed, seen } = page();
    bench.workers.onStarted = (worker) => {
      worker.answer = () => '\x1b[31mred\x1b[0m\r\n> ';
      worker.print('> ');
    };
    await bench.reply({ viewer: feed });
    await bench.close();
    const sent = Buffer.from(sentLine(bench.callOf().text)).toString();
    expect(seen).toEqual(['> ', sent, '\x1b[31mred\x1b[0m\r\n> ', 'END']);
  });

  it('never holds the controller up, and loses nothing when the page falls behind (E31)', async () => {
    const bench = new GovernedBench();
    const { feed, seen, bytes } = page();
    const chunk = 'x'.repeat(64 * 1024);
    const session = { outputMaxBytes: 4_194_304 };
    bench.workers.onStarted = (worker) => {
      worker.answer = () => {
        for (let n = 0; n < 60; n++) worker.print(chunk);
        return '\r\n> ';
      };
      worker.print('> ');
    };
    const reply = await bench.reply({ viewer: feed, session, tool: 'box.go' });
    const sent = sentLine(bench.callOf({ tool: 'box.go' }).text).length;
    const total = 2 + sent + 60 * 65_536 + 4;
    expect(reply.results.output).toHaveLength(total - 2 - sent);
    expect(bytes()).toBeLessThanOrEqual(OUTPUT_CREDIT.high + 65_536);
    void bench.controller.close(bench.callOf().run);
    await turns();
    expect(seen.at(-1)).not.toBe('END');
    for (let parsed = -1; parsed < bytes(); ) {
      parsed = bytes();
      feed.parsed(parsed);
    }
    expect(bytes()).toBe(total);
    expect(seen.at(-1)).toBe('END');
  });

  it('E31 is bounded by what a session may write, however long its program goes on while it is removed', async () => {
    const bench = new GovernedBench();
    const { feed, bytes } = page();
    await bench.reply({ viewer: feed });
    const { worker } = bench.workers;
    const removed = Promise.withResolvers<void>();
    worker.onRelease = async () => {
      await removed.promise;
      return { removed: true, steps: [] };
    };
    for (let n = 0; n < 400; n++) worker.print('\0'.repeat(64 * 1024));
    await turns();
    removed.resolve();
    await turns();
    for (let parsed = -1; parsed < bytes(); ) {
      parsed = bytes();
      feed.parsed(parsed);
    }
    expect(bytes()).toBeGreaterThan(LIFETIME_OUTPUT_MAX_BYTES);
    expect(bytes()).toBeLessThan(LIFETIME_OUTPUT_MAX_BYTES + 64 * 1024 + 100);
  });

  it('ST-18 sends nothing while it is held, and everything in order afterwards, the end last', () => {
    const { feed, seen, arrived } = page();
    feed.push(Buffer.from('a'));
    feed.setHeld(true);
    feed.push(Buffer.from('b'));
    feed.parsed(1);
    feed.end();
    // The recording has it at once.
    expect([seen, arrived()]).toEqual([['a'], 'ab']);
    feed.setHeld(false);
    expect(seen).toEqual(['a', 'b', 'END']);
  });

  it('ends with its page', () => {
    const { feed, seen } = page();
    feed.dispose();
    feed.push(Buffer.from('x'));
    feed.end();
    expect(seen).toEqual([]);
  });
});
