import type { Publication } from '../../shared/governed/receipt.ts';
import type { PublicationCheck } from '../../shared/governed/verification.ts';
import type { Client } from '../connection/client.ts';
import { Refresh } from '../connection/refresh.ts';
import { announce } from '../state/announcements-store.ts';
import { dropNotices, type PaneNotice, paneOf, showNotice, usePanes } from '../state/panes-store.ts';
import { type Checking, NO_PUBLICATIONS, usePublications } from '../state/publications-store.ts';
import type { PaneId } from '../workspace/layout-tree.ts';

/** What left a sandbox, and what was to. */
export class PublicationsService {
  readonly #client: Client;
  readonly #refresh = new Refresh(() => this.#load());

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event === 'publications.changed') void this.#refresh.ask();
    });
    client.onState((state) => {
      if (state.kind !== 'connected') usePublications.setState(NO_PUBLICATIONS);
    });
  }

  load(): Promise<void> {
    return this.#refresh.ask();
  }

  /** "Publish…" from a shell. The pane tells how it goes; this takes as long as a person takes to decide. */
  async begin(pane: PaneId, path: string, destination: string): Promise<void> {
    const session = paneOf(pane)?.session;
    if (!session) return;
    showNotice(pane, {
      kind: 'publishing',
      path,
      state: 'asking',
      text: 'It is sealed, then you are asked.',
    });
    const answer = await this.#client.request('publication.begin', {
      sessionId: session.id,
      path,
      destination,
    });
    const notice = endOfPublishing(path, answer.ok ? answer.value : answer.error.message);
    showNotice(pane, notice);
    announce(`${path}: ${notice.text}`);
  }

  /** Null when it was published, else why not. */
  async retry(id: string, destination: string): Promise<string | null> {
    const answer = await this.#client.request('publication.retry', { id, destination });
    if (!answer.ok) return answer.error.message;
    if (answer.value.state === 'failed') return answer.value.reason;
    announce(`Published ${answer.value.receipt.destination}.`);
    forgetFailure(id);
    return null;
  }

  async verify(id: string): Promise<void> {
    this.#checking(id, { kind: 'checking' });
    const answer = await this.#client.request('publication.verify', { id });
    this.#checking(
      id,
      answer.ok
        ? { kind: 'checked', check: answer.value }
        : { kind: 'failed', message: answer.error.message },
    );
    if (answer.ok) announce(answer.value.state === 'ok' ? 'Receipt verified.' : 'Receipt broken.');
  }

  async verifyAll(): Promise<void> {
    usePublications.setState({ audit: { kind: 'checking' } });
    const answer = await this.#client.request('audit.verify', {});
    usePublications.setState({
      audit: answer.ok
        ? { kind: 'checked', check: answer.value }
        : { kind: 'failed', message: answer.error.message },
    });
  }

  /** Null when the folder is open, else why not. */
  async reveal(id: string): Promise<string | null> {
    const answer = await this.#client.request('publication.reveal', { id });
    return answer.ok ? null : answer.error.message;
  }

  async #load(): Promise<void> {
    const answer = await this.#client.request('publications.list', {});
    if (answer.ok) usePublications.setState({ publications: answer.value.publications, error: null });
    else if (answer.error.tag !== 'connection-lost')
      usePublications.setState({ error: answer.error.message });
  }

  #checking(id: string, check: Checking<PublicationCheck>): void {
    usePublications.setState(({ checks }) => ({ checks: { ...checks, [id]: check } }));
  }
}

/** What a pane says of a publication that failed is over when it was published after all. */
function forgetFailure(id: string): void {
  for (const pane of Object.values(usePanes.getState().panes))
    if (pane.notices.some((notice) => notice.kind === 'publishing' && notice.keptId === id))
      dropNotices(pane.id, 'publishing');
}

function endOfPublishing(
  path: string,
  end: Publication | string,
): Extract<PaneNotice, { kind: 'publishing' }> {
  if (typeof end === 'string') return { kind: 'publishing', path, state: 'refused', text: end };
  if (end.state === 'published')
    return { kind: 'publishing', path, state: 'published', text: `Published as ${end.receipt.destination}.` };
  return {
    kind: 'publishing',
    path,
    state: 'failed',
    text: `${end.reason.replace(/[.\s]+$/, '')}. The sealed file is kept.`,
    keptId: end.id,
  };
}
