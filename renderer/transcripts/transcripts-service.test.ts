import { beforeEach, describe, expect, it } from 'vitest';
import { useAnnouncement } from '../state/announcements-store.ts';
import { NO_QUERY, useTranscripts } from '../state/transcripts-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { FakeTimers, settle } from './testing/fake-timers.ts';
import { ID, MemoryHost } from './testing/memory-transcript.ts';
import { TranscriptsService } from './transcripts-service.ts';

const OTHER = '7c1b3a8f-5e4d-4c2b-8d9e-2f3a4b5c6d7e';
const kept = { count: 3, bytes: 10, maxBytes: 100 };
const place = (id: string) => ({ id, within: 0 });
const list = (ids: string[], next: string | null = null) => ({
  transcripts: ids.map((id) => ({ id, hitCount: 0 }) as never),
  total: 3,
  hitCount: 0,
  next: next === null ? null : place(next),
  kept,
  indexing: 0,
});

function setUp(handlers: ConstructorParameters<typeof MemoryHost>[0]) {
  const host = new MemoryHost(handlers);
  const timers = new FakeTimers();
  const searched = () =>
    host.asked
      .filter(({ verb }) => verb === 'transcripts.list')
      .map(({ params }) => (params as { search: string }).search);
  return { host, timers, searched, service: new TranscriptsService(host, timers) };
}

beforeEach(() => {
  useTranscripts.setState({
    query: NO_QUERY,
    found: null,
    searching: false,
    error: null,
    kept: null,
    landing: null,
    importing: { kind: 'none' },
  });
  useWorkspace.setState({ place: 'transcripts' });
});

describe('searching as one types', () => {
  it('asks once when the typist pauses', async () => {
    const { timers, searched, service } = setUp({ 'transcripts.list': () => list([ID]) });
    for (const search of ['E', 'EC', 'ECO']) {
      service.look({ search });
      await timers.advance(50);
    }
    expect(searched()).toEqual([]);
    await timers.advance(200);
    expect(searched()).toEqual(['ECO']);
    expect(useTranscripts.getState().found?.query.search).toBe('ECO');
  });

  it('drops an answer that a newer question has overtaken', async () => {
    const { host, service } = setUp({
      'transcripts.list': ({ search }) => list(search === 'old' ? [OTHER] : [ID]),
    });
    const slow = Promise.withResolvers<void>();
    useTranscripts.setState({ query: { ...NO_QUERY, search: 'old' } });
    host.gate = slow.promise;
    const first = service.load();
    host.gate = null;
    useTranscripts.setState({ query: { ...NO_QUERY, search: 'new' } });
    await service.load();
    slow.resolve();
    await first;
    expect(useTranscripts.getState().found?.transcripts.map(({ id }) => id)).toEqual([ID]);
  });

  it('asks at once for another filter', async () => {
    const { searched, service } = setUp({ 'transcripts.list': () => list([ID]) });
    service.look({ filters: { kind: 'governed' } });
    await settle();
    expect(searched()).toEqual(['']);
  });

  it('says why there is no answer', async () => {
    const { service } = setUp({});
    await service.load();
    expect(useTranscripts.getState()).toMatchObject({
      searching: false,
      error: 'transcripts.list is not known here.',
    });
  });
});

describe('the list', () => {
  it('goes on after its last transcript, and takes none of it twice', async () => {
    const { host, service } = setUp({
      'transcripts.list': ({ from }) => (from === undefined ? list([ID], OTHER) : list([ID, OTHER])),
    });
    await service.load();
    await Promise.all([service.loadMore(), service.loadMore()]);
    expect(useTranscripts.getState().found?.transcripts.map(({ id }) => id)).toEqual([ID, OTHER]);
    const places = host.asked.map(({ params }) => (params as { from?: unknown }).from);
    expect(places).toEqual([undefined, place(OTHER)]);
  });

  it('stays as long as it is when it is asked for anew', async () => {
    const all = Array.from({ length: 260 }, (_, n) => `id-${n}`);
    const { host, service } = setUp({
      'transcripts.list': ({ from, limit }) => {
        const start = from === undefined ? 0 : all.indexOf(from.id);
        return list(all.slice(start, start + limit), all[start + limit] ?? null);
      },
    });
    await service.load();
    for (let page = 0; page < 4; page += 1) await service.loadMore();
    const before = host.asked.length;
    const [gone] = all.splice(3, 1);
    await service.load();
    const shown = useTranscripts.getState().found?.transcripts.map(({ id }) => id) ?? [];
    expect(shown).toEqual(all.slice(0, 250));
    expect(shown).not.toContain(gone);
    expect(host.asked.slice(before).map(({ params }) => (params as { limit: number }).limit)).toEqual([
      100, 100, 50,
    ]);
  });

  it('is asked for once in a second of changes, and only while it is looked at', async () => {
    const { timers, searched, service } = setUp({ 'transcripts.list': () => list([ID]) });
    for (let n = 0; n < 20; n += 1) service.changed();
    await timers.advance(1_000);
    expect(searched().length).toBe(1);
    useWorkspace.setState({ place: 'sessions' });
    service.changed();
    await timers.advance(5_000);
    expect(searched().length).toBe(1);
  });

  it('that takes longer than a second is not overtaken by changes, and asked for once more when it is here', async () => {
    const { host, timers, searched, service } = setUp({ 'transcripts.list': () => list([ID]) });
    let unanswered = 0;
    let most = 0;
    const { request } = host;
    host.request = async (...asked) => {
      unanswered += 1;
      most = Math.max(most, unanswered);
      const answer = await request.apply(host, asked);
      await new Promise<void>((resolve) => timers.after(1_500, resolve));
      unanswered -= 1;
      return answer as never;
    };
    service.look({ raw: true });
    for (let half = 0; half < 3; half += 1) {
      service.changed();
      await timers.advance(500);
    }
    expect(useTranscripts.getState()).toMatchObject({ searching: false, found: { query: { raw: true } } });
    for (let half = 0; half < 20; half += 1) {
      service.changed();
      await timers.advance(500);
    }
    expect(most).toBe(1);
    expect(searched().length).toBeGreaterThan(3);
    const before = searched().length;
    await timers.advance(10_000);
    expect(searched().length - before).toBeLessThanOrEqual(2);
    expect(useTranscripts.getState().searching).toBe(false);
  });

  it('of another query is not replaced by a late page of the one before', async () => {
    const { host, service } = setUp({
      'transcripts.list': ({ filters, from }) => list([filters.kind ?? from?.id ?? ID], OTHER),
    });
    await service.load();
    service.look({ filters: { kind: 'governed' } });
    const slow = Promise.withResolvers<void>();
    host.gate = slow.promise;
    const late = service.loadMore();
    await settle();
    slow.resolve();
    await late;
    const { found } = useTranscripts.getState();
    expect(found?.query.filters).toEqual({ kind: 'governed' });
    expect(found?.transcripts.map(({ id }) => id)).toEqual(['governed']);
  });

  it('that was asked for anew goes on from there, whatever page is still on its way', async () => {
    const { host, service } = setUp({
      'transcripts.list': ({ from }) => list([from?.id ?? ID], OTHER),
    });
    await service.load();
    const slow = Promise.withResolvers<void>();
    host.gate = slow.promise;
    const late = service.loadMore();
    host.gate = null;
    await service.load();
    await service.loadMore();
    slow.resolve();
    await late;
    expect(useTranscripts.getState().found?.transcripts.map(({ id }) => id)).toEqual([ID, OTHER]);
  });

  it('of a search that takes long is looked on for to its end, and asked for anew to its end', async () => {
    const pages = ['1', '2', '3'];
    const { host, service } = setUp({
      'transcripts.list': ({ from }) =>
        list(from?.id === '3' ? [ID] : [], pages[Number(from?.id ?? 0)] ?? null),
    });
    service.look({ raw: true });
    await settle();
    expect(useTranscripts.getState().found).toMatchObject({ transcripts: [], next: place('1') });
    while (useTranscripts.getState().found?.next !== null) await service.loadMore();
    const { found } = useTranscripts.getState();
    expect(found?.transcripts.map(({ id }) => id)).toEqual([ID]);
    await service.load();
    expect(useTranscripts.getState().found).toEqual(found);
    expect(host.asked.length).toBe(8);
  });

  it('of which nothing is known says why it cannot be looked on for', async () => {
    const { host, service } = setUp({ 'transcripts.list': () => list([], OTHER) });
    await service.load();
    host.request = async () => ({ ok: false, error: { tag: 'internal', message: 'Gone.' } }) as never;
    await service.loadMore();
    expect(useTranscripts.getState().error).toBe('Gone.');
  });

  it('is unknown when the connection is lost, whatever answer still comes', async () => {
    const { host, service } = setUp({ 'transcripts.list': () => list([ID]) });
    const slow = Promise.withResolvers<void>();
    host.gate = slow.promise;
    const loading = service.load();
    service.connectionLost();
    slow.resolve();
    await loading;
    expect(useTranscripts.getState().found).toBe(null);
  });
});

describe('from a decision or a receipt', () => {
  const moment = (atMs: number) => ({
    transcriptId: ID,
    moment: { kind: 'notice' as const, atMs, label: '', text: '' },
  });

  it('leads to the last moment of it', async () => {
    const { service } = setUp({ 'transcripts.moments': () => ({ moments: [moment(100), moment(900)] }) });
    expect(await service.openMoment({ approvalId: OTHER })).toBe(null);
    expect(useTranscripts.getState().landing).toMatchObject({ id: ID, atMs: 900 });
  });

  it('says so where nothing was recorded', async () => {
    const { service } = setUp({ 'transcripts.moments': () => ({ moments: [] }) });
    useWorkspace.setState({ place: 'approvals' });
    expect(await service.openMoment({ receiptId: OTHER })).toBe('Nothing of this was recorded.');
    expect(useWorkspace.getState().place).toBe('approvals');
  });
});

it('deleting a transcript closes it and asks for the list anew', async () => {
  const { host, service } = setUp({
    'transcripts.list': () => list([]),
    'transcripts.delete': ({ ids }) => ({ deleted: ids.length, bytes: 10 }),
  });
  service.openSession(ID);
  expect(await service.remove([ID])).toBe(null);
  expect(useTranscripts.getState().landing).toBe(null);
  expect(host.asked.map(({ verb }) => verb)).toEqual(['transcripts.delete', 'transcripts.list']);
});

describe('an import', () => {
  const file = {
    name: 'demo.cast',
    size: 3,
    slice: () => ({ arrayBuffer: async () => new ArrayBuffer(3) }),
  };
  const { importing: none } = useTranscripts.getInitialState();

  it('is opened where one waits for it', async () => {
    const { service } = setUp({
      'transcripts.import': () => ({ transcript: { id: ID } as never }),
      'transcripts.list': () => list([ID]),
    });
    await service.import(file);
    expect(useTranscripts.getState()).toMatchObject({ landing: { id: ID }, importing: none });
  });

  it('that ends when one has gone elsewhere takes nobody along, and is in the list', async () => {
    const { host, service } = setUp({
      'transcripts.import': () => ({ transcript: { id: ID } as never }),
      'transcripts.list': () => list([ID]),
    });
    const slow = Promise.withResolvers<void>();
    host.gate = slow.promise;
    const importing = service.import(file);
    await settle();
    useWorkspace.setState({ place: 'sessions' });
    expect(useTranscripts.getState().importing).toMatchObject({ kind: 'reading', name: 'demo.cast' });
    slow.resolve();
    await importing;
    await settle();
    expect(useWorkspace.getState().place).toBe('sessions');
    expect(useAnnouncement.getState().text).toBe('demo.cast was imported.');
    expect(useTranscripts.getState()).toMatchObject({ landing: null, importing: none });
    expect(useTranscripts.getState().found?.transcripts.map(({ id }) => id)).toEqual([ID]);
  });

  it('that is refused meanwhile still says why when one comes back, until that is dismissed', async () => {
    const { service } = setUp({});
    useWorkspace.setState({ place: 'sessions' });
    await service.import(file);
    const why = 'transcripts.import is not known here.';
    expect(useTranscripts.getState().importing).toEqual({ kind: 'refused', name: 'demo.cast', why });
    expect(useAnnouncement.getState().text).toBe('demo.cast was not imported.');
    service.endImport();
    expect(useTranscripts.getState().importing).toEqual(none);
  });

  it('that is cancelled shows nothing of itself any more', async () => {
    const { host, service } = setUp({ 'transcripts.import': () => ({ transcript: { id: ID } as never }) });
    const slow = Promise.withResolvers<void>();
    host.gate = slow.promise;
    const importing = service.import(file);
    await settle();
    service.endImport();
    slow.resolve();
    await importing;
    expect(useTranscripts.getState()).toMatchObject({ landing: null, importing: none });
  });
});
