import { afterEach, expect, it } from 'vitest';
import type { Params } from '../../shared/protocol/requests.ts';
import { fail } from '../../shared/result.ts';
import type { Client } from '../connection/client.ts';
import { useEngines } from '../state/engines-store.ts';
import { EnginesService } from './engines-service.ts';

afterEach(() => useEngines.setState(useEngines.getInitialState(), true));

it('a pull that was given up leaves what is said of the one after it, whose failure came first', async () => {
  const answers = new Map<string, (answer: unknown) => void>();
  const client = {
    onEvent: () => {},
    request: (verb: string, { image }: Params<'containers.pull'>) =>
      new Promise((answer) => verb === 'containers.pull' && answers.set(image, answer)),
  } as unknown as Client;
  const service = new EnginesService(client);
  const at = { endpoint: '', certificates: '' };
  const given = service.pull('box', at, 'first:1');
  const failed = service.pull('box', at, 'second:1');
  answers.get('second:1')?.(fail({ tag: 'engine-refused', message: 'No such image.' }));
  expect(await failed).toBe(false);
  answers.get('first:1')?.(fail({ tag: 'pull-cancelled', message: 'It was given up.' }));
  expect(await given).toBe(false);
  expect(useEngines.getState().pulls).toEqual({
    box: { kind: 'failed', image: 'second:1', reason: 'No such image.' },
  });
});
