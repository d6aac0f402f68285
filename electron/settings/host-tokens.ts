import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../../shared/result.ts';
import { hostTokenSchema } from '../../shared/settings/host-token.ts';
import { profileIdSchema } from '../../shared/settings/schema.ts';
import type { KeyWrapper } from '../audit/key-store.ts';

const tokenFileSchema = z.strictObject({
  v: z.literal(1),
  /** Of the address that the token was given for. */
  origin: z.string(),
  protection: z.enum(['none', 'wrapped']),
  token: z.base64(),
});

/** Bytes of a file: a token of the largest size, wrapped, in base64. */
const FILE_MAX_BYTES = 64 * 1024;
const SUFFIX = '.json';

/**
 * Bearer tokens that the host alone keeps, of one kind of profile: `<dataDir>/<kind>/<profile id>.json`, mode 0600, wrapped by
 * the desktop's keychain where that is real. A token is for one address: who could change a profile alone must not be able to
 * send it elsewhere. Failures are words for a person, and never name the token.
 */
export class HostTokens {
  readonly #folder: string;
  readonly #wrapper: KeyWrapper | null;

  constructor(dataDir: string, kind: 'symbiont' | 'smolvm', wrapper: KeyWrapper | null) {
    this.#folder = join(dataDir, kind);
    this.#wrapper = wrapper;
  }

  /** Null when there is none, or one for another address. */
  read(profileId: string, address: string): Result<string | null, string> {
    try {
      const text = readPrivate(this.#path(profileId));
      if (text === null) return ok(null);
      const file = tokenFileSchema.parse(parseJson(text));
      if (file.origin !== originOf(address)) return ok(null);
      const bytes = Buffer.from(file.token, 'base64');
      const token = file.protection === 'none' ? bytes : this.#unwrap(bytes);
      return ok(hostTokenSchema.parse(Buffer.from(token).toString('utf8')));
    } catch (error) {
      return fail(`Its token cannot be read: ${reasonOf(error)}. Save it again.`);
    }
  }

  /** Replaces what was kept. */
  save(profileId: string, address: string, token: string): Result<null, string> {
    const path = this.#path(profileId);
    const fresh = `${path}.new`;
    try {
      prepareFolder(this.#folder);
      const bytes = Buffer.from(token, 'utf8');
      const file: z.infer<typeof tokenFileSchema> = {
        v: 1,
        origin: originOf(address),
        protection: this.#wrapper === null ? 'none' : 'wrapped',
        token: Buffer.from(this.#wrapper?.wrap(bytes) ?? bytes).toString('base64'),
      };
      rmSync(fresh, { force: true });
      writeFileSync(fresh, `${JSON.stringify(file)}\n`, { flag: 'wx', mode: 0o600 });
      renameSync(fresh, path);
      return ok(null);
    } catch (error) {
      rmQuietly(fresh);
      return fail(`The token was not saved: ${reasonOf(error)}.`);
    }
  }

  remove(profileId: string): Result<null, string> {
    try {
      rmSync(this.#path(profileId), { force: true });
      return ok(null);
    } catch (error) {
      return fail(`The token was not removed: ${reasonOf(error)}.`);
    }
  }

  /** Removes the tokens of every profile that is not among these. */
  keepOnly(profileIds: ReadonlySet<string>): void {
    for (const name of this.#names()) {
      const id = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : null;
      if (id === null || !profileIds.has(id)) rmQuietly(join(this.#folder, name));
    }
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }

  #path(profileId: string): string {
    return join(this.#folder, `${profileIdSchema.parse(profileId)}${SUFFIX}`);
  }

  #unwrap(bytes: Uint8Array): Uint8Array {
    if (this.#wrapper !== null) return this.#wrapper.unwrap(bytes);
    throw new Error('the desktop application protected it by its key ring');
  }
}

/** `unix:///path` has no origin of its own: all of it says where the socket is. */
function originOf(address: string): string {
  const url = new URL(address);
  return url.protocol === 'unix:' ? url.href : url.origin;
}

/** For its owner alone. Throws where it is a link, or another user's. */
function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw new Error(`${folder} is not a folder`);
  const user = process.getuid?.();
  if (user === undefined) return; // Windows: who may read is not in the mode.
  if (stats.uid !== user) throw new Error(`${folder} belongs to another user`);
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Null when there is no such file. */
function readPrivate(path: string): string | null {
  let descriptor: number;
  try {
    // Not blocking: a pipe in its place must not stop the host.
    descriptor = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > FILE_MAX_BYTES)
      throw new Error('its file is not one that Airlock wrote');
    if (process.getuid !== undefined && (stats.mode & 0o077) !== 0)
      throw new Error('others may read its file, so consider it known');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rmQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is tried again at the next change of the settings.
  }
}

/** An error of the schema would quote what it read. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'its file is not one that Airlock wrote';
  return error instanceof Error ? error.message : String(error);
}
