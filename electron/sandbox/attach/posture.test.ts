import { describe, expect, it } from 'vitest';
import { containerSchema, infoSchema } from '../docker/answers.ts';
import type { Daemon } from '../docker/client.ts';
import { postureOf } from './posture.ts';

const ABLE = { MemoryLimit: true, PidsLimit: true, CpuCfsQuota: true };

function limitsOf(host: object, info: object = ABLE, product: Daemon['product'] = 'Docker') {
  const daemon = { product, version: '1', api: '1.41', takesConsoleSize: false };
  const facts = containerSchema.parse({
    Id: 'a'.repeat(64),
    State: { Running: true },
    Config: {},
    HostConfig: host,
  });
  return postureOf(daemon, infoSchema.parse(info), facts).limits;
}

describe('the bounds of a container that runs already', () => {
  it.each([
    ['docker run --cpus 0.5', { NanoCpus: 5e8 }, 50],
    ['docker run --cpu-quota 150000', { CpuQuota: 150_000, CpuPeriod: 0 }, 150],
    ['docker run --cpu-quota 25000 --cpu-period 50000', { CpuQuota: 25_000, CpuPeriod: 50_000 }, 50],
    ['docker run --cpu-quota 1000 --cpu-period 1000000', { CpuQuota: 1_000, CpuPeriod: 1_000_000 }, 1],
    ['docker run', { NanoCpus: 0, CpuQuota: 0, CpuPeriod: 0 }, null],
  ])('of its CPU are as it was made: %s', (_, host, percent) => {
    expect(limitsOf(host).cpuPercent).toBe(percent);
  });

  it.each(['nofile', 'RLIMIT_NOFILE'])('of its open files are as it was made: %s', (Name) => {
    expect(limitsOf({ Ulimits: [{ Name, Soft: 256, Hard: 512 }] }).openFiles).toBe(512);
  });

  it('are unknown where nobody says them, and none where nothing enforces them', () => {
    expect(limitsOf({ Memory: 0, PidsLimit: null })).toMatchObject({
      ...{ memoryBytes: null, processes: null, cpuPercent: null },
      ...{ openFiles: 'unknown', homeBytes: 'unknown', tmpBytes: 'unknown' },
    });
    expect(limitsOf({ Memory: 1e9, NanoCpus: 1e9 }, {})).toMatchObject({
      memoryBytes: null,
      cpuPercent: null,
    });
  });

  it('are unknown where Podman without root says them, which nobody may have delegated to it', () => {
    const host = { Memory: 1e9, PidsLimit: 64, NanoCpus: 1e9 };
    const unknown = { memoryBytes: 'unknown', processes: 'unknown', cpuPercent: 'unknown' };
    expect(limitsOf(host, { ...ABLE, Rootless: true }, 'Podman')).toMatchObject(unknown);
    expect(limitsOf(host, ABLE, 'Podman')).toMatchObject({
      memoryBytes: 1e9,
      processes: 64,
      cpuPercent: 100,
    });
  });
});
