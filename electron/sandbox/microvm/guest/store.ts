import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/** Bytes of each; a guest of Debian's packages has about 53 and 13 MB. */
export const GUEST_MAX_BYTES = { kernel: 160 * 1024 * 1024, initramfs: 64 * 1024 * 1024 } as const;

const fileSchema = z.object({
  /** Name in the guest's folder. */
  name: z.string().regex(/^[a-z]+-[0-9a-f]{16}$/),
  bytes: z.number().int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What a built guest is, in `guest.json` beside its files. */
const guestRecordSchema = z.object({
  version: z.literal(1),
  /** Of the lines between agent and host; see protocol.ts. */
  protocol: z.number().int(),
  /** ISO 8601. */
  builtAt: z.string(),
  kernelRelease: z.string(),
  kernel: fileSchema,
  initramfs: fileSchema,
  packages: z.array(z.object({ name: z.string(), version: z.string(), sha256: z.string() })),
});
export type GuestRecord = z.infer<typeof guestRecordSchema>;

export interface GuestFiles {
  /** Absolute paths. */
  readonly kernel: string;
  readonly initramfs: string;
}

const RECORD_NAME = 'guest.json';
const RECORD_MAX_BYTES = 64 * 1024;

/** The guest that `airlock guest build` made, in a folder of the data folder: its record and two files named by digest. */
export class GuestStore {
  readonly #folder: string;
  #verified: string | null = null;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'microvm', 'guest');
  }

  /** The guest's record, or null when none was built or its record cannot be read. */
  async read(): Promise<GuestRecord | null> {
    const text = await readFile(join(this.#folder, RECORD_NAME), 'utf8').catch(() => '');
    if (text.length > RECORD_MAX_BYTES) return null;
    try {
      return guestRecordSchema.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }

  filesOf({ kernel, initramfs }: GuestRecord): GuestFiles {
    return { kernel: join(this.#folder, kernel.name), initramfs: join(this.#folder, initramfs.name) };
  }

  /** Throws in words when a file is not the one that was built. Each guest is hashed once, at its first use. */
  async verify(guest: GuestRecord): Promise<void> {
    const key = JSON.stringify([guest.kernel, guest.initramfs]);
    if (this.#verified === key) return;
    const files = this.filesOf(guest);
    for (const part of ['kernel', 'initramfs'] as const) {
      const size = (await stat(files[part]).catch(() => null))?.size;
      if (size !== guest[part].bytes || (await digestOf(files[part])) !== guest[part].sha256)
        throw new Error(`The guest's ${part} is not the one that was built. It must be built again.`);
    }
    this.#verified = key;
  }

  /**
   * Puts a guest in the place of the one before; whoever reads meanwhile gets one or the other, whole: the files of the one
   * before stay until the next.
   */
  async publish(
    contents: { readonly kernel: Buffer; readonly initramfs: Buffer },
    about: Omit<GuestRecord, 'version' | 'builtAt' | 'kernel' | 'initramfs'>,
  ): Promise<GuestRecord> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const before = await this.read();
    const record: GuestRecord = {
      version: 1,
      builtAt: new Date().toISOString(),
      ...about,
      kernel: await this.#write('vmlinux', contents.kernel),
      initramfs: await this.#write('initramfs', contents.initramfs),
    };
    await this.#replace(RECORD_NAME, Buffer.from(`${JSON.stringify(record, null, 2)}\n`));
    const guests = before === null ? [record] : [before, record];
    const kept = [RECORD_NAME, ...guests.flatMap(({ kernel, initramfs }) => [kernel.name, initramfs.name])];
    for (const name of await readdir(this.#folder))
      if (!kept.includes(name)) await rm(join(this.#folder, name), { force: true });
    return record;
  }

  async #write(kind: string, bytes: Buffer) {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const name = `${kind}-${sha256.slice(0, 16)}`;
    await this.#replace(name, bytes);
    return { name, bytes: bytes.length, sha256 };
  }

  async #replace(name: string, bytes: Buffer): Promise<void> {
    const temporary = join(this.#folder, `.${name}.new`);
    const file = await open(temporary, 'w', 0o644);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(this.#folder, name));
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
