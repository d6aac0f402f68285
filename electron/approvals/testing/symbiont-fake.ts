import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A held action in the words of the REST API (reference 4.2). */
export interface FakeAction {
  id: string;
  agent_id: string;
  kind: string;
  summary: string;
  reason: string;
  context_snapshot: unknown;
  created_at: string;
  expires_at: string;
  status: string;
  [other: string]: unknown;
}

export interface Decided {
  readonly id: string;
  readonly decision: 'approve' | 'deny';
  readonly body: string;
}

/** What a `symbi up` answers, on a real port: its approval queue, its tokens and its errors, and nothing besides. */
export class SymbiontFake {
  readonly token = 'token-of-the-environment';
  version = '1.21.1';
  actions: FakeAction[] = [];
  /** Answers the list with this instead. */
  list: unknown;
  /** No approval queue is attached: 404 without a body. */
  detached = false;
  /** An agent-scoped key: it may list and not decide. */
  agentScoped = false;
  /** A decision comes too late: it is refused with this status although the action was just listed. */
  refusesWith: 404 | 409 | 410 | null = null;
  /** Cuts the connection of a decision after it was carried out, or before. */
  cutsDecisions: 'after' | 'before' | null = null;
  /** Carries a decision out and answers it when this resolves. */
  answersDecisions: Promise<void> = Promise.resolve();
  /** Answers a list, as it was when it was asked for, when this resolves. */
  answersLists: Promise<void> = Promise.resolve();
  /** What comes instead of an answer that a runtime gives, for everything but its health. */
  misbehaves: 'redirects' | 'limits' | 'drips' | 'floods' | null = null;
  /** Where a redirect points. */
  redirectsTo = '';
  /** Changes the list's text on its way out. */
  writes = (text: string): string => text;
  readonly decided: Decided[] = [];
  /** Every request: method and path, its authorization, `null` for none, and when it came, as `performance.now` says it. */
  readonly requests: { readonly line: string; readonly authorization: string | null; readonly at: number }[] =
    [];
  listed = 0;
  readonly #server: Server;

  /** On a port of its own, or on one that another had. */
  static async start(port = 0): Promise<SymbiontFake> {
    const fake = new SymbiontFake();
    await fake.listen(port);
    return fake;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Comes back after it was closed. */
  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  hold(changes: Partial<FakeAction> = {}): FakeAction {
    const now = Date.now();
    const action: FakeAction = {
      id: (this.actions.length + 1).toString(16).padStart(16, '0'),
      agent_id: '3f0c0000-0000-4000-8000-000000000000',
      kind: 'tool_call',
      summary: 'tool_call report_writer.save',
      reason: 'exact-call human approval required',
      context_snapshot: {
        iteration: 3,
        invocation: { fingerprint: `sha256:${'a'.repeat(64)}`, arguments: { command: 'save-report' } },
      },
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + 120_000).toISOString(),
      status: 'pending',
      ...changes,
    };
    this.actions.push(action);
    return action;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const authorization = request.headers.authorization ?? null;
    this.requests.push({ line: `${request.method} ${request.url}`, authorization, at: performance.now() });
    if (request.url === '/api/v1/health') {
      json(response, 200, {
        status: 'healthy',
        uptime_seconds: 1,
        timestamp: new Date().toISOString(),
        version: this.version,
      });
      return;
    }
    if (this.misbehaves !== null) this.#misbehave(this.misbehaves, response);
    else if (authorization !== `Bearer ${this.token}`) response.writeHead(401).end();
    else if (this.detached) response.writeHead(404).end();
    else if (request.method === 'GET' && request.url === '/api/v1/approvals') {
      this.listed += 1;
      const list = JSON.stringify(this.list ?? this.#pending());
      await this.answersLists;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(this.writes(list));
    } else await this.#decide(request, response);
  }

  #misbehave(how: NonNullable<typeof this.misbehaves>, response: ServerResponse): void {
    if (how === 'redirects') response.writeHead(307, { Location: this.redirectsTo }).end();
    else if (how === 'limits') response.writeHead(429).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).write('[');
    if (how === 'floods') {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    }
  }

  #pending(): FakeAction[] {
    return this.actions.filter(
      ({ status, expires_at }) => status === 'pending' && Date.parse(expires_at) > Date.now(),
    );
  }

  async #decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const match = /^\/api\/v1\/approvals\/([0-9a-f]{16})\/(approve|deny)$/.exec(request.url ?? '');
    let body = '';
    for await (const chunk of request) body += chunk;
    const action = this.actions.find(({ id }) => id === match?.[1]);
    if (this.cutsDecisions === 'before') return void response.destroy();
    if (match === null || action === undefined) error(response, 404, 'not_found');
    else if (this.refusesWith !== null) error(response, this.refusesWith, LATE[this.refusesWith]);
    else if (this.agentScoped) error(response, 403, 'ADMIN_REQUIRED');
    else if (action.status !== 'pending') error(response, 409, 'already_resolved');
    else if (Date.parse(action.expires_at) <= Date.now()) error(response, 410, 'expired');
    else {
      const decision = match[2] as Decided['decision'];
      action.status = decision === 'approve' ? 'approved' : 'denied';
      this.decided.push({ id: action.id, decision, body });
      await this.answersDecisions;
      if (this.cutsDecisions === 'after') response.destroy();
      else response.writeHead(200).end();
    }
  }
}

const LATE = { 404: 'not_found', 409: 'already_resolved', 410: 'expired' } as const;

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

function error(response: ServerResponse, status: number, code: string): void {
  json(response, status, { error: code, code, details: null });
}
