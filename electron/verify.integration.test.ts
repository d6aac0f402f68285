import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditVerificationSchema } from '../shared/governed/audit.ts';
import { auditPaths } from './audit/audit-folder.ts';
import { Workbench } from './publication/testing/workbench.ts';

const CLI = new URL('./cli.ts', import.meta.url).pathname;

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench();
});
afterEach(() => bench.end());

async function verify(...args: string[]) {
  const child = spawn(process.execPath, [CLI, 'verify', '--data-dir', bench.dataDir, ...args]);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: code as number, output };
}

describe('airlock verify', () => {
  it('says that nothing was recorded yet, and makes nothing', async () => {
    const { code, output } = await verify();
    expect(output).toContain('Nothing was recorded yet.');
    expect([code, existsSync(auditPaths(bench.dataDir).folder)]).toEqual([0, false]);
  });

  it('works while the log is open, and answers 0 when everything holds', async () => {
    await bench.start();
    await (await bench.staged('a,1\n')).publish(await bench.approved());
    const { code, output } = await verify();
    expect(output).toContain('6 lines and 1 receipt hold');
    expect(output).toContain('✓ Nothing is broken.');
    expect(code).toBe(0);
  });

  it('names the first broken link, and answers 1', async () => {
    await bench.start();
    const { destination } = await (await bench.staged('a,1\n')).publish(await bench.approved());
    writeFileSync(destination, 'b,2\n');
    const words = await verify();
    expect(words.output).toMatch(
      /✗ First broken link \(publication\.finished\): .*report\.csv is not the file of receipt/,
    );
    const { log } = auditPaths(bench.dataDir);
    writeFileSync(log, readFileSync(log, 'utf8').replace('"Ada"', '"Eve"'));
    const json = await verify('--json');
    expect(auditVerificationSchema.parse(JSON.parse(json.output))).toMatchObject({
      ok: false,
      broken: { kind: 'signature', line: 3, event: 'approval.approved' },
    });
    expect([words.code, json.code]).toEqual([1, 1]);
  });

  it('B24 shows a file name that would write on the terminal as codes', async () => {
    await bench.start();
    const name = 'data/a\u202egpj.exe';
    const { destination } = await (await bench.staged('x', name)).publish(await bench.approved(name));
    writeFileSync(destination, 'changed');
    const { output } = await verify();
    expect(output).toContain(`${join(bench.project, 'data/a')}<U+202E>gpj.exe`);
    expect(output).not.toContain('\u202e');
  });
});
