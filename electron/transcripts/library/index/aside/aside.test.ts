import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ASIDE } from '../../../../../shared/transcripts/limits.ts';
import { LibraryBench, query } from '../../testing/library-bench.ts';
import type { Facts } from '../facts.ts';
import { indexPath, isDamage, openIndexToWrite } from '../index-file.ts';
import { IndexStore, type Progress } from '../index-store.ts';
import { Aside, NotStoredError } from './aside.ts';
import { pack, unpack } from './messages.ts';

let bench: LibraryBench;
let aside: Aside;
let database: DatabaseSync;
let store: IndexStore;
beforeEach(() => {
  bench = new LibraryBench();
  aside = new Aside(bench.folder);
  ({ database } = openIndexToWrite(bench.folder));
  store = new IndexStore(database, aside);
});
afterEach(() => {
  aside.dispose();
  database.close();
  bench.dispose();
});

const FACTS: Facts = {
  kind: 'shell',
  ...{ title: 't', profile: 'p', engine: null, product: null, started: null, startedMs: 0 },
  ...{ cols: 80, rows: 24, whole: false },
};

function progress(indexed: number): Progress {
  const ended = { how: 'running', words: '' } as const;
  return { indexed, bytes: indexed, durationMs: 0, ended, stopped: null, damaged: 0, complete: false };
}

function addition(fromLine: number, texts: readonly string[]) {
  const lines = texts.map((text, index) => ({ text, atMs: index + 0.25 }));
  return { progress: progress(fromLine + texts.length), fromLine, lines, snapshot: null, moments: [] };
}

/** Bytes of a page of the index; the first one holds what the tables are. */
const PAGE = 8192;

/** So much that it goes aside. */
const MUCH = Array.from({ length: 1_000 }, (_, line) => `${line} `.padEnd(ASIDE.minChars / 1_000 + 1, '.'));

function linesOf(seq: number): number {
  return Number(database.prepare('SELECT lines FROM transcripts WHERE seq = ?').get(seq)?.['lines']);
}

const HANG = { timeout: 30_000 };

describe('an addition', () => {
  it.each([[[]], [['']], [['', '']], [['a', '', 'c']]])('%j comes through as it was', (texts) => {
    const one = addition(7, texts);
    expect(unpack(pack(1, one))).toEqual(one);
  });

  it('that is small goes aside only behind one that did', () => {
    const seq = store.register('a', FACTS, 0);
    const small = addition(0, ['one']);
    expect(aside.takes(small)).toBe(false);
    store.add(seq, addition(0, MUCH));
    store.add(seq, addition(MUCH.length, ['the last']));
    aside.settle(seq);
    expect(linesOf(seq)).toBe(MUCH.length + 1);
    expect(aside.rest()).toBe(true);
    expect(aside.takes(small)).toBe(false);
  });
});

it('many additions, more than may wait, are stored in order and whole', () => {
  const seqs = ['a', 'b'].map((id) => store.register(id, FACTS, 0));
  const rounds = (2 * ASIDE.maxChars) / ASIDE.minChars;
  for (let round = 0; round < rounds; round += 1)
    for (const seq of seqs) store.add(seq, addition(round * MUCH.length, MUCH));
  for (const seq of seqs) {
    aside.settle(seq);
    expect(linesOf(seq)).toBe(rounds * MUCH.length);
  }
  // A thread that comes after another one goes on.
  aside.rest();
  store.add(seqs[0] ?? 0, addition(0, MUCH));
  expect(aside.rest()).toBe(true);
  expect(linesOf(seqs[0] ?? 0)).toBe(MUCH.length);
});

describe('what cannot be stored', () => {
  it('fails everything that comes later, and nothing of it is stored', () => {
    const seq = store.register('a', FACTS, 0);
    database.exec('DROP TABLE blocks');
    store.add(seq, addition(0, MUCH));
    expect(() => aside.settle(seq)).toThrow(NotStoredError);
    expect(() => store.add(seq, addition(MUCH.length, MUCH))).toThrow('no such table');
    expect(() => store.remove(seq)).toThrow(NotStoredError);
    expect(linesOf(seq)).toBe(0);
  });

  it('says what SQLite said, so that a damaged index is made anew', () => {
    const seq = store.register('a', FACTS, 0);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const path = indexPath(bench.folder);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(statSync(path).size - PAGE, 0xff), 0, undefined, PAGE);
    closeSync(file);
    store.add(seq, addition(0, MUCH));
    const fault = thrownBy(() => aside.settle());
    expect(isDamage(fault)).toBe(true);
  });

  it('fails where the index is gone', () => {
    const seq = store.register('a', FACTS, 0);
    rmSync(indexPath(bench.folder));
    store.add(seq, addition(0, MUCH));
    expect(() => aside.rest()).toThrow(NotStoredError);
  });
});

it('a keeper whose thread could not store begins anew from what is stored, and ends with everything', async () => {
  const lines = Array.from({ length: 60 }, (_, n) => `${MUCH.slice(0, 300).join(`${n}\r\n`)}\r\n`);
  const id = bench.add([...lines, 'the needle\r\n']);
  const keeper = bench.start({ snapshotEvery: 1024 * 1024 });
  // As another program might: what is to be stored meanwhile fails.
  const other = new DatabaseSync(indexPath(bench.folder));
  other.exec('ALTER TABLE blocks RENAME TO hidden');
  await vi.waitFor(() => expect(bench.faults.map(String).join()).toContain('no such table'), HANG);
  other.exec('ALTER TABLE hidden RENAME TO blocks');
  other.close();
  await keeper.idle();
  const catalogue = bench.open();
  expect(catalogue.list(query({ search: 'the needle' })).transcripts.map((one) => one.id)).toEqual([id]);
});

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}
