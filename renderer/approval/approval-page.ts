import type {
  ApprovalPageAnswer,
  ApprovalPageResult,
  SettledRequest,
  WaitingRequest,
} from '../../shared/governed/approval-page.ts';
import { APPROVAL } from '../../shared/governed/limits.ts';
import { type Arming, ArmingControl } from './arming.ts';
import type { PageConnection } from './connect.ts';

/** A request as it is shown, since `since`, until `endsAt`: of this page's steady clock. */
export type Shown = Omit<ApprovalPageResult<'show'>, 'leftMs'> & {
  readonly since: number;
  readonly endsAt: number;
};

export interface PageState {
  readonly phase: 'entering' | 'out' | 'in' | 'unreachable';
  /** Why it is out, or what the host refused last; null when nothing needs saying. */
  readonly words: string | null;
  readonly waiting: readonly WaitingRequest[];
  readonly shown: Shown | null;
  /** What became of the shown one; null while it waits. */
  readonly settled: SettledRequest | null;
  readonly arming: Arming;
  /** A decision is on its way. */
  readonly deciding: boolean;
  readonly theme: ApprovalPageResult<'list'>['theme'];
}

/**
 * `noopener`: the window gets nothing of this tab, neither its storage nor a way to it. Wide enough for two columns, so that
 * an ordinary request is seen whole on a screen of 1280 × 800 too, where a browser makes the window lower.
 */
const WINDOW_FEATURES = 'popup,noopener,width=1120,height=840';
/** Milliseconds that what became of a request stays before another one comes up, or its window closes. */
const OUTCOME_MS = 1_200;

/** Milliseconds before the host is asked again after it could not be reached. */
const RETRY_MS = 1_000;

/**
 * What the approval page knows and does. One request is shown at a time; another one that comes does not take its place,
 * and whatever is shown next has to be read and armed for itself, and is not denied by a press that was meant for another.
 */
export class ApprovalPage {
  readonly #connection: PageConnection;
  readonly #listeners = new Set<() => void>();
  #state: PageState = {
    phase: 'entering',
    words: null,
    waiting: [],
    shown: null,
    settled: null,
    arming: { kind: 'hidden' },
    deciding: false,
    theme: 'system',
  };
  #control: ArmingControl | null = null;
  #visible = false;
  #settledAt = 0;
  /** The request that is to be shown, and the wish of the main page while it is not listed yet. */
  #wanted: string | null = null;

  constructor(connection: PageConnection) {
    this.#connection = connection;
  }

  /** Whether this page may approve: it is no frame of a page that could cover it. */
  get isWindow(): boolean {
    return this.#connection.isWindow;
  }

  get state(): PageState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows the host for as long as the page lives. */
  async run(): Promise<void> {
    const entered = await this.#connection.entered;
    if (entered === null) return;
    if (entered.kind === 'out') {
      this.#set({ phase: 'out', words: entered.text });
      return;
    }
    this.#connection.onWish((id) => this.show(id));
    let after: number | null = null;
    while (this.#state.phase !== 'out') {
      const answer: ApprovalPageAnswer<'list'> = await this.#connection.ask('list', { after });
      if (answer.ok) {
        after = answer.value.revision;
        await this.#follow(answer.value);
      } else if (answer.error.tag === 'signed-out') {
        this.#set({ phase: 'out', words: answer.error.text });
      } else {
        after = null;
        this.#set({ phase: 'unreachable', words: answer.error.text });
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Shows a request that waits; one that is not listed is shown when it is. */
  show(id: string): void {
    this.#wanted = id;
    if (this.#state.waiting.some((waiting) => waiting.id === id)) void this.#load(id);
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#control?.setVisible(visible);
  }

  setRead(): void {
    this.#control?.setRead();
  }

  /** To be called for a deliberate gesture alone. */
  approve(): Promise<void> {
    const { shown, arming } = this.#state;
    if (shown === null || arming.kind !== 'armed') return Promise.resolve();
    const { id, digest, viewing } = shown;
    return this.#decide(() => this.#connection.ask('approve', { id, digest, viewing }));
  }

  /** `pressedAt`: of this page's steady clock. A press that began as the request came up was not meant for it. */
  deny(reason: string, pressedAt = performance.now()): Promise<void> {
    const { shown } = this.#state;
    if (shown === null || pressedAt < shown.since + APPROVAL.settleMs) return Promise.resolve();
    const { id, digest } = shown;
    return this.#decide(() => this.#connection.ask('deny', { id, digest, reason }));
  }

  /** Opens the shown request where it can be approved. To be called for a person's own press. */
  async openWindow(): Promise<void> {
    const { shown } = this.#state;
    const address = await this.#connection.ownWindow();
    // Another may be shown by now, of which nothing of this is so.
    if (shown === null || this.#state.shown?.id !== shown.id) return;
    if (address === null) {
      this.#set({ words: 'The host gave no window. Is it still running?' });
      return;
    }
    // Without an opener nothing says whether it came up.
    window.open(`${address}#${shown.id}`, '_blank', WINDOW_FEATURES);
    this.#set({ words: 'It is in its own window now. If none came up, let this page open pop-ups.' });
  }

  async #decide(ask: () => ReturnType<PageConnection['ask']>): Promise<void> {
    if (this.#state.deciding || this.#state.settled !== null) return;
    const decided = this.#state.shown?.id;
    this.#set({ deciding: true, words: null });
    const answer = await ask();
    // It is carried elsewhere first (A12), and a person may have gone on to another request meanwhile.
    if (this.#state.shown?.id !== decided) return;
    if (!answer.ok) {
      this.#set({ deciding: false, words: answer.error.text });
      return;
    }
    const settled = answer.value as SettledRequest;
    this.#set({ deciding: false, settled });
    if (settled.outcome !== 'unknown') setTimeout(() => this.#leave(settled.id), OUTCOME_MS);
  }

  /** Unless a person went on to another request meanwhile. */
  #leave(decided: string): void {
    if (this.#state.shown?.id === decided) this.#connection.leave();
  }

  async #follow({ waiting, settled, theme }: ApprovalPageResult<'list'>): Promise<void> {
    const { shown } = this.#state;
    const known = new Set(this.#state.waiting.map(({ id }) => id));
    const unreachable = this.#state.phase === 'unreachable';
    this.#set({ phase: 'in', waiting, theme, ...(unreachable ? { words: null } : {}) });
    const isWaiting = (id: string | null | undefined) => waiting.some((request) => request.id === id);
    if (shown !== null && !isWaiting(shown.id) && this.#state.settled === null) {
      const became = settled.find(({ id }) => id === shown.id);
      this.#set({ settled: became ?? { ...shown, outcome: 'cancelled', reason: null } });
    }
    if (this.#wanted !== shown?.id && isWaiting(this.#wanted)) return this.#load(this.#wanted as string);
    if (shown !== null && this.#state.settled === null) return;
    const next = waiting.find(({ id }) => shown === null || !known.has(id));
    if (next === undefined) return;
    if (shown === null) return this.#load(next.id);
    const rest = this.#settledAt + OUTCOME_MS - performance.now();
    setTimeout(() => {
      if (this.#state.shown === shown && this.#wanted === shown.id) void this.#load(next.id);
    }, rest);
  }

  async #load(id: string): Promise<void> {
    if (this.#state.shown?.id === id && this.#state.settled === null) return;
    this.#wanted = id;
    const answer = await this.#connection.ask('show', { id });
    if (!answer.ok || this.#wanted !== id) return;
    const { leftMs, ...request } = answer.value;
    const now = performance.now();
    this.#control?.dispose();
    this.#control = null;
    const mayArm = request.obstacle === null && this.isWindow;
    const arming: Arming =
      request.obstacle !== null
        ? { kind: 'never', why: request.obstacle }
        : { kind: mayArm ? 'hidden' : 'elsewhere' };
    this.#set({
      shown: { ...request, since: now, endsAt: now + leftMs },
      settled: null,
      words: null,
      deciding: false,
      arming,
    });
    if (mayArm) this.#startArming(request);
  }

  #startArming({ id, digest, viewing }: Pick<Shown, 'id' | 'digest' | 'viewing'>): void {
    const control = new ArmingControl({
      tell: async (ready) => {
        const answer = await this.#connection.ask('arm', { id, digest, viewing, ready });
        return answer.ok ? answer.value.armMs : null;
      },
      onChange: (arming) => {
        if (this.#control === control) this.#set({ arming });
      },
    });
    this.#control = control;
    control.setVisible(this.#visible);
  }

  #set(change: Partial<PageState>): void {
    if (change.settled && this.#state.settled === null) this.#settledAt = performance.now();
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
