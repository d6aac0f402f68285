import { describe, expect, it } from 'vitest';
import { type Profile, profileSchema } from '../../shared/settings/schema.ts';
import { engineKindSchema } from '../../shared/terminal/engine-status.ts';
import { dangersOf, otherMachine } from './dangers.ts';
import { asksFor, ENGINE_FACTS, openingWords, switchEngine } from './engine-facts.ts';
import { profileFacts } from './profile-words.ts';

const profile = (change: Partial<Profile>): Profile => profileSchema.parse({ id: 'p', name: 'P', ...change });
const texts = (change: Partial<Profile>) => profileFacts(profile(change)).map(({ text }) => text);
const dangers = (change: Partial<Profile>) => dangersOf(profile(change)).map(({ title }) => title);

describe('switchEngine', () => {
  it('takes the program that is there in any case, and back', () => {
    const shell = profile({});
    expect(switchEngine(shell, 'container')).toEqual({ engine: 'container', command: ['/bin/sh'] });
    const back = switchEngine({ ...shell, ...switchEngine(shell, 'smolvm') }, 'bubblewrap');
    expect(back).toEqual({ engine: 'bubblewrap', command: ['/bin/bash'] });
  });

  it('leaves a program that a person chose', () => {
    const command = ['/usr/bin/python3', '-i'];
    for (const engine of engineKindSchema.options)
      expect(switchEngine(profile({ command }), engine)).toEqual({ engine, command });
  });
});

describe('what an engine has nothing for', () => {
  it('is said for each kind, and what a profile asks for all the same is found', () => {
    const wants = profile({
      network: 'host',
      project: '/a',
      scratch: '/b',
      environment: { A: '1' },
    });
    const lacking = (engine: Profile['engine']) =>
      (['network', 'project', 'scratch', 'environment', 'limits'] as const).filter(
        (field) => ENGINE_FACTS[engine].lacks[field] !== undefined,
      );
    expect(lacking('bubblewrap')).toEqual([]);
    expect(lacking('container')).toEqual([]);
    expect(lacking('attach')).toEqual(['network', 'project', 'scratch', 'limits']);
    expect(lacking('smolvm')).toEqual(['project', 'scratch', 'environment', 'limits']);
    expect(lacking('microvm')).toEqual(['network', 'project', 'scratch']);
    for (const field of ['network', 'project', 'scratch', 'environment'] as const) {
      expect(asksFor(wants, field)).toBe(true);
      expect(asksFor(profile({}), field)).toBe(false);
    }
    // Each of them is refused by the engine, so each must be taken away.
    for (const field of ['network', 'scratch'] as const)
      expect(asksFor({ ...wants, engine: 'attach' }, field)).toBe(true);
  });
});

describe('dangersOf', () => {
  it('says nothing of a profile that lets nothing through', () => {
    for (const engine of ['bubblewrap', 'container', 'smolvm', 'microvm'] as const)
      expect(dangers({ engine })).toEqual([]);
  });

  it('says what lets more in or out, the worst first', () => {
    expect(dangers({ network: 'host', scratch: '/b', clipboardWrite: 'allow', recordInput: true })).toEqual([
      'network on',
      'writable folder',
      'sets the clipboard unasked',
      'records what is typed',
    ]);
  });

  it('does not warn of what is not: an engine without the field, input that nothing records', () => {
    expect(dangers({ engine: 'microvm', network: 'host', scratch: '/b' })).toEqual([]);
    expect(dangers({ record: false, recordInput: true })).toEqual([]);
  });

  it('warns of a running container and of whose user it is', () => {
    const [danger] = dangersOf(profile({ engine: 'attach' }));
    expect(danger).toMatchObject({ title: 'inside a running container' });
    expect(danger?.words).toContain('root, unless its image says otherwise');
  });

  it('warns of a machine that is started', () => {
    const { smolvm } = profileSchema.parse({ id: 'p', name: 'P', smolvm: { startMachine: true } });
    expect(dangers({ engine: 'smolvm', smolvm })).toEqual(['starts its machine']);
    expect(dangers({ engine: 'bubblewrap', smolvm })).toEqual([]);
  });
});

it.each([
  ['', null],
  ['unix:///run/docker.sock', null],
  ['tcp://127.0.0.1:2376', null],
  ['tcp://[::1]:2376', null],
  ['tcp://build.example:2376', 'build.example'],
  ['tcp://10.0.0.7:2376', '10.0.0.7'],
  ['ssh://deploy@build.example', 'build.example'],
  ['ssh://localhost', null],
  ['ssh://user@127.0.0.1.example', '127.0.0.1.example'],
  ['TCP://shouted', null],
])('of the endpoint %j the other machine is %j', (endpoint, machine) => {
  const container = { endpoint, certificates: null, image: '', runtime: 'default' as const };
  expect(otherMachine(profile({ engine: 'container', container }))).toBe(machine);
  const said = dangers({ engine: 'container', container });
  expect(said).toEqual(machine === null ? [] : [`runs on ${machine}`]);
  expect(otherMachine(profile({ container }))).toBeNull();
});

describe('profileFacts', () => {
  it('says what a session runs in before what it can reach', () => {
    const container = {
      endpoint: 'ssh://far',
      certificates: null,
      image: 'debian:12',
      runtime: 'default' as const,
    };
    expect(texts({ engine: 'container', container }).slice(0, 4)).toEqual([
      'container of debian:12',
      'on far',
      'no network',
      'none of your files',
    ]);
    expect(texts({ engine: 'container' })[0]).toBe('container of no image yet');
    const gvisor = texts({ engine: 'container', container: { ...container, runtime: 'runsc' } });
    expect(gvisor[0]).toBe('container of debian:12 on gVisor');
  });

  it('says what is not known before the engine has looked, and no bound that is not the profile’s', () => {
    expect(texts({ engine: 'attach' })).toEqual([
      'inside container not chosen yet',
      'network unknown',
      'files unknown',
      'limits of its own',
    ]);
    expect(texts({ engine: 'smolvm' })).toEqual([
      'machine not chosen yet',
      'no network',
      'files unknown',
      'limits of its own',
    ]);
  });

  it('does not promise a micro-VM what it has not', () => {
    expect(texts({ engine: 'microvm', network: 'host', scratch: '/b' }).slice(0, 3)).toEqual([
      'micro-VM',
      'no network',
      'none of your files',
    ]);
  });
});

describe('what a pane says while a session opens', () => {
  it('tells of a machine that it takes some seconds, and of the others nothing more', () => {
    expect(openingWords('microvm')).toMatch(/^The machine starts… .*KVM/);
    expect(openingWords('bubblewrap')).toBe('Opening…');
  });
});
