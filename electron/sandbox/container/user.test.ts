import { expect, it } from 'vitest';
import { infoSchema } from '../docker/answers.ts';
import { containerUser } from './user.ts';

const PERSON = { uid: 1_234, gid: 5_678 };
const ROOT = { uid: 0, gid: 0 };
const SYSTEM_WITHOUT_NUMBERS = { uid: null, gid: null };
const unknown = { uid: 1_000, gid: 1_000, namespace: '', sameOnHost: false };

it.each([
  ['Docker as root', 'Docker', {}, { ...PERSON, namespace: '', sameOnHost: true }],
  ['Docker with mapped users', 'Docker', { SecurityOptions: ['name=userns'] }, unknown],
  [
    'Docker without root',
    'Docker',
    { SecurityOptions: ['name=seccomp,profile=default', 'name=rootless'] },
    unknown,
  ],
  ['Podman as root', 'Podman', { Rootless: false }, { ...PERSON, namespace: '', sameOnHost: true }],
  // Podman 4.3 does not list it.
  [
    'Podman without root',
    'Podman',
    { Rootless: true },
    { ...PERSON, namespace: 'keep-id', sameOnHost: true },
  ],
] as const)(
  'the program of a person is never root, and their own number where that can be: %s',
  (...[, product, info, user]) => {
    expect(containerUser(product, infoSchema.parse(info), PERSON)).toEqual(user);
  },
);

it.each([ROOT, SYSTEM_WITHOUT_NUMBERS])('it is the sandbox’s own user where the person is %o', (host) => {
  const own = { ...unknown, sameOnHost: true };
  expect(containerUser('Docker', infoSchema.parse({}), host)).toEqual(own);
  expect(containerUser('Podman', infoSchema.parse({ Rootless: true }), host)).toEqual(unknown);
});
