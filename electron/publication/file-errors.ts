import { FileError } from '../governed/ports.ts';

export function outsideCeilings(): FileError {
  return new FileError('F2', 'filesystem path is outside configured mount ceilings');
}
