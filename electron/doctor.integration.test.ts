import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from './connection/testing/eventually.ts';
import { CLI, clientOf } from './server/testing/serve-process.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airlock-doctor-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function airlock(command: string[], wrapper: string[] = []) {
  const [program, ...args] = [...wrapper, process.execPath, CLI, ...command, '--data-dir', folder];
  const child = spawn(program as string, args, { env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' } });
  const run = { child, output: '', ended: once(child, 'close').then(([code]) => code as number) };
  child.stdout.on('data', (chunk) => {
    run.output += chunk;
  });
  return run;
}

async function doctor(...args: string[]) {
  const run = airlock(['doctor', ...args]);
  return { code: await run.ended, output: run.output };
}

/** A machine on which bubblewrap cannot be run. */
const NO_BUBBLEWRAP = [
  '/usr/bin/bwrap',
  '--die-with-parent',
  '--dev-bind',
  '/',
  '/',
  '--ro-bind',
  '/dev/null',
  '/usr/bin/bwrap',
  '--',
];

describe('airlock doctor', () => {
  it('says in words what works, and names every settings problem', async () => {
    writeFileSync(join(folder, 'settings.json'), '{ "terminal": { "scrolback": 1 } }');
    const { code, output } = await doctor();
    expect(output).toMatch(/✓ Bubblewrap: bubblewrap .*is ready/);
    for (const engine of ['Container', 'Running container', 'smolvm', 'Micro-VM'])
      expect(output).toMatch(new RegExp(`[✓✗] ${engine}: `));
    expect(output).toContain('terminal.scrolback is not a field that exists here');
    expect(code).toBe(0);
  });

  it('says where the settings will be while there are none', async () => {
    const { output } = await doctor();
    expect(output).toContain(
      `Not written yet; the defaults apply. The file will be at ${folder}/settings.json.`,
    );
  });

  it.each([
    [
      'a link to nothing',
      (path: string) => symlinkSync('/nowhere/settings.json', path),
      'it is a link to a file',
    ],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
  ])('refuses settings that are %s, as a host does', async (_what, put, words) => {
    put(join(folder, 'settings.json'));
    const { output } = await doctor();
    expect(output).toContain(`✗ ${folder}/settings.json: the defaults are used until this is put right:`);
    expect(output).toContain(`The file cannot be read: ${words}`);
  });

  it('refuses a data folder that a host would not start with', async () => {
    chmodSync(folder, 0o777);
    const words = 'every user may write in it (chmod o-w)';
    expect((await doctor()).output).toContain(
      `✗ The data folder ${folder} cannot be used: ${words}. Choose another with --data-dir.`,
    );
    const { output } = await doctor('--json');
    expect(JSON.parse(output)).toMatchObject({ dataDirWritable: false, dataDirProblem: words });
  });

  it('--json prints one line', async () => {
    const { code, output } = await doctor('--json');
    expect(output.trimEnd()).not.toContain('\n');
    expect(JSON.parse(output)).toMatchObject({
      dataDir: folder,
      dataDirWritable: true,
      dataDirProblem: null,
      settings: { written: false, problems: [] },
      engines: expect.arrayContaining([expect.objectContaining({ kind: 'bubblewrap', usable: true })]),
    });
    expect(code).toBe(0);
  });

  it('ends with 1 where no engine can be used, and says what to do', async () => {
    const run = airlock(['doctor'], NO_BUBBLEWRAP);
    expect(await run.ended).toBe(1);
    expect(run.output).toMatch(/✗ .*bwrap.*\n +to do: /);
  });
});

describe('airlock serve where no engine can be used', () => {
  it('ST-1 starts all the same, says what is missing, and opens no shell without a sandbox', async () => {
    const run = airlock(['serve'], NO_BUBBLEWRAP);
    await eventually(() =>
      expect(run.output).toMatch(/No sandbox engine can be used here yet:\n.*bwrap.*\n/),
    );
    expect(run.output).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#token=/);
    expect(run.child.exitCode).toBeNull();

    const client = await clientOf(/http:\S+/.exec(run.output)?.[0] as string);
    const answer = await client.request('session.open', {
      profileId: 'shell',
      size: { cols: 80, rows: 24 },
    });
    expect(answer).toMatchObject({
      ok: false,
      error: { tag: 'engine-unavailable', message: expect.stringMatching(/bwrap/) },
    });
    expect(client.outputs.size).toBe(0);
    client.close();
    run.child.kill('SIGKILL');
    await run.ended;
  });
});
