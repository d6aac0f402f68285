import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AuditError } from './audit-error.ts';
import { type AuditPaths, createDurably, isMissing } from './audit-folder.ts';

/** Where the private key of the audit log is kept. */
export interface KeyStore {
  /** Null when there is no key yet. Rejects with AuditError when there is one that cannot be used. */
  read(): Promise<KeyObject | null>;
  /** Makes an Ed25519 key and keeps it; resolves when it is on the disk. */
  create(): Promise<KeyObject>;
}

/** Protects a key by something that only this user's session has, as Electron's safeStorage does where it is real. */
export interface KeyWrapper {
  wrap(bytes: Uint8Array): Uint8Array;
  /** Throws when the bytes were wrapped by another. */
  unwrap(bytes: Uint8Array): Uint8Array;
}

const keyFileSchema = z.strictObject({
  v: z.literal(1),
  protection: z.enum(['none', 'wrapped']),
  /** PKCS#8 DER, wrapped or not. */
  key: z.base64(),
});

/** The key in `<dataDir>/audit/key.json`, mode 0600. The wrapper decides at the first use how it is kept from then on. */
export class FileKeyStore implements KeyStore {
  readonly #paths: AuditPaths;
  readonly #wrapper: KeyWrapper | null;

  constructor(paths: AuditPaths, wrapper: KeyWrapper | null = null) {
    this.#paths = paths;
    this.#wrapper = wrapper;
  }

  async read(): Promise<KeyObject | null> {
    const { key: path } = this.#paths;
    try {
      await requirePrivate(path);
      const text = await readFile(path, 'utf8');
      if (text === '') return null; // See createDurably.
      const file = keyFileSchema.parse(JSON.parse(text));
      const bytes = Buffer.from(file.key, 'base64');
      return privateKey(file.protection === 'none' ? bytes : this.#unwrap(bytes));
    } catch (error) {
      if (isMissing(error)) return null;
      if (error instanceof AuditError) throw error;
      throw new AuditError('broken', `The signing key ${path} cannot be read: ${(error as Error).message}`);
    }
  }

  async create(): Promise<KeyObject> {
    const { privateKey: key } = generateKeyPairSync('ed25519');
    const bytes = key.export({ type: 'pkcs8', format: 'der' });
    const kept = this.#wrapper === null ? bytes : Buffer.from(this.#wrapper.wrap(bytes));
    const file = {
      v: 1,
      protection: this.#wrapper === null ? 'none' : 'wrapped',
      key: kept.toString('base64'),
    };
    await createDurably(this.#paths.key, this.#paths.folder, Buffer.from(`${JSON.stringify(file)}\n`));
    return key;
  }

  #unwrap(bytes: Uint8Array): Uint8Array {
    if (this.#wrapper !== null) return this.#wrapper.unwrap(bytes);
    throw new AuditError(
      'broken',
      `The signing key ${this.#paths.key} is protected by the desktop's key ring; open this data folder with the desktop application.`,
    );
  }
}

function privateKey(der: Uint8Array): KeyObject {
  const key = createPrivateKey({ key: Buffer.from(der), type: 'pkcs8', format: 'der' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is not an Ed25519 key');
  return key;
}

async function requirePrivate(path: string): Promise<void> {
  const stats = await lstat(path);
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (process.getuid !== undefined && (stats.mode & 0o077) !== 0)
    throw new Error('others may read it (chmod 600, and consider it known)');
}

/** Reads `key.pub`; null when there is none. Throws when it is not an Ed25519 key. */
export async function readPublicKey(path: string): Promise<KeyObject | null> {
  try {
    const pem = await readFile(path, 'utf8');
    if (pem === '') return null; // See createDurably.
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is not an Ed25519 key');
    return key;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function publicPem(key: KeyObject): string {
  return publicOf(key).export({ type: 'spki', format: 'pem' }).toString();
}

/** SHA-256 of the public key's SPKI form, lower-case hex. */
export function fingerprintOf(key: KeyObject): string {
  const der = publicOf(key).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}

function publicOf(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key;
}
