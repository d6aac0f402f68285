import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandCheck, CommandReply, CommandRequest } from '../../shared/governed/call.ts';
import type { LoadedManifest, ManifestCommand } from '../../shared/governed/manifest.ts';
import type { ClientMessage, HostMessage } from '../../shared/protocol/messages.ts';
import { PROTOCOL } from '../../shared/protocol/version.ts';
import { DEFAULT_PROFILE } from '../../shared/settings/schema.ts';
import type { CarrierListener } from '../connection/carrier.ts';
import { Client } from '../connection/client.ts';
import { openBar, useGoverned } from '../state/governed-store.ts';
import { addPane, changePane, paneOf, removePane } from '../state/panes-store.ts';
import { GovernedService } from './governed-service.ts';

const PANE = 'pane-1';
const SESSION = '5f3c2c52-93a8-4c3e-9d8c-0a3b6a1f2c11';

const add: ManifestCommand = {
  name: 'add',
  pattern: 'add [a-z]+',
  description: 'Append',
  riskTier: 'low',
  needsApproval: false,
  finalize: false,
  extractTarget: false,
  args: [],
};
const save: ManifestCommand = { ...add, name: 'save', pattern: 'save-report', finalize: true };

const reply: CommandReply = {
  status: 'success',
  execution_status: 'prompt_observed',
  session_id: 'session-1',
  session_closed: false,
  created_files: [],
  file_publication: 'none',
  duration_ms: 1,
  timestamp: '',
  exit_code: null,
  stderr: '',
  results: { output: '', prompt: '>', session_state: 'ready', interaction_count: 1 },
};

/** The host's end, played by the test: requests wait until it answers them. */
class Host {
  readonly requests: Extract<ClientMessage, { type: 'request' }>[] = [];
  #listener: CarrierListener | null = null;

  async client(): Promise<Client> {
    const greeted = Promise.withResolvers<void>();
    const client = new Client(async (listener) => {
      this.#listener = listener;
      const carrier = {
        bufferedAmount: 0,
        sendControl: (message: ClientMessage) => {
          if (message.type === 'hello') greeted.resolve();
          if (message.type === 'request') this.requests.push(message);
        },
        sendFrame: () => {},
        admitted: () => {},
        close: () => {},
      };
      return { kind: 'open', carrier, credential: {} };
    });
    const connected = client.connect();
    await greeted.promise;
    this.say({ type: 'welcome', protocol: PROTOCOL });
    await connected;
    return client;
  }

  say(message: HostMessage): void {
    this.#listener?.onControl(message);
  }

  /** The last request of this verb that is not answered yet. */
  async asked(verb: string) {
    await vi.waitFor(() => expect(this.requests.some((request) => request.verb === verb)).toBe(true));
    const index = this.requests.findLastIndex((request) => request.verb === verb);
    const [request] = this.requests.splice(index, 1);
    return request as Extract<ClientMessage, { type: 'request' }>;
  }

  async check(check: Partial<CommandCheck> = {}): Promise<CommandRequest> {
    const { id, params } = await this.asked('governed.check');
    const { request } = params as { request: CommandRequest };
    const result = { line: request.text, problems: [], needsApproval: false, finalizes: false, ...check };
    this.say({ type: 'reply', id, ok: true, result });
    return request;
  }

  lose(): void {
    this.#listener?.onClosed('gone');
  }
}

const bar = () => useGoverned.getState().bars[PANE];
let client: Client;
let host: Host;
let service: GovernedService;

beforeEach(async () => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  host = new Host();
  client = await host.client();
  service = new GovernedService(client);
  const governed = { manifest: { commands: [add, save] } } as unknown as LoadedManifest;
  addPane(PANE, { profile: DEFAULT_PROFILE, trial: null, project: null, governed });
  changePane(PANE, { session: { id: SESSION, posture: {} as never } });
  openBar(PANE, [add, save]);
});

afterEach(() => {
  removePane(PANE);
  client.dispose();
  vi.unstubAllGlobals();
});

describe('a command bar', () => {
  it('asks about what was typed last, once', async () => {
    for (const text of ['a', 'ad', 'add x']) service.type(PANE, text);
    expect(await host.check()).toMatchObject({ command: 'add', text: 'add x' });
    await vi.waitFor(() => expect(bar()?.check?.line).toBe('add x'));
    expect(host.requests).toEqual([]);
  });

  it('shows no check of an older text', async () => {
    service.type(PANE, 'add x');
    const { id } = await host.asked('governed.check');
    service.type(PANE, 'add y');
    const late = { line: 'add x', problems: [], needsApproval: false, finalizes: false };
    host.say({ type: 'reply', id, ok: true, result: late });
    await host.check();
    await vi.waitFor(() => expect(bar()?.check?.line).toBe('add y'));
  });

  it('fills in what can only be one text', () => {
    service.choose(PANE, save);
    expect(bar()?.draft).toEqual({ command: 'save', text: 'save-report', args: {} });
  });

  it('runs only what the host said it would send', async () => {
    service.type(PANE, 'add !');
    const running = service.run(PANE);
    await host.check({ line: null, problems: [{ field: 'command', message: 'no' }] });
    await running;
    expect(host.requests.map(({ verb }) => verb)).not.toContain('governed.run');
    expect(bar()?.running).toBe(false);
  });

  it('does not run a text that was changed while it was checked', async () => {
    service.type(PANE, 'add x');
    const running = service.run(PANE);
    const { id } = await host.asked('governed.check');
    service.type(PANE, 'add y');
    host.say({
      type: 'reply',
      id,
      ok: true,
      result: { line: 'add x', problems: [], needsApproval: false, finalizes: false },
    });
    await running;
    expect(host.requests.map(({ verb }) => verb)).not.toContain('governed.run');
  });

  it('runs once what was asked for twice while it was checked', async () => {
    service.type(PANE, 'add x');
    const twice = [service.run(PANE), service.run(PANE)];
    await host.check();
    await host.check();
    const { id } = await host.asked('governed.run');
    const refused = { tag: 'session-unknown' as const, message: 'gone' };
    host.say({ type: 'failure', id, ok: false, error: refused });
    await Promise.all(twice);
    expect(host.requests.map(({ verb }) => verb)).not.toContain('governed.run');
  });

  it('a check that fails is no outcome of a command', async () => {
    service.type(PANE, 'add x');
    const { id } = await host.asked('governed.check');
    const fault = { tag: 'internal' as const, message: 'Something went wrong (1).' };
    host.say({ type: 'failure', id, ok: false, error: fault });
    const told = { kind: 'message', text: 'This could not be checked. Something went wrong (1).' };
    await vi.waitFor(() => expect(paneOf(PANE)?.notices).toEqual([told]));
    expect(bar()?.outcome).toBeNull();
  });

  async function run() {
    service.type(PANE, 'add x');
    await host.check();
    await vi.waitFor(() => expect(bar()?.check).not.toBeNull());
    const running = service.run(PANE);
    const { id, params } = await host.asked('governed.run');
    expect(params).toMatchObject({ sessionId: SESSION, request: { text: 'add x' } });
    return { id, running };
  }

  it('a refusal keeps its rule and the text, to be corrected', async () => {
    const { id, running } = await run();
    const details = { rule: 'A8', text: 'denied by operator', session: 'lives' };
    const error = { tag: 'governed-refused' as const, message: 'denied by operator', details };
    host.say({ type: 'failure', id, ok: false, error });
    await running;
    expect(bar()).toMatchObject({
      running: false,
      outcome: { kind: 'refused', failure: details },
      draft: { text: 'add x' },
    });
    expect(service.recall(PANE, 'older')).toBe(true);
  });

  it('what became of a command stays when its session is gone before the next check', async () => {
    const { id, running } = await run();
    const details = { rule: 'X17', text: 'terminal session is closed', session: 'ended' };
    const refused = { tag: 'governed-refused' as const, message: details.text, details };
    host.say({ type: 'failure', id, ok: false, error: refused });
    await running;
    service.type(PANE, 'add y');
    const check = await host.asked('governed.check');
    const gone = { tag: 'session-unknown' as const, message: 'There is no such governed session.' };
    host.say({ type: 'failure', id: check.id, ok: false, error: gone });
    await Promise.resolve();
    expect(bar()?.outcome).toMatchObject({ kind: 'refused', failure: details });
  });

  it('a connection that is lost meanwhile leaves the outcome unknown, and no status', async () => {
    const status = {
      activity: { kind: 'idle' as const },
      interactions: { count: 0, limit: 1 },
      idleLeftMs: null,
      lifeLeftMs: null,
    };
    host.say({ type: 'event', event: { event: 'governed.activity', sessionId: SESSION, status } });
    expect(useGoverned.getState().statuses[SESSION]).toBeDefined();
    const { running } = await run();
    host.lose();
    await running;
    expect(bar()?.outcome?.kind).toBe('unknown');
    expect(useGoverned.getState().statuses).toEqual({});
  });

  it('starts the next command from the one that was answered, empty', async () => {
    const { id, running } = await run();
    host.say({ type: 'reply', id, ok: true, result: reply });
    await running;
    expect(bar()).toMatchObject({ running: false, touched: false, draft: { command: 'add', text: '' } });
  });

  it.each([
    ['what is typed', () => service.type(PANE, 'add y'), { command: 'add', text: 'add y' }],
    ['what is chosen', () => service.choose(PANE, save), { command: 'save', text: 'save-report' }],
  ])('%s while a command runs stays when it is answered', async (_what, next, draft) => {
    const { id, running } = await run();
    next();
    host.say({ type: 'reply', id, ok: true, result: reply });
    await running;
    expect(bar()).toMatchObject({ running: false, outcome: { kind: 'answered' }, draft });
  });

  it('runs one command at a time', async () => {
    await run();
    await service.run(PANE);
    expect(host.requests.map(({ verb }) => verb)).not.toContain('governed.run');
  });
});
