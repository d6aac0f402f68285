import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { SMALL_TMPFS_BYTES } from '../../../shared/terminal/limits.ts';
import type { TerminalSize } from '../../../shared/terminal/size.ts';
import { EngineError, type SandboxSpec } from '../engine.ts';
import type { SharedFile } from '../host-folders.ts';
import { type ArchiveEntry, cpioArchive } from './guest/cpio.ts';
import { USER } from './guest/user.ts';

const MIB = 1024 * 1024;

/** Bytes of a worker's files together, in and out: rules F allow 32 MiB of inputs and 16 MiB of output. */
export const FILES_MAX_BYTES = 48 * MIB;

const SHELL_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: USER.home,
  USER: USER.name,
  LOGNAME: USER.name,
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
};

/** All that a worker's program finds in its environment (E14). */
const WORKER_ENVIRONMENT = { TERM: 'dumb' };

/** Bytes of everything that a worker may leave in its files. */
export function outputMaxBytes({ worker }: SandboxSpec): number {
  return worker?.fileMaxBytes ?? FILES_MAX_BYTES;
}

/**
 * What one machine is told, as an archive behind the guest's own: the bounds, the program, its size and environment, and the
 * worker's files. No program of the guest can read the first ones, and of the host it gets nothing else. Rejects with
 * EngineError.
 */
export async function sessionArchive(
  spec: SandboxSpec,
  files: readonly SharedFile[],
  size: TerminalSize,
): Promise<Buffer> {
  const { limits, command, environment } = spec.profile;
  const bounds = {
    homeBytes: limits.homeMiB * MIB,
    tmpBytes: limits.tmpMiB * MIB,
    smallBytes: SMALL_TMPFS_BYTES,
    user: USER.id,
  };
  const settings = {
    user: USER.id,
    columns: size.cols,
    rows: size.rows,
    echo: spec.worker ? 0 : 1,
    processes: limits.processes,
    openFiles: limits.openFiles,
    outputBytes: outputMaxBytes(spec),
    ...(spec.worker?.fileMaxBytes == null ? {} : { fileBytes: spec.worker.fileMaxBytes }),
  };
  const variables = spec.worker ? WORKER_ENVIRONMENT : { ...SHELL_ENVIRONMENT, ...environment };
  const written = files.filter(({ access }) => access === 'read-write');
  const text = (name: string, content: string): ArchiveEntry => ({
    path: `airlock/session/${name}`,
    kind: 'file',
    mode: 0o600,
    content: Buffer.from(content),
  });
  return cpioArchive([
    { path: 'airlock/session', kind: 'folder', mode: 0o700 },
    text('bounds', lines(bounds)),
    text('settings', lines(settings)),
    text('command', list(command)),
    text('environment', list(Object.entries(variables).map(([name, value]) => `${name}=${value}`))),
    text('outputs', list(written.map(belowWork))),
    ...(await grantedFiles(files)),
  ]);
}

async function grantedFiles(files: readonly SharedFile[]): Promise<ArchiveEntry[]> {
  const folders = new Set<string>();
  const entries: ArchiveEntry[] = [];
  let total = 0;
  for (const file of files) {
    const path = file.target.slice(1);
    const steps = path.split('/');
    for (let depth = 2; depth < steps.length; depth++) folders.add(steps.slice(0, depth).join('/'));
    const content = await readGranted(file, FILES_MAX_BYTES - total);
    total += content.length;
    entries.push({ path, kind: 'file', mode: file.access === 'read-write' ? 0o666 : 0o444, content });
  }
  return [...[...folders].map((path): ArchiveEntry => ({ path, kind: 'folder', mode: 0o755 })), ...entries];
}

/** The very file that was checked, and no more of it than `maxBytes`. */
async function readGranted({ path, device, inode }: SharedFile, maxBytes: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const found = await handle.stat({ bigint: true });
    if (found.dev !== device || found.ino !== inode)
      throw new EngineError('open-failed', 'A staged file was replaced while the machine was being set up.');
    if (found.size > BigInt(maxBytes))
      throw new EngineError(
        'profile-invalid',
        `The staged files have more than ${FILES_MAX_BYTES} bytes together.`,
      );
    const content = Buffer.alloc(Number(found.size));
    for (let read = 0; read < content.length; ) {
      const { bytesRead } = await handle.read(content, read);
      if (bytesRead === 0)
        throw new EngineError('open-failed', 'A staged file was cut while the machine was being set up.');
      read += bytesRead;
    }
    return content;
  } finally {
    await handle.close();
  }
}

/** A file's place relative to the working directory, as the agent wants it. */
function belowWork({ target }: SharedFile): string {
  return target.split('/').slice(2).join('/');
}

function lines(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function list(texts: readonly string[]): string {
  return texts.map((text) => `${text}\0`).join('');
}
