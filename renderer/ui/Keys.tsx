import './keys.css';

/** A chord as keycaps. The names are read as one: "Ctrl Shift P". */
export function Keys({ keys }: { readonly keys: readonly string[] }) {
  return <kbd className="keys">{keys.join(' ')}</kbd>;
}
