import { describe, expect, it } from 'vitest';
import { PAGE_LIVENESS } from '../../shared/terminal/limits.ts';
import { Liveness } from './liveness.ts';

/** A link, its two clocks and the page's timer. `answers`: the host replies to pings at once. */
function watched(answers = true) {
  const world = {
    steady: 50_000,
    wall: 1_000_000,
    answers,
    pings: [] as number[],
    deadAt: null as number | null,
  };
  const liveness: Liveness = new Liveness(
    {
      ping: (n) => {
        world.pings.push(n);
        if (world.answers) liveness.heard();
      },
      dead: () => {
        world.deadAt ??= world.steady;
      },
    },
    { steady: () => world.steady, wall: () => world.wall },
  );
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += PAGE_LIVENESS.tick) {
      world.steady += PAGE_LIVENESS.tick;
      world.wall += PAGE_LIVENESS.tick;
      liveness.tick();
    }
  };
  return { world, liveness, pass };
}

describe('Liveness (B27)', () => {
  it('leaves a healthy link alone for a day, asking now and then', () => {
    const { world, pass } = watched();
    pass(24 * 3_600_000);
    expect(world.deadAt).toBeNull();
    expect(world.pings.length).toBeGreaterThan(1_000);
    expect(new Set(world.pings).size).toBe(world.pings.length);
  });

  it('asks nothing while the host speaks by itself', () => {
    const { world, liveness, pass } = watched();
    for (let i = 0; i < 100; i += 1) {
      pass(5_000);
      liveness.heard();
    }
    expect(world.pings).toEqual([]);
  });

  it('finds a dead link within 30 seconds', () => {
    const { world, pass } = watched(false);
    const before = world.steady;
    pass(30_000);
    expect(world.deadAt).not.toBeNull();
    expect((world.deadAt ?? 0) - before).toBeLessThanOrEqual(30_000);
  });

  it.each([
    ['the steady clock stood still', 0],
    ['the steady clock went on', 8 * 3_600_000],
  ])('finds a link that died in 8 hours of sleep within 5 seconds of the wake: %s', (_name, steadyGap) => {
    const { world, pass } = watched();
    pass(60_000);
    world.wall += 8 * 3_600_000;
    world.steady += steadyGap;
    world.answers = false;
    const woke = world.steady;
    pass(5_000);
    expect(world.deadAt).not.toBeNull();
    expect((world.deadAt ?? 0) - woke).toBeLessThanOrEqual(5_000);
  });

  it('keeps a healthy link through sleep, also one that was asked just before', () => {
    const { world, pass } = watched(false);
    pass(PAGE_LIVENESS.idle);
    expect(world.pings).toHaveLength(1);
    world.wall += 8 * 3_600_000;
    world.steady += 8 * 3_600_000;
    world.answers = true;
    pass(60_000);
    expect(world.deadAt).toBeNull();
  });

  it('asks at once when the page is shown again or the network is back', () => {
    const { world, liveness, pass } = watched(false);
    liveness.checkNow();
    expect(world.pings).toHaveLength(1);
    pass(5_000);
    expect(world.deadAt).not.toBeNull();
  });

  it.each([-3_600_000, 86_400_000])('is not fooled by a wall clock set by %i ms', (jump) => {
    const healthy = watched();
    healthy.pass(20_000);
    healthy.world.wall += jump;
    healthy.pass(60_000);
    expect(healthy.world.deadAt).toBeNull();

    const dead = watched(false);
    dead.pass(15_000);
    dead.world.wall += jump;
    dead.pass(15_000);
    expect(dead.world.deadAt).not.toBeNull();
  });

  it('does not judge a hidden page whose timer runs once a minute by its own slowness', () => {
    const { world, liveness } = watched();
    for (let i = 0; i < 60; i += 1) {
      world.steady += 60_000;
      world.wall += 60_000;
      liveness.tick();
    }
    expect(world.deadAt).toBeNull();
  });
});
