import { type KeyObject, sign, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type AuditEntry, auditEntrySchema } from '../../shared/governed/audit.ts';
import { describeIssues, problemsInWords } from '../../shared/protocol/issues.ts';

/** `prev` of the first line. */
export const NO_LINE = '0'.repeat(64);

/** Keeps a signature of one kind from being taken for one of another. */
const CONTEXT = { entry: 'airlock-audit-entry/1\n', head: 'airlock-audit-head/1\n' } as const;

export type UnsignedEntry = Omit<AuditEntry, 'sig'>;

/** The line of an entry, without its line feed. Throws where a value has no canonical form (NaN, a lone surrogate). */
export function writeEntry(entry: UnsignedEntry, key: KeyObject): Buffer {
  const sig = signText('entry', canonical(entry), key);
  return Buffer.from(canonical({ ...entry, sig }));
}

export type ReadEntry = { readonly entry: AuditEntry } | { readonly problem: string };

/** Takes a line apart; accepts exactly the bytes that writeEntry makes. Does not look at chain or signature. */
export function readEntry(line: Uint8Array): ReadEntry {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(line).toString('utf8'));
  } catch {
    return { problem: 'it is not JSON' };
  }
  const parsed = auditEntrySchema.safeParse(value);
  if (!parsed.success) return { problem: problemsInWords(describeIssues(parsed.error.issues, value)) };
  // Another spelling of the same value is a changed line.
  if (!isCanonical(value, line)) return { problem: 'it is not spelled as the log spells it' };
  return { entry: value as AuditEntry };
}

function isCanonical(value: unknown, line: Uint8Array): boolean {
  try {
    return Buffer.from(canonical(value)).equals(line);
  } catch {
    return false;
  }
}

export function isSigned({ sig, ...entry }: AuditEntry, publicKey: KeyObject): boolean {
  return verifyText('entry', canonical(entry), sig, publicKey);
}

export function signText(context: keyof typeof CONTEXT, text: string, key: KeyObject): string {
  return sign(null, Buffer.from(CONTEXT[context] + text), key).toString('hex');
}

export function verifyText(
  context: keyof typeof CONTEXT,
  text: string,
  sig: string,
  key: KeyObject,
): boolean {
  return verify(null, Buffer.from(CONTEXT[context] + text), key, Buffer.from(sig, 'hex'));
}

function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('The value has no JSON form.');
  return text;
}
