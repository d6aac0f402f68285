import { FileError } from '../governed/ports.ts';

export function outsideCeilings(): FileError {
  return new FileError('F2', 'filesystem path is outside configured mount ceilings');
}

/** Its files went with it, or belong to another process by now. */
export function outFolderGone(): FileError {
  return new FileError('F7', 'the session has ended, and its /out with it');
}

/** As it is, or what the system refused in words behind `what`. */
export function asFileError(error: unknown, rule: string, what: string, file?: FileError['file']): FileError {
  if (error instanceof FileError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new FileError(rule, `${what}: ${code === undefined ? message : systemProblem(code)}`, file);
}

export function systemProblem(code: string | undefined): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'there is no space left';
    case 'EROFS':
      return 'the file system is read-only';
    case 'EACCES':
      return 'the folder cannot be written';
    case 'ENAMETOOLONG':
      return 'the name is too long for this file system';
    default:
      return code ?? 'unknown error';
  }
}
