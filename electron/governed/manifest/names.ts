import { hasHidden, shown } from './text.ts';

const NAME_MAX_CHARS = 128;

/** Null for a name that can stand in identifiers, approvals and policies as what it looks like; otherwise why not. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'must not be empty';
  if (name.length > NAME_MAX_CHARS)
    return `must have at most ${NAME_MAX_CHARS} characters, has ${name.length}`;
  if (hasHidden(name) || /\s/.test(name))
    return `must not contain invisible characters or spaces: ${shown(name)}`;
  return null;
}
