import { expect, it } from 'vitest';
import { EngineError } from '../engine.ts';
import { AcceleratorTrial } from './accelerator-trial.ts';
import { type Accelerator, emulation } from './monitor/accelerator.ts';

const signal = new AbortController().signal;

/** A guest that boots on these accelerators alone, and what it was tried on. */
function guest(...boots: readonly Accelerator['kind'][]) {
  const tried: Accelerator['kind'][] = [];
  const attempt = async ({ kind }: Accelerator) => {
    tried.push(kind);
    if (!boots.includes(kind)) throw new Error('it panicked');
    return kind;
  };
  return { attempt, tried };
}

it('a guest that boots on nothing does not make later machines emulated', async () => {
  const trial = new AcceleratorTrial(() => ({ kind: 'kvm' }));
  const bad = guest();
  await expect(trial.boot(bad.attempt, signal)).rejects.toThrow('it panicked');
  expect(bad.tried).toEqual(['kvm', 'tcg']);
  expect(trial.proven).toBeNull();
  const good = guest('kvm', 'tcg');
  expect(await trial.boot(good.attempt, signal)).toBe('kvm');
  expect(trial.proven).toEqual({ kind: 'kvm' });
});

it('where KVM boots nothing, machines are emulated once one was, and the reason is told', async () => {
  const trial = new AcceleratorTrial(() => ({ kind: 'kvm' }));
  const { attempt, tried } = guest('tcg');
  await trial.boot(attempt, signal);
  await trial.boot(attempt, signal);
  expect(tried).toEqual(['kvm', 'tcg', 'tcg']);
  expect(trial.proven).toMatchObject({ reason: 'KVM does not boot it here, it panicked' });
});

it('without KVM, and once a machine has come up on it, there is one try', async () => {
  const emulated = guest();
  const without = new AcceleratorTrial(() => emulation('there is none'));
  await expect(without.boot(emulated.attempt, signal)).rejects.toThrow('it panicked');
  expect(emulated.tried).toEqual(['tcg']);
  const trial = new AcceleratorTrial(() => ({ kind: 'kvm' }));
  await trial.boot(guest('kvm').attempt, signal);
  const later = guest('tcg');
  await expect(trial.boot(later.attempt, signal)).rejects.toThrow('it panicked');
  expect(later.tried).toEqual(['kvm']);
});

it('what is no matter of the accelerator, and an opening that was given up, is not tried again', async () => {
  const trial = new AcceleratorTrial(() => ({ kind: 'kvm' }));
  let tries = 0;
  const fail = (error: Error) => async () => {
    tries += 1;
    throw error;
  };
  const refusal = new EngineError('engine-unavailable', 'The guest speaks another version.');
  await expect(trial.boot(fail(refusal), signal)).rejects.toBe(refusal);
  const gone = AbortSignal.abort(new Error('given up'));
  await expect(trial.boot(fail(new Error('ended')), gone)).rejects.toThrow('given up');
  expect(tries).toBe(2);
});
