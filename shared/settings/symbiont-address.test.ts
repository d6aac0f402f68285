import { expect, it } from 'vitest';
import { describeIssues, problemsInWords } from '../protocol/issues.ts';
import { sandboxProfiles, settingsSchema, symbiontProfiles } from './schema.ts';
import { symbiontAddressProblem } from './symbiont-address.ts';

const withRuntime = (more: object, others: object = {}) => ({
  profiles: [
    { id: 'shell', name: 'Shell' },
    { kind: 'symbiont', id: 'ops', name: 'Ops', address: 'http://127.0.0.1:8080', ...more },
  ],
  ...others,
});

function problemsOf(settings: unknown): string {
  const parsed = settingsSchema.safeParse(settings);
  return parsed.success ? '' : problemsInWords(describeIssues(parsed.error.issues, settings));
}

it.each([
  'http://127.0.0.1:8080',
  'http://127.0.0.1:8080/',
  'http://localhost',
  'http://127.9.9.9:1',
  'http://[::1]:8080',
  'https://symbiont.example:8443',
  'https://10.0.0.7',
])('%s can be the address of a Symbiont runtime', (address) => {
  expect(symbiontAddressProblem(address)).toBeNull();
});

const HTTPS = 'must use https, except on this machine (127.0.0.1, [::1] or localhost)';
const USER = 'must not contain a user name or a password';
const PATH = 'must not have a path, a query or a fragment';
const FORM = 'must be an address such as http://127.0.0.1:8080';

it.each([
  ['', 'must start with http:// or https://'],
  ['127.0.0.1:8080', 'must start with http:// or https://'],
  ['ftp://127.0.0.1', 'must start with http:// or https://'],
  [' http://127.0.0.1', 'must start with http:// or https://'],
  ['http://symbiont.example', HTTPS],
  ['http://0.0.0.0:8080', HTTPS],
  ['http://127.0.0.1.example', HTTPS],
  ['http://localhost.example', HTTPS],
  ['http://[::ffff:1.2.3.4]', HTTPS],
  ['http://2130706434.1', FORM],
  ['http://127.0.0.1@symbiont.example', USER],
  ['https://me:secret@symbiont.example', USER],
  ['https://symbiont.example/api', PATH],
  ['https://symbiont.example?x', PATH],
  ['https://symbiont.example/#x', PATH],
  ['https://symbiont.example\\x', PATH],
  ['http://127.0.0.1:99999', FORM],
  ['http://127.0.0.1:8080 ', FORM],
  ['http://127.0.0.1\t', FORM],
  ['https://ex\u0430mple', FORM],
  ['https://', FORM],
])('%j cannot, and the error says why', (address, problem) => {
  expect(symbiontAddressProblem(address)).toBe(problem);
  expect(problemsOf(withRuntime({ address }))).toBe(`profiles[1].address ${problem}`);
});

it('settings without kinds stay as they were', () => {
  const settings = settingsSchema.parse({ profiles: [{ id: 'a', name: 'A' }], defaultProfile: 'a' });
  expect(settings.profiles).toMatchObject([{ kind: 'sandbox', id: 'a', engine: 'bubblewrap' }]);
});

it('the two kinds are told apart', () => {
  const settings = settingsSchema.parse(withRuntime({}));
  expect(sandboxProfiles(settings).map(({ id }) => id)).toEqual(['shell']);
  expect(symbiontProfiles(settings).map(({ id }) => id)).toEqual(['ops']);
});

it.each([
  [withRuntime({ kind: 'vm' }), 'profiles[1].kind must be one of the known kinds, is "vm"'],
  [withRuntime({ token: 'secret' }), 'profiles[1].token is not a field that exists here'],
  [withRuntime({ address: undefined }), 'profiles[1].address is missing'],
  [withRuntime({ id: 'shell' }), 'profiles[1].id repeats the id "shell"'],
  [withRuntime({}, { defaultProfile: 'ops' }), 'defaultProfile must be the id of a sandbox profile'],
  [{ profiles: [{ ...withRuntime({}).profiles[1] }] }, 'defaultProfile must be the id of a sandbox profile'],
])('settings are refused with the field named: %#', (settings, problems) => {
  expect(problemsOf(settings)).toBe(problems);
});
