import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import { BEHAVIOURS, type Behaviour } from './behaviours.ts';
import { ConformanceBench } from './conformance-bench.ts';
import type { RunningSubject, Subject } from './subject.ts';

/** Milliseconds for setting an engine up: a guest is built, an image made. */
const SET_UP_MS = 180_000;
/** Milliseconds that a behaviour may hang: a hundred containers take most of a minute to start, on a machine that has nothing else to do. */
const BEHAVIOUR_MS = 240_000;

/** The tests of an engine, with what only some do as well; where it cannot run, one that says why. */
export function testConformance(subject: Subject, more: readonly Behaviour[] = []): void {
  const obstacle = subject.obstacle();
  if (obstacle === null)
    describe(`${subject.name} conforms:`, () => conforms(subject, [...BEHAVIOURS, ...more]));
  else it.skip(`${subject.name} conforms: not run: ${obstacle}`);
}

function conforms({ start, excused }: Subject, behaviours: readonly Behaviour[]): void {
  let running: RunningSubject;
  let bench: ConformanceBench;
  beforeAll(async () => {
    running = await start();
  }, SET_UP_MS);
  afterAll(() => running.stop());
  beforeEach(() => {
    bench = new ConformanceBench(running);
  });
  afterEach(() => bench.close());

  for (const { name, check } of behaviours) {
    const excuse = excused[name];
    if (excuse === undefined) it(name, () => check(bench), BEHAVIOUR_MS);
    else it.skip(`${name}: ${excuse}`);
  }
}
