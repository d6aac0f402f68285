/**
 * Messages of a port as text between the double and a page: bytes as base64, anything else as JSON. A value that is
 * neither (bytes inside an object, a Map, a function) is refused: structured clone would carry it, this does not.
 */
export type WireValue = { readonly bytes: string } | { readonly json: unknown };

export function toWire(value: unknown): WireValue {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  refuseOtherThanJson(value, '');
  return { json: value };
}

export function fromWire(value: WireValue): unknown {
  return 'bytes' in value ? new Uint8Array(Buffer.from(value.bytes, 'base64')) : value.json;
}

function refuseOtherThanJson(value: unknown, path: string): void {
  if (value === null || value === undefined) return;
  if (['string', 'number', 'boolean'].includes(typeof value)) return;
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (typeof value !== 'object' || !plain) {
    throw new TypeError(`The double cannot carry the value at "${path || '.'}" of a message.`);
  }
  for (const [key, item] of Object.entries(value)) refuseOtherThanJson(item, `${path}.${key}`);
}
