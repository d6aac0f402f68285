import { CLIPBOARD_WRITE_MAX_BYTES } from './limits.ts';

/** What a program asked of the clipboard with OSC 52 (B13). `reason` says why nothing can come of it. */
export type ClipboardRequest =
  | { readonly kind: 'read' }
  | { readonly kind: 'write'; readonly text: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** The profile's setting of that name. */
export type ClipboardWritePolicy = 'off' | 'ask' | 'allow';
export type ClipboardDecision =
  | { readonly kind: 'write' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'refuse'; readonly reason: string };

/** `c` clipboard, `p` primary, `s` either; none means `s`. Cut buffers and `q` are nothing that a browser has. */
const TARGETS = /^[cps]*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64_MAX_CHARS = Math.ceil(CLIPBOARD_WRITE_MAX_BYTES / 3) * 4;

/** Reads the payload of OSC 52, `targets;base64`. Base64 and UTF-8 are read strictly; an empty text clears nothing. */
export function readClipboardRequest(payload: string): ClipboardRequest {
  const separator = payload.indexOf(';');
  if (separator < 0) return invalid('It names no target.');
  if (!TARGETS.test(payload.slice(0, separator)))
    return invalid('It names a target that does not exist here.');
  const data = payload.slice(separator + 1);
  if (data === '?') return { kind: 'read' };
  if (data === '') return invalid('It holds no text.');
  if (data.length > BASE64_MAX_CHARS) return tooLong();
  if (!BASE64.test(data)) return invalid('It is not base64.');
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  if (bytes.length > CLIPBOARD_WRITE_MAX_BYTES) return tooLong();
  try {
    return { kind: 'write', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return invalid('It is not UTF-8 text.');
  }
}

/** Only the pane that has the focus may write, and only as its profile says. */
export function decideClipboardWrite(policy: ClipboardWritePolicy, focused: boolean): ClipboardDecision {
  if (policy === 'off') {
    return { kind: 'refuse', reason: 'The profile does not let programs set the clipboard.' };
  }
  if (!focused) return { kind: 'refuse', reason: 'Only the focused pane may set the clipboard.' };
  return { kind: policy === 'ask' ? 'ask' : 'write' };
}

function invalid(reason: string): ClipboardRequest {
  return { kind: 'invalid', reason };
}

function tooLong(): ClipboardRequest {
  return invalid(`It is longer than ${CLIPBOARD_WRITE_MAX_BYTES} bytes.`);
}
