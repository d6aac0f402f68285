import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCall } from '../../electron/governed/manifest/arguments/check-call.ts';
import { compileManifest } from '../../electron/governed/manifest/compiled-manifest.ts';
import { CedarPolicies } from '../../electron/governed/policy/cedar-policies.ts';
import { callOf } from '../../electron/governed/policy/testing/calls.ts';
import { Workbench } from '../../electron/publication/testing/workbench.ts';
import { type Row, row } from '../row.ts';
import { median } from '../stats.ts';

const DECISION_TARGET_MS = 10;
const PUBLICATION_BYTES = 16 * 1024 * 1024;
const PUBLICATION_TARGET = 2;

/** What stands between a person's command and its worker, and what a publication costs beside `cp` and `sha256sum`. */
export async function governed(rounds: number): Promise<Row[]> {
  return [decisions(rounds * 20), await publications(rounds)];
}

function decisions(rounds: number): Row {
  const root = mkdtempSync(join(tmpdir(), 'airlock-bench-'));
  const policies = new CedarPolicies(join(root, 'policies'));
  try {
    const call = callOf({ approved: true });
    const compiled = compileManifest(call.manifest);
    const request = { command: call.command.name, text: call.args['command'] ?? '', args: {} };
    const samples = Array.from({ length: rounds }, () => {
      const began = performance.now();
      checkCall(compiled, request, { folder: root, scope: null });
      if (!policies.decide(call).allowed) throw new Error('the call was denied');
      return performance.now() - began;
    });
    const taken = median(samples);
    return row('validate and decide one command, median', {
      airlock: `${taken.toFixed(2)} ms`,
      target: `< ${DECISION_TARGET_MS} ms`,
      met: taken < DECISION_TARGET_MS,
    });
  } finally {
    policies.dispose();
    rmSync(root, { recursive: true });
  }
}

/** Sealed, hashed, published without replacing anything, recorded, all of it durable; what `cp` makes is not. */
async function publications(rounds: number): Promise<Row> {
  const bench = await new Workbench().start();
  try {
    const content = Buffer.alloc(PUBLICATION_BYTES, 'published by a person ');
    const ours: number[] = [];
    const copies: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const name = `data/${round}.bin`;
      const staging = await bench.staged(content, name, PUBLICATION_BYTES);
      const authority = await bench.approved(name);
      const began = performance.now();
      const { destination } = await staging.publish(authority);
      const published = performance.now();
      execFileSync('cp', [destination, `${destination}.copy`]);
      execFileSync('sha256sum', [`${destination}.copy`]);
      // The first round warms up.
      if (round === 0) continue;
      ours.push(published - began);
      copies.push(performance.now() - published);
    }
    const ratio = median(ours) / median(copies);
    return row(`publish ${PUBLICATION_BYTES / 1024 / 1024} MiB`, {
      airlock: `${median(ours).toFixed(0)} ms`,
      reference: `cp + sha256sum: ${median(copies).toFixed(0)} ms`,
      target: `≤ ${PUBLICATION_TARGET} × (${ratio.toFixed(2)})`,
      met: ratio <= PUBLICATION_TARGET,
    });
  } finally {
    await bench.end();
  }
}
