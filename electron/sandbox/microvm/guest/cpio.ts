/** One file, folder or link of an archive. `path` is relative, without `.` and `..`. Everything belongs to root. */
export type ArchiveEntry =
  | { readonly path: string; readonly kind: 'file'; readonly mode: number; readonly content: Uint8Array }
  | { readonly path: string; readonly kind: 'folder'; readonly mode: number }
  | { readonly path: string; readonly kind: 'link'; readonly target: string };

const TYPE = { file: 0o100000, folder: 0o040000, link: 0o120000 } as const;
const END_NAME = 'TRAILER!!!';

/** Bytes to which every name, content and archive is padded. */
export const ALIGNMENT = 4;

/**
 * A cpio archive in the format "newc", as the kernel unpacks it for its first file system: the same entries give the same
 * bytes. Folders above an entry are not made by themselves. Archives one after the other are one; the later wins.
 */
export function cpioArchive(entries: readonly ArchiveEntry[]): Buffer {
  const parts = entries.flatMap((entry, index) => record(entry, index + 1));
  return Buffer.concat([...parts, ...rawRecord(END_NAME, 0, 0, new Uint8Array())]);
}

function record(entry: ArchiveEntry, inode: number): Buffer[] {
  switch (entry.kind) {
    case 'file':
      return rawRecord(entry.path, TYPE.file | entry.mode, inode, entry.content);
    case 'folder':
      return rawRecord(entry.path, TYPE.folder | entry.mode, inode, new Uint8Array());
    case 'link':
      return rawRecord(entry.path, TYPE.link | 0o777, inode, Buffer.from(entry.target));
  }
}

function rawRecord(path: string, mode: number, inode: number, content: Uint8Array): Buffer[] {
  const name = Buffer.from(`${path}\0`);
  const links = 1;
  const fields = [inode, mode, 0, 0, links, 0, content.length, 0, 0, 0, 0, name.length, 0];
  const header = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`);
  return [padded(Buffer.concat([header, name])), padded(Buffer.from(content))];
}

function padded(bytes: Buffer): Buffer {
  const missing = (ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}
