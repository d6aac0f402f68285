import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MemoryAuditLog } from '../approvals/testing/memory-audit-log.ts';
import { HeldFolder } from './held-folder.ts';
import { type PublicationItem, PublicationLedger } from './publication-ledger.ts';
import { publishFile } from './publish-file.ts';
import { sha256 } from './sha256.ts';
import { AUTHORITY } from './testing/workbench.ts';

const ROUNDS = 1_000;
const CONTENTS = ['first'.repeat(2_000), 'second'] as const;

// In memory where that can be: a thousand rounds of syncs to a disk show nothing more.
const PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let base: string;
let folder: HeldFolder;
let ledger: PublicationLedger;
beforeEach(async () => {
  base = mkdtempSync(join(PLACE, 'airlock-race-'));
  folder = await HeldFolder.open(base);
  const audit = new MemoryAuditLog();
  ledger = await PublicationLedger.read({
    append: (record) => audit.append(record),
    async *entries() {},
  });
  for (const content of CONTENTS) writeFileSync(kept(content), content);
});
afterEach(() => {
  folder.close();
  rmSync(base, { recursive: true });
});

const kept = (content: string) => join(base, `kept-${content.length}`);

/** A sealed file that is to get this name. */
async function sealed(content: string, name: string): Promise<PublicationItem> {
  const publication_id = randomUUID();
  await ledger.record('publication.sealed', 'session-1', {
    publication_id,
    command: null,
    path: name,
    bytes: Buffer.byteLength(content),
    sha256: sha256(Buffer.from(content)),
    kept: kept(content),
    sealed_at: '2026-01-01T00:00:00.000Z',
    attempt: { destination: join(base, name), candidate_name: `.airlock-publish-${publication_id}` },
  });
  return ledger.get(publication_id) as PublicationItem;
}

/** Resolves for all when as many have come. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return () => {
    if (++waiting === count) resolve();
    return promise;
  };
}

it(`B25 F9 of two publishers at one barrier exactly one wins, ${ROUNDS} times, and nobody sees half a file`, async () => {
  const wins = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const name = `r${round}`;
    const path = join(base, name);
    const items = [await sealed(CONTENTS[0], name), await sealed(CONTENTS[1], name)];
    const together = barrier(items.length);
    const publish = (item: PublicationItem) =>
      publishFile(ledger, item, { folder, name }, AUTHORITY, async (step) => {
        const seen = existsSync(path) ? readFileSync(path, 'utf8') : CONTENTS[0];
        if (!CONTENTS.includes(seen as never)) throw new Error(`half a file was seen after ${step}`);
        if (step === 'checked') await together();
      });
    const results = await Promise.allSettled(items.map(publish));
    const won = results.findIndex(({ status }) => status === 'fulfilled');
    expect(results[1 - won]).toMatchObject({
      status: 'rejected',
      reason: { message: 'filesystem output publication failed: the target already exists' },
    });
    expect(readFileSync(path, 'utf8')).toBe(CONTENTS[won]);
    wins[won] = (wins[won] ?? 0) + 1;
    unlinkSync(path);
  }
  expect((wins[0] ?? 0) + (wins[1] ?? 0)).toBe(ROUNDS);
  // What lost is kept, and nothing else is left.
  expect(readdirSync(base).sort()).toEqual(CONTENTS.map((content) => `kept-${content.length}`).sort());
});
