import type { AuditCheck } from '../../shared/governed/verification.ts';
import type { Checking } from '../state/publications-store.ts';
import { counted, formatMoment } from '../ui/format.ts';
import { VisibleText } from '../ui/VisibleText.tsx';

/** The whole log: whether its chain holds, else the first link that does not. */
export function AuditResult({ audit }: { readonly audit: Checking<AuditCheck> | null }) {
  if (audit === null || audit.kind === 'checking') return null;
  if (audit.kind === 'failed') {
    return (
      <div className="notice notice-danger audit-result" role="status">
        <p>The log could not be checked: {audit.message}</p>
      </div>
    );
  }
  const { broken, files, records, receipts, log, checkedAt } = audit.check;
  const holds = broken === null && files.length === 0;
  return (
    <div
      className={`notice audit-result ${holds ? 'notice-ok' : 'notice-danger'}`}
      role="status"
      data-audit={holds}
    >
      <p>
        <strong>{holds ? 'Everything agrees.' : 'Something does not agree.'}</strong>{' '}
        {counted(records, 'record')}, {counted(receipts, 'receipt')}, as of {formatMoment(checkedAt)}.
      </p>
      {broken !== null && (
        <p>
          The log breaks at line {broken.line}: <VisibleText text={broken.reason} limit={1_000} />
        </p>
      )}
      {files.map(({ receiptId, path, reason }) => (
        <p key={receiptId}>
          {path !== '' && (
            <>
              <VisibleText text={path} limit={4_096} />:{' '}
            </>
          )}
          <VisibleText text={reason} limit={1_000} />
        </p>
      ))}
      <p className="audit-log">
        <code className="selectable">{log}</code>
      </p>
    </div>
  );
}
