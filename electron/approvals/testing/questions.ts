import type { ApprovalPayload } from '../../../shared/governed/approval.ts';
import { APPROVAL } from '../../../shared/governed/limits.ts';

export function aPayload(changes: Partial<ApprovalPayload> = {}): ApprovalPayload {
  return {
    kind: 'command',
    call_id: '5f0c2d0e-1111-4222-8333-444455556666',
    tool: 'report_writer.save',
    command: 'save-report',
    arguments: {},
    manifest: { name: 'report_writer', version: '1.0.0', digest: 'ab'.repeat(32), file: '/m/r.clad.toml' },
    fingerprint: `sha256:${'cd'.repeat(32)}`,
    engine: 'Bubblewrap',
    posture: ['No network'],
    effects: ['Ends the session and publishes the file'],
    files: { read: [], create: ['data/report.csv'] },
    destination: '/home/someone/data/report.csv',
    staged: { bytes: 12, sha256: null },
    session_finalizes: true,
    ...changes,
  };
}

export function aQuestion(changes: Partial<ApprovalPayload> = {}, waitMs: number = APPROVAL.waitMs) {
  return { sessionId: 'session-1', title: 'report_writer.save', payload: aPayload(changes), waitMs };
}
