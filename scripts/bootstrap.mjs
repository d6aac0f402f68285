/**
 * Runs one of the project's scripts on the pinned Node, whatever Node the machine has; installs the locked
 * dependencies first when they are missing or out of date. Plain JavaScript without dependencies: this is the one
 * file that the machine's own Node runs.
 *
 *   node scripts/bootstrap.mjs SCRIPT [ARGUMENT …]      runs scripts/SCRIPT.ts
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.airlock-lock');
const BIN = join(MODULES, '.bin');
const windows = process.platform === 'win32';
const PINNED_NODE = windows ? join(MODULES, 'node', 'bin', 'node.exe') : join(MODULES, 'node', 'bin', 'node');

function installDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && existsSync(PINNED_NODE) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.error('Installing the locked dependencies (npm ci) …');
  // The warnings are about engines of packaging tools, which run on the pinned Node and not on this one.
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: windows,
  });
  if (status !== 0) {
    console.error('npm ci failed; what it printed above says why. Airlock needs the npm registry once.');
    process.exit(1);
  }
  writeFileSync(STAMP, wanted);
}

function runOnPinnedNode(script, args) {
  const child = spawn(PINNED_NODE, [join(ROOT, 'scripts', `${script}.ts`), ...args], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` },
  });
  // A terminal's Ctrl-C reaches the child by itself; waiting for it lets it end its sandboxes first.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  endWithParent(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`The pinned Node could not be started: ${error.message}. Run npm ci and try again.`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
}

/** npm that is told to end does so without telling the scripts that it runs; they are adopted by another parent. */
function endWithParent(end) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, 500);
  watch.unref();
}

const [script, ...args] = process.argv.slice(2);
if (!script || !existsSync(join(ROOT, 'scripts', `${script}.ts`))) {
  console.error('usage: node scripts/bootstrap.mjs SCRIPT [ARGUMENT …]');
  process.exit(2);
}
installDependencies();
runOnPinnedNode(script, args);
