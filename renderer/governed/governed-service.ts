import type { CommandCheck, CommandRequest } from '../../shared/governed/call.ts';
import { governedFailureSchema } from '../../shared/governed/call.ts';
import type { ManifestCommand } from '../../shared/governed/manifest.ts';
import type { TaggedError } from '../../shared/protocol/errors.ts';
import type { Client } from '../connection/client.ts';
import { announce } from '../state/announcements-store.ts';
import {
  type CommandOutcome,
  changeBar,
  emptyRequest,
  shownStatus,
  useGoverned,
} from '../state/governed-store.ts';
import { dropNotices, type Pane, paneOf, showMessage } from '../state/panes-store.ts';
import type { PaneId } from '../workspace/layout-tree.ts';
import { outcomeWords } from './governed-words.ts';
import { newer, older, remember } from './history.ts';

/** Milliseconds without a key after which the host is asked about what was typed. */
const CHECK_AFTER_MS = 120;

/** What a person does in a command bar. What the host says of it is shown by the bar's state. */
export class GovernedService {
  readonly #client: Client;
  readonly #timers = new Map<PaneId, ReturnType<typeof setTimeout>>();

  constructor(client: Client) {
    this.#client = client;
    client.onEvent((event) => {
      if (event.event !== 'governed.activity') return;
      const status = shownStatus(event.status, performance.now());
      useGoverned.setState(({ statuses }) => ({ statuses: { ...statuses, [event.sessionId]: status } }));
    });
    client.onState((state) => {
      if (state.kind !== 'connected') useGoverned.setState({ statuses: {} });
    });
  }

  choose(id: PaneId, command: ManifestCommand): void {
    if (useGoverned.getState().bars[id]?.draft.command === command.name) return;
    changeBar(id, { touched: false });
    this.#draft(id, emptyRequest(command));
  }

  type(id: PaneId, text: string): void {
    const bar = useGoverned.getState().bars[id];
    if (bar === undefined) return;
    changeBar(id, { touched: text !== '' });
    this.#draft(id, { ...bar.draft, text });
  }

  setArgument(id: PaneId, name: string, value: string): void {
    const bar = useGoverned.getState().bars[id];
    if (bar === undefined) return;
    changeBar(id, { touched: true });
    this.#draft(id, { ...bar.draft, args: { ...bar.draft.args, [name]: value } });
  }

  /** Brings an older or newer command of this pane back; false at the end of the history. */
  recall(id: PaneId, where: 'older' | 'newer'): boolean {
    const bar = useGoverned.getState().bars[id];
    const recalled = bar && (where === 'older' ? older(bar.history, bar.draft) : newer(bar.history));
    if (!recalled) return false;
    changeBar(id, { history: recalled.history, touched: recalled.request.text !== '' });
    this.#draft(id, recalled.request);
    return true;
  }

  /** Runs what stands in the bar, once the host has said of exactly this that it can be sent. */
  async run(id: PaneId): Promise<void> {
    const session = paneOf(id)?.session;
    const bar = useGoverned.getState().bars[id];
    if (!session || bar === undefined || bar.running) return;
    const { draft } = bar;
    changeBar(id, { touched: true });
    const check = bar.check ?? (await this.#check(id, draft));
    const now = useGoverned.getState().bars[id];
    // Asked twice while the host was looking, it runs once.
    if (check === null || check.line === null || now?.draft !== draft || now.running) return;
    dropNotices(id, 'message');
    changeBar(id, { running: true, outcome: null, history: remember(bar.history, draft) });
    const answer = await this.#client.request('governed.run', { sessionId: session.id, request: draft });
    const outcome: CommandOutcome = answer.ok
      ? { kind: 'answered', command: draft.command, reply: answer.value }
      : failed(draft.command, answer.error);
    this.#answered(id, session, draft, outcome);
  }

  cancel(id: PaneId): void {
    const session = paneOf(id)?.session;
    if (!session) return;
    void this.#client.request('governed.cancel', { sessionId: session.id }).then((answer) => {
      if (!answer.ok) showMessage(id, answer.error.message);
    });
  }

  /** Asks about what stands in the bar: after the session was opened. */
  checkNow(id: PaneId): void {
    const bar = useGoverned.getState().bars[id];
    if (bar !== undefined) void this.#check(id, bar.draft);
  }

  /** The next command starts from the same one, empty: what was sent is in the history. One that is begun already stays. */
  #answered(id: PaneId, session: Pane['session'], sent: CommandRequest, outcome: CommandOutcome): void {
    if (paneOf(id)?.session?.id !== session?.id) return;
    changeBar(id, { running: false, outcome });
    const words = outcomeWords(outcome);
    announce([words.title, words.detail, words.next].filter(Boolean).join('. '));
    const pane = paneOf(id);
    const command = pane?.governed?.manifest.commands.find(({ name }) => name === outcome.command);
    if (outcome.kind !== 'answered' || command === undefined) return;
    if (useGoverned.getState().bars[id]?.draft !== sent) return;
    changeBar(id, { touched: false });
    this.#draft(id, emptyRequest(command));
  }

  #draft(id: PaneId, draft: CommandRequest): void {
    changeBar(id, { draft, check: null });
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => void this.#check(id, draft), CHECK_AFTER_MS),
    );
  }

  /** Null when the draft is another one by then, or the host did not answer. */
  async #check(id: PaneId, draft: CommandRequest): Promise<CommandCheck | null> {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    const session = paneOf(id)?.session;
    if (!session) return null;
    const answer = await this.#client.request('governed.check', { sessionId: session.id, request: draft });
    const bar = useGoverned.getState().bars[id];
    if (bar?.draft !== draft) return null;
    if (!answer.ok) {
      // Nothing was run. That the connection or the session is gone is told by the pane.
      if (answer.error.tag !== 'connection-lost' && answer.error.tag !== 'session-unknown')
        showMessage(id, `This could not be checked. ${answer.error.message}`);
      return null;
    }
    changeBar(id, { check: answer.value });
    return answer.value;
  }
}

/** A refusal names its rule; anything else leaves open what happened. */
function failed(command: string, error: TaggedError): CommandOutcome {
  const failure = governedFailureSchema.safeParse(error.details);
  if (error.tag === 'governed-refused' && failure.success)
    return { kind: 'refused', command, failure: failure.data };
  return { kind: 'unknown', command, message: error.message };
}
