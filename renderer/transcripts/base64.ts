/** Empty for what is no base64: a host that sends that has nothing to show. */
export function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return new Uint8Array(0);
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Characters that one call of `fromCharCode` gets: more would be too many arguments. */
const SLICE = 0x8000;

export function base64OfBytes(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += SLICE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  }
  return btoa(binary);
}
