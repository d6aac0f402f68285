import { readFileSync } from 'node:fs';
import { ConformanceBench } from '../../electron/sandbox/testing/conformance/conformance-bench.ts';
import type { RunningSubject, Subject } from '../../electron/sandbox/testing/conformance/subject.ts';
import { SUBJECTS } from '../../electron/sandbox/testing/conformance/subjects.ts';
import type { SandboxShell } from '../../electron/sandbox/testing/sandbox-shell.ts';
import { waitUntil } from '../../electron/sandbox/wait.ts';
import { type Row, row } from '../row.ts';
import { median } from '../stats.ts';

/** Milliseconds that a measured flood may take. */
const FLOOD_DEADLINE_MS = 120_000;
/** Milliseconds of a flood before it is interrupted. */
const FLOOD_MS = 300;

/** Every engine that can be set up here, without a page: to the first prompt, bytes, Ctrl-C in a flood, memory. */
export async function engines(rounds: number, floodBytes: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const subject of SUBJECTS) rows.push(await engine(subject, rounds, floodBytes));
  return rows;
}

async function engine(subject: Subject, rounds: number, floodBytes: number): Promise<Row> {
  const obstacle = subject.obstacle();
  if (obstacle !== null) return row(`engine ${subject.name}`, { airlock: `not run: ${obstacle}` });
  const running = await subject.start();
  try {
    const { open, memory } = await openings(running, rounds);
    const cells = [
      `prompt ${open.toFixed(0)} ms`,
      `${(await throughput(running, floodBytes)).toFixed(0)} MB/s`,
      `Ctrl-C ${(await interruption(running, rounds)).toFixed(0)} ms`,
      `${(memory / 1e6).toFixed(0)} MB a session`,
    ];
    return row(`engine ${subject.name}`, { airlock: cells.join(', ') });
  } finally {
    await running.stop();
  }
}

/** Median milliseconds to the prompt, and what a session takes of the machine's free memory while all of them are open. */
async function openings(
  running: RunningSubject,
  rounds: number,
): Promise<{ readonly open: number; readonly memory: number }> {
  const bench = new ConformanceBench(running);
  try {
    // The first finds nothing in any cache.
    await bench.interactive();
    const free = availableBytes();
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      await bench.interactive();
      times.push(performance.now() - began);
    }
    return { open: median(times), memory: (free - availableBytes()) / rounds };
  } finally {
    await bench.close();
  }
}

/** MB/s of what a program puts out as fast as it can. */
async function throughput(running: RunningSubject, bytes: number): Promise<number> {
  const bench = new ConformanceBench(running);
  try {
    const shell = await bench.interactive();
    const before = shell.bytes.length;
    const began = performance.now();
    await shell.type(`yes 'a line of a log that goes by' | head -c ${bytes}\r`);
    const came = await waitUntil(() => shell.bytes.length - before >= bytes, FLOOD_DEADLINE_MS);
    if (!came) throw new Error(`${bytes} bytes took longer than ${FLOOD_DEADLINE_MS} ms.`);
    return (shell.bytes.length - before) / (performance.now() - began) / 1_000;
  } finally {
    await bench.close();
  }
}

/** Median milliseconds from Ctrl-C in a flood to the next prompt. */
async function interruption(running: RunningSubject, rounds: number): Promise<number> {
  const bench = new ConformanceBench(running);
  try {
    const shell = await bench.interactive();
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await interrupted(shell));
    return median(times);
  } finally {
    await bench.close();
  }
}

async function interrupted(shell: SandboxShell): Promise<number> {
  await shell.type('yes\r');
  await new Promise((resolve) => setTimeout(resolve, FLOOD_MS));
  const began = performance.now();
  await shell.type('\x03');
  await shell.shows('ready$ ');
  return performance.now() - began;
}

function availableBytes(): number {
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}
