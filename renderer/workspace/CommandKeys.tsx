import { useCommandKeys } from '../commands/current-keys.ts';
import { Keys } from '../ui/Keys.tsx';

/** The keys of a command, if it has any. */
export function CommandKeys({ id }: { readonly id: string }) {
  const keys = useCommandKeys(id);
  return keys && <Keys keys={keys} />;
}
