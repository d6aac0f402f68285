import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../../../shared/governed/manifest.ts';
import type { FileDescriptor } from '../../../../shared/governed/receipt.ts';
import { NO_CUSTOM_TYPES } from '../../manifest/custom-types.ts';
import { parseManifest } from '../../manifest/parse-manifest.ts';
import type { PolicyCall } from '../../ports.ts';
import { fingerprintOf } from '../invocation.ts';

const EXAMPLE = join(import.meta.dirname, '../../../../resources/manifests/report_writer.clad.toml');

export const FILES: FileDescriptor = {
  read: [{ path: 'data/rates.csv', bytes: 12, sha256: 'd'.repeat(64) }],
  create: ['data/report.csv'],
  max_file_bytes: 262_144,
  input_snapshots: true,
  overwrite: false,
  output_parent_identity: ['1', '2'],
};

interface Changes {
  readonly principalId?: string;
  readonly callId?: string;
  readonly command?: string;
  readonly args?: Readonly<Record<string, string>>;
  readonly cedar?: Manifest['cedar'];
  readonly version?: string;
  readonly maxInteractions?: number;
  readonly manifestDigest?: string;
  readonly tier?: string;
  readonly files?: FileDescriptor | null;
  readonly approved?: boolean;
}

/** A call of the report writer's `save`, or of the command that is named, not approved unless asked for. */
export function callOf(changes: Changes = {}): PolicyCall {
  const { manifest: example } = parseManifest(readFileSync(EXAMPLE, 'utf8'), NO_CUSTOM_TYPES);
  if (example === null) throw new Error('the example does not load');
  const session = {
    ...example.session,
    maxInteractions: changes.maxInteractions ?? example.session.maxInteractions,
  };
  const cedar = changes.cedar === undefined ? example.cedar : changes.cedar;
  const manifest = { ...example, session, cedar, version: changes.version ?? example.version };
  const name = changes.command ?? 'save';
  const command = manifest.commands.find((one) => one.name === name);
  if (command === undefined) throw new Error(`no command ${name}`);
  const facts = {
    callId: changes.callId ?? 'call-1',
    manifest,
    command,
    manifestDigest: changes.manifestDigest ?? 'a'.repeat(64),
    args: changes.args ?? { command: 'save-report' },
    tier: changes.tier ?? 'bubblewrap',
    files: changes.files === undefined ? FILES : changes.files,
  };
  const fingerprint = fingerprintOf(facts);
  return {
    ...facts,
    principalId: changes.principalId ?? 'person-1',
    fingerprint,
    approvedFingerprint: changes.approved ? fingerprint : null,
  };
}
