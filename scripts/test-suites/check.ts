import { type SuiteResult, withRunner } from './result.ts';
import { run, secondsSince } from './run.ts';

/** What is checked without running anything. */
const CHECKS: readonly { readonly name: string; readonly command: readonly [string, ...string[]] }[] = [
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  {
    name: 'imports',
    command: [
      'depcruise',
      '--config',
      '.dependency-cruiser.cjs',
      'electron',
      'renderer',
      'shared',
      'e2e',
      'scripts',
    ],
  },
  { name: 'unused code', command: ['knip', '--no-progress'] },
];

type Check = (typeof CHECKS)[number];

/** All at the same time: each is one thread's work. */
export function runCheck(): Promise<SuiteResult[]> {
  return Promise.all(CHECKS.map(runOne));
}

async function runOne({ name, command }: Check): Promise<SuiteResult> {
  const start = performance.now();
  console.log(`\n— ${name}: ${command.join(' ')}`);
  const code = await run(command[0], command.slice(1));
  return {
    name: `check: ${name}`,
    passed: code === 0 ? 1 : 0,
    failed: withRunner([], command[0], code),
    skipped: [],
    seconds: secondsSince(start),
  };
}
