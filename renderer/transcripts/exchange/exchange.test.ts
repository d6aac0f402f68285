import { describe, expect, it } from 'vitest';
import { EXCHANGE, IMPORT_MAX_BYTES, PIECE_MAX_BYTES } from '../../../shared/transcripts/limits.ts';
import { base64OfBytes, bytesOfBase64 } from '../base64.ts';
import { FakeTimers } from '../testing/fake-timers.ts';
import { ID, MemoryHost } from '../testing/memory-transcript.ts';
import { holdExport, readExport } from './download.ts';
import { ExportMaking } from './make-export.ts';
import { importFile } from './read-import.ts';
import { NO_WISHES, withRedaction, withTyped } from './wishes.ts';

const EXPORT = '5f0c8f5e-6a51-4d0c-8c9a-0a1b2c3d4e5f';

function exported(content: Uint8Array, pieceBytes = 4): MemoryHost {
  return new MemoryHost({
    'transcripts.piece': ({ offset }) => ({
      base64: base64OfBytes(content.slice(offset, offset + pieceBytes)),
    }),
  });
}

describe('an export', () => {
  it('is read piece by piece to its end', async () => {
    const content = Uint8Array.from({ length: 11 }, (_, n) => 250 + n);
    const shares: number[] = [];
    const end = await readExport(
      exported(content),
      { exportId: EXPORT, bytes: 11 },
      (share) => shares.push(share),
      () => false,
    );
    expect(end.kind === 'complete' && end.pieces.flatMap((piece) => [...piece])).toEqual([...content]);
    expect(shares).toEqual([4 / 11, 8 / 11, 1]);
  });

  it('that ends early is no file', async () => {
    const end = await readExport(
      exported(new Uint8Array(7)),
      { exportId: EXPORT, bytes: 9 },
      () => {},
      () => false,
    );
    expect(end).toEqual({ kind: 'failed', why: '7 of 9 bytes came. Export it once more.' });
  });

  it('is kept for as long as its report is looked at', async () => {
    const host = exported(new Uint8Array(5));
    const timers = new FakeTimers();
    const hold = holdExport(host, { exportId: EXPORT, bytes: 5 }, timers);
    await timers.advance(3 * EXCHANGE.keptMs);
    const asked = host.asked.length;
    expect(asked).toBeGreaterThan(3);
    expect(new Set(host.asked.map(({ params }) => (params as { offset: number }).offset))).toEqual(
      new Set([5]),
    );
    hold.dispose();
    await timers.advance(3 * EXCHANGE.keptMs);
    expect(host.asked.length).toBe(asked);
  });

  it('can be cancelled on the way', async () => {
    let pieces = 0;
    const host = exported(new Uint8Array(1_000));
    const end = await readExport(
      host,
      { exportId: EXPORT, bytes: 1_000 },
      () => (pieces += 1),
      () => pieces === 2,
    );
    expect(end).toEqual({ kind: 'cancelled' });
    expect(host.asked.length).toBe(2);
  });
});

describe('what is wanted of an export', () => {
  const typed = { ...NO_WISHES, pattern: 'sk_[a-z]+' };
  const pattern = { kind: 'pattern', pattern: 'sk_[a-z]+' } as const;

  it('has a pattern that is typed and was not added', () => {
    expect(withTyped(typed)).toEqual({ ...NO_WISHES, redactions: [pattern] });
    expect(withTyped(NO_WISHES)).toBe(NO_WISHES);
  });

  it('has each redaction once', () => {
    const once = withRedaction(typed, pattern);
    expect(withRedaction(once, pattern)).toBe(once);
    expect(withTyped(once)).toEqual({ ...NO_WISHES, redactions: [pattern] });
  });
});

describe('an export that is being made', () => {
  const wish = { id: ID, format: 'cast', redactions: [], withInput: false } as const;
  const report = { exportId: EXPORT, bytes: 1 } as never;
  const gated = () => {
    const gate = Promise.withResolvers<never>();
    const host = new MemoryHost({
      'transcripts.progress': () => ({ share: 0.5, bytes: 20 }),
      'transcripts.cancel': () => ({}),
    });
    const { request } = host;
    host.request = (async (verb: 'transcripts.export', params: never) => {
      const answer = await request.call(host, verb, params);
      return verb === 'transcripts.export' ? gate.promise : answer;
    }) as never;
    return { host, answer: gate.resolve };
  };
  const verbs = (host: MemoryHost) => host.asked.map(({ verb }) => verb.replace('transcripts.', ''));

  it('says how far it is, from the first second on', async () => {
    const { host, answer } = gated();
    const timers = new FakeTimers();
    const said: unknown[] = [];
    const making = new ExportMaking(host, { ...wish, redactions: [] }, timers, (done) => said.push(done));
    await timers.advance(999);
    expect(verbs(host)).toEqual(['export']);
    await timers.advance(251);
    expect(said).toEqual([
      { share: 0.5, bytes: 20 },
      { share: 0.5, bytes: 20 },
    ]);
    answer({ ok: true, value: report } as never);
    expect(await making.end).toEqual({ kind: 'made', report });
    await timers.advance(5_000);
    making.dispose();
    expect(verbs(host)).toEqual(['export', 'progress', 'progress']);
  });

  it('is cancelled at the host, by its id', async () => {
    const { host, answer } = gated();
    const timers = new FakeTimers();
    const making = new ExportMaking(host, { ...wish, redactions: [] }, timers, () => {});
    await timers.advance(10);
    making.dispose();
    await timers.advance(5_000);
    const [asked, cancel] = host.asked.map(({ params }) => params as { exportId: string });
    expect(verbs(host)).toEqual(['export', 'cancel']);
    expect(cancel?.exportId).toBe(asked?.exportId);
    answer({ ok: false, error: { message: 'cancelled' } } as never);
    expect(await making.end).toEqual({ kind: 'cancelled' });
  });
});

function file(content: Uint8Array, size = content.length) {
  return {
    name: 'demo.cast',
    size,
    slice: (start: number, end: number) => ({
      arrayBuffer: async () => content.slice(start, end).buffer as ArrayBuffer,
    }),
  };
}

describe('an import', () => {
  const transcript = { id: ID, title: 'demo' } as never;

  it('sends the whole file in pieces, in order', async () => {
    const content = Uint8Array.from({ length: PIECE_MAX_BYTES + 10 }, (_, n) => n % 251);
    const host = new MemoryHost({
      'transcripts.import': ({ last }) => ({ transcript: last ? transcript : null }),
    });
    const end = await importFile(
      host,
      file(content),
      () => {},
      () => false,
    );
    expect(end.kind).toBe('imported');
    const sent = host.asked.map(({ params }) => params as { offset: number; base64: string; last: boolean });
    expect(sent.map(({ offset, last }) => [offset, last])).toEqual([
      [0, false],
      [PIECE_MAX_BYTES, true],
    ]);
    expect(sent.flatMap(({ base64 }) => [...bytesOfBase64(base64)])).toEqual([...content]);
  });

  it('says which line is wrong and why', async () => {
    const host = new MemoryHost({});
    host.request = async () =>
      ({ ok: false, error: { message: 'Line 3 is no event: it has two fields.' } }) as never;
    expect(
      await importFile(
        host,
        file(new Uint8Array(3)),
        () => {},
        () => false,
      ),
    ).toEqual({
      kind: 'refused',
      why: 'Line 3 is no event: it has two fields.',
    });
  });

  it.each([1, 2])('that is cancelled while piece %i is on its way tells nothing more', async (piece) => {
    const host = new MemoryHost({
      'transcripts.import': ({ last }) => ({ transcript: last ? transcript : null }),
    });
    const shares: number[] = [];
    const end = await importFile(
      host,
      file(new Uint8Array(PIECE_MAX_BYTES + 10)),
      (share) => shares.push(share),
      () => host.asked.length === piece,
    );
    expect(end).toEqual({ kind: 'cancelled' });
    expect(shares.length).toBe(piece - 1);
  });

  it('of an empty or a too large file does not begin', async () => {
    const host = new MemoryHost({});
    const none = await importFile(
      host,
      file(new Uint8Array(0)),
      () => {},
      () => false,
    );
    const large = await importFile(
      host,
      file(new Uint8Array(0), IMPORT_MAX_BYTES + 1),
      () => {},
      () => false,
    );
    expect([none.kind, large.kind]).toEqual(['refused', 'refused']);
    expect(host.asked).toEqual([]);
  });
});
