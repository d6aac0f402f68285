import { expect, it } from 'vitest';
import { type ContainerFacts, containerSchema } from '../docker/answers.ts';
import { checkCreated } from './runtime.ts';

const settings = { endpoint: '', certificates: null, image: 'i', runtime: 'default' } as const;

const created = (host: object): ContainerFacts =>
  containerSchema.parse({
    Id: 'a'.repeat(64),
    State: { Running: false },
    Config: {},
    HostConfig: { NetworkMode: 'none', ...host },
  });

it('a container with the network that was asked for is taken', () => {
  checkCreated({ network: 'none' }, settings, created({}));
  checkCreated({ network: 'host' }, settings, created({ NetworkMode: 'host' }));
});

it.each([
  ['a network', { NetworkMode: 'bridge' }, 'its network is bridge, not none'],
  [
    'a network that nobody names',
    { NetworkMode: null },
    'its network is of the daemon’s own choice, not none',
  ],
  ['every privilege', { Privileged: true }, 'and it is privileged'],
])('a container that the daemon gave %s unasked is refused before it runs', (_, host, words) => {
  expect(() => checkCreated({ network: 'none' }, settings, created(host))).toThrow(words);
});
