import type { RecoveryNotice } from '../../shared/protocol/requests.ts';
import type { Client } from '../connection/client.ts';
import { showAlert } from '../state/workspace-store.ts';

/** Tells a person what earlier runs left that the host could not end (ST-25): each until somebody has dismissed it. */
export async function tellRecovery(client: Client): Promise<void> {
  const answer = await client.request('host.recovery', {});
  if (answer.ok) show(client, answer.value.notices);
}

function show(client: Client, notices: readonly RecoveryNotice[]): void {
  for (const { id, text } of notices) showAlert({ id, text, onDropped: () => void noted(client, id) });
}

async function noted(client: Client, id: string): Promise<void> {
  const answer = await client.request('host.recovery-noted', { id });
  if (answer.ok) show(client, answer.value.notices);
}
