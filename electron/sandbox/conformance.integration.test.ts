import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import { BEHAVIOURS } from './testing/conformance/behaviours.ts';
import { ConformanceBench } from './testing/conformance/conformance-bench.ts';
import type { RunningSubject, Subject } from './testing/conformance/subject.ts';
import { SUBJECTS } from './testing/conformance/subjects.ts';

/** Milliseconds for setting an engine up: a guest is built, an image made. */
const SET_UP_MS = 180_000;

for (const subject of SUBJECTS) {
  const obstacle = subject.obstacle();
  if (obstacle === null) describe(`${subject.name} conforms:`, () => conforms(subject));
  else it.skip(`${subject.name} conforms: not run: ${obstacle}`);
}

function conforms({ start, excused }: Subject): void {
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

  for (const { name, check } of BEHAVIOURS) {
    const excuse = excused[name];
    if (excuse === undefined) it(name, () => check(bench));
    else it.skip(`${name}: ${excuse}`);
  }
}
