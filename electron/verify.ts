import type { AuditVerification } from '../shared/governed/audit.ts';
import { visibleParts } from '../shared/terminal/visible-text.ts';
import { verifyAudit } from './audit/verify-audit.ts';

export interface VerifyOptions {
  readonly dataDir: string;
  readonly json: boolean;
}

/** `airlock verify`: checks the audit log, its receipts and the published files. False when something does not hold. */
export async function verify({ dataDir, json }: VerifyOptions): Promise<boolean> {
  const result = await verifyAudit(dataDir);
  console.log(json ? JSON.stringify(result) : inWords(result).join('\n'));
  return result.ok;
}

function inWords({ log, lines, receipts, keyFingerprint, broken, notes }: AuditVerification): string[] {
  const where = broken?.event ? ` (${broken.event})` : '';
  return [
    `Audit log ${log}`,
    `  ${count(lines, 'line')} and ${count(receipts, 'receipt')} hold`,
    ...(keyFingerprint === null ? [] : [`  key ${keyFingerprint}`]),
    ...notes.map((note) => `  note: ${printable(note)}`),
    broken === null ? '✓ Nothing is broken.' : `✗ First broken link${where}: ${printable(broken.message)}`,
  ];
}

/** Paths in the log were chosen by others: nothing of them may move a cursor. */
function printable(text: string): string {
  return visibleParts(text)
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'code' ? `<${part.label}>` : '<LF>'))
    .join('');
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
