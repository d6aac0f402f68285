import type { Client } from '../connection/client.ts';
import { Refresh } from '../connection/refresh.ts';
import { announce } from '../state/announcements-store.ts';
import {
  arrived,
  connectionLost,
  dockOpened,
  type PendingApproval,
  queueReceived,
  useApprovals,
} from '../state/approvals-store.ts';
import { useConnection } from '../state/connection-store.ts';
import { notify } from './notify.ts';

/** Milliseconds that the last decision stays in a dock that closes by itself. */
const CLOSING_MS = 2_500;

/** The queue of decisions. Nothing here can decide: the approval page does, on its own origin (DESIGN 6). */
export class ApprovalsService {
  readonly #client: Client;
  readonly #refresh = new Refresh(() => this.#load());
  #closing: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event === 'approvals.changed') void this.#refresh.ask();
    });
    client.onState((state) => {
      if (state.kind !== 'connected') useApprovals.setState(connectionLost, true);
    });
  }

  async load(): Promise<void> {
    await Promise.all([this.#refresh.ask(), this.#loadAddress()]);
  }

  /** By a person: the dock stays until they close it; one that they opened for a single decision goes with the last of them. */
  open(shown?: string): void {
    useApprovals.setState((state) => dockOpened(state, shown), true);
  }

  close(): void {
    useApprovals.setState({ dock: 'closed' });
  }

  /** A person asked by key to go to the open decision. Nothing else moves the focus there. */
  goToDecision(): void {
    this.open();
    if (useConnection.getState().host?.host === 'desktop') {
      void this.#client.request('approvals.focus', {});
      return;
    }
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-approval-frame]')?.focus());
  }

  async #load(): Promise<void> {
    const answer = await this.#client.request('approvals.queue', {});
    if (!answer.ok) {
      // A host without approvals has none that wait; a lost connection is told elsewhere.
      if (answer.error.tag !== 'connection-lost') useApprovals.setState({ error: answer.error.message });
      return;
    }
    const before = useApprovals.getState();
    const state = queueReceived(before, answer.value, performance.now());
    useApprovals.setState(state, true);
    clearTimeout(this.#closing);
    if (state.dock === 'closing') this.#closing = setTimeout(() => this.#closeSoon(), CLOSING_MS);
    for (const request of arrived(before, state.pending ?? [])) this.#tell(request);
  }

  #closeSoon(): void {
    useApprovals.setState(({ dock, shown }) =>
      dock === 'closing' ? { dock: 'closed', shown: null } : { dock, shown },
    );
  }

  async #loadAddress(): Promise<void> {
    const answer = await this.#client.request('approvals.address', {});
    if (!answer.ok) return;
    const { address } = answer.value;
    useApprovals.setState({ address: address === null ? null : underThisName(address) });
  }

  #tell(request: PendingApproval): void {
    announce(`A decision is open: ${request.title}.`);
    notify(request, () => this.open(request.id));
  }
}

/** This machine has several names, and the approval page's credential is kept under the one that this page was opened by. */
function underThisName(address: string): string {
  const url = new URL(address);
  url.hostname = window.location.hostname;
  return url.href;
}
