import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Profile } from '../../shared/settings/schema.ts';
import { EngineError } from './engine.ts';
import { profileOf } from './testing/sandbox-shell.ts';
import { resolveFolders, validateProfile } from './validate.ts';

const refused = (action: () => unknown): EngineError => {
  try {
    action();
  } catch (error) {
    if (error instanceof EngineError && error.tag === 'profile-invalid') return error;
    throw error;
  }
  throw new Error('It was accepted.');
};

/** As if it had come by another way than the schema. */
const unchecked = (part: Partial<Profile>): Profile => ({ ...profileOf(['/bin/true']), ...part });

describe('B17 a profile', () => {
  it.each([
    ['a NUL in an argument', { command: ['echo', 'a\0b'] }, 'U+0000'],
    ['a C1 control in an argument', { command: ['echo', 'a\u009b31m'] }, 'U+009B'],
    ['an escape in an argument', { command: ['echo', '\x1b[2K'] }, 'U+001B'],
    ['a carriage return in an argument', { command: ['echo', 'a\rb'] }, 'U+000D'],
    ['a NUL in the program', { command: ['/bin/\0sh'] }, 'U+0000'],
    ['a newline in the program', { command: ['/bin/sh\n'] }, 'U+000A'],
    ['half of a surrogate pair', { command: ['echo', '\ud83d'] }, 'Unicode'],
    ['no program', { command: [] }, 'empty'],
    ['a NUL in a variable', { environment: { A: 'a\0b' } }, 'U+0000'],
    ['a delete in a variable', { environment: { A: '\x7f' } }, 'U+007F'],
    ['a name that is none', { environment: { 'A=B': 'x' } }, 'bad name'],
  ])('with %s is refused', (_, part, words) => {
    expect(refused(() => validateProfile(unchecked(part))).message).toContain(words);
  });

  it('with letters of every kind, tabs and newlines in arguments is accepted', () => {
    const command = ['/bin/sh', '-c', 'echo "À Á Ā €"\n\techo 😀'];
    expect(() => validateProfile(unchecked({ command, environment: { A: 'ü\tß\n' } }))).not.toThrow();
  });
});

/** On the others a folder is found by its name: they have no O_PATH. */
describe.each(['linux', 'darwin'] as const)('the folders of a session (%s)', (platform) => {
  beforeEach(() => void vi.spyOn(process, 'platform', 'get').mockReturnValue(platform));
  afterEach(() => void vi.restoreAllMocks());

  let root: string;
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'airlock-folders-')));
    for (const name of ['work', 'data', 'data/logs', 'data-two', 'data..x']) mkdirSync(join(root, name));
    writeFileSync(join(root, 'file'), '');
    symlinkSync(join(root, 'work'), join(root, 'link-to-work'));
    symlinkSync('/etc', join(root, 'link-to-etc'));
    symlinkSync('/', join(root, 'link-to-root'));
    symlinkSync(join(root, 'nothing'), join(root, 'dangling'));
    symlinkSync(join(root, 'file'), join(root, 'link-to-file'));
    symlinkSync(join(root, 'circle'), join(root, 'circle'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const resolve = (part: Partial<Pick<Profile, 'project' | 'scratch'>>, project: string | null = null) =>
    resolveFolders({ sessionId: 's', profile: unchecked(part), project }, [join(root, 'data')]);

  it('are none by default', () => {
    expect(resolve({})).toEqual({ project: null, scratch: null, files: null });
  });

  it('are resolved, and the session wins over the profile', () => {
    const folders = { project: '/usr', scratch: join(root, 'link-to-work') };
    const identity = (path: string) => {
      const { dev, ino } = statSync(path, { bigint: true });
      return { path, device: dev, inode: ino };
    };
    expect(resolve(folders, join(root, 'data-two'))).toEqual({
      project: identity(join(root, 'data-two')),
      scratch: identity(join(root, 'work')),
      files: null,
    });
  });

  it('of a worker are the very files, no links to others', () => {
    const resolveFile = (name: string) => {
      const files = [{ source: join(root, name), target: 'x', access: 'read-only' as const }];
      const worker = { files, fileMaxBytes: 1 };
      return resolveFolders({ sessionId: 's', profile: unchecked({}), project: null, worker }, []).files;
    };
    expect(resolveFile('file')).toMatchObject([{ path: join(root, 'file') }]);
    for (const name of ['link-to-file', 'work', 'nothing'])
      expect(refused(() => resolveFile(name)).message).toContain('A staged file is missing');
  });

  it('say why when they cannot be looked at', () => {
    expect(refused(() => resolve({ project: join(root, 'circle') })).message).toContain('ELOOP');
  });

  it('are compared by whole components, not by prefix', () => {
    expect(resolve({ scratch: join(root, 'data-two') }).scratch?.path).toBe(join(root, 'data-two'));
    expect(resolve({ scratch: join(root, 'data..x') }).scratch?.path).toBe(join(root, 'data..x'));
  });

  it.each([
    ['does not exist', 'nothing'],
    ['is a file', 'file'],
    ['is a dangling link', 'dangling'],
    ['is a link to the file system', 'link-to-root'],
    ["is Airlock's data", 'data'],
    ["is in Airlock's data", 'data/logs'],
    ["holds Airlock's data", '.'],
    ['leads there by ..', 'work/../data'],
  ])('are refused when one %s', (_, name) => {
    refused(() => resolve({ project: join(root, name) }));
    refused(() => resolve({ scratch: join(root, name) }));
  });

  it.each([
    '/',
    '/proc',
    '/proc/self',
    '/sys',
    '/dev',
    '/run',
    '/tmp',
    'relative',
    'a\0b',
    'a\nb',
    homedir(),
  ])('are refused when one is %j', (path) => {
    refused(() => resolve({ project: path }));
    refused(() => resolve({ scratch: path }));
  });

  it('may be system folders for reading, never for writing', () => {
    expect(resolve({ project: '/usr/share' }).project?.path).toBe('/usr/share');
    refused(() => resolve({ scratch: '/usr/share' }));
    refused(() => resolve({ scratch: '/var' }));
    refused(() => resolve({ scratch: join(root, 'link-to-etc') }));
  });
});
