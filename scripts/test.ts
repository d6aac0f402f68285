/**
 * `npm test`: every suite, then what failed and one line over all of them. `npm test -- unit e2e:headless` runs only those.
 * Ends with 1 when anything failed.
 */

import { buildProduct } from './build.ts';
import { electronObstacle, electronProgram } from './electron-binary.ts';
import { canInstallUnasked, ensurePackages } from './system-packages.ts';
import { runCheck } from './test-suites/check.ts';
import { runPlaywright } from './test-suites/playwright.ts';
import { type SuiteResult, skipped } from './test-suites/result.ts';
import { summaryOf } from './test-suites/summary.ts';
import { runVitest } from './test-suites/vitest.ts';

interface Suite {
  readonly name: string;
  readonly run: () => Promise<SuiteResult[]>;
}

/** One after the other; what stands together runs at the same time: the integration tests wait half of the time. */
const STAGES: readonly (readonly Suite[])[] = [
  [
    { name: 'check', run: runCheck },
    { name: 'unit', run: async () => [await runVitest('unit')] },
    { name: 'integration', run: async () => [await runVitest('integration')] },
    { name: 'engines', run: async () => [await runVitest('engines')] },
  ],
  [{ name: 'e2e:headless', run: async () => [await runPlaywright('headless')] }],
  [{ name: 'e2e:double', run: async () => [await runPlaywright('double')] }],
  [{ name: 'e2e:electron', run: async () => [await realElectron()] }],
];

async function realElectron(): Promise<SuiteResult> {
  if (!electronProgram())
    return skipped('e2e:electron', "Electron's binary is not here (npx install-electron)");
  // Under Xvfb a missing display is no obstacle; being root is.
  const obstacle = process.getuid?.() === 0 ? electronObstacle() : null;
  return obstacle ? skipped('e2e:electron', obstacle) : runPlaywright('electron');
}

const asked = process.argv.slice(2);
const suites = STAGES.flat();
const unknown = asked.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`No suite ${unknown.join(', ')}; there are ${suites.map((suite) => suite.name).join(', ')}.`);
  process.exit(2);
}

const isWanted = ({ name }: Suite) => asked.length === 0 || asked.includes(name);
const wanted = suites.filter(isWanted);
const needsSystem = wanted.some((suite) => suite.name !== 'check' && suite.name !== 'unit');
if (needsSystem && process.platform === 'linux') ensurePackages(['bubblewrap', 'chromium', 'xvfb']);
// Elsewhere the tests do without.
if (wanted.some(({ name }) => name.startsWith('e2e:')) && canInstallUnasked())
  ensurePackages(['chromiumShell']);
// Elsewhere the summary says which engines were not tested, and why.
if (wanted.some(({ name }) => name === 'integration' || name === 'engines') && canInstallUnasked())
  ensurePackages([
    ...(['docker', 'podman', 'catatonit', 'runc', 'gvisor', 'busybox', 'registry', 'sshd', 'qemu'] as const),
    ...(['crun', 'uidmap', 'rootlesskit'] as const),
  ]);
if (needsSystem) await buildProduct();

const results: SuiteResult[] = [];
for (const stage of STAGES) {
  const finished = await Promise.all(stage.filter(isWanted).map((suite) => suite.run()));
  results.push(...finished.flat());
}

console.log(['', ...summaryOf(results)].join('\n'));
process.exitCode = results.some((result) => result.failed.length > 0) ? 1 : 0;
