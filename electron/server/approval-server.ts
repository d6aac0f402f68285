import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { APPROVAL_KEY_META } from '../../shared/governed/approval-page.ts';
import { SIGN_IN } from '../../shared/terminal/limits.ts';
import type { ApprovalPageApi } from '../approvals/approval-page-api.ts';
import { type ServePage, servePage } from './page-files.ts';
import { checkHost, isOwnNewTab, isOwnOrigin, siblingOrigin } from './request-check.ts';
import { approvalHeaders } from './security-headers.ts';
import { SignIn } from './sign-in.ts';

/** Loopback only, as the main page's. */
const ADDRESS = '127.0.0.1';
/** Milliseconds for a whole request. */
const REQUEST_TIMEOUT_MS = 5_000;
const SOCKETS_MAX = 64;
/** Bytes of the body of a request: a decision with its reason is the largest. */
const BODY_MAX_BYTES = 8 * 1024;

/** Requests that only a window of its own may make; what a page in a frame shows can be covered by the page around it. */
const WINDOW_VERBS = new Set(['arm', 'approve']);

/** Paths of the page's requests; the last component is a verb of `approvalPageRequests`. */
const API_PATH = /^\/api\/([a-z-]{1,20})$/;

export interface ApprovalServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Folder of the built approval page. */
  readonly pageFolder: string;
  readonly api: ApprovalPageApi;
  readonly signIn: SignIn;
  /** The main page: what is passed on to, and the only one that may embed this one. */
  readonly main: { readonly port: number; readonly signIn: SignIn };
}

/**
 * The approval page's own origin: its files for everybody, its API for pages of this very origin that hold a key of its
 * own (DESIGN 6). The main page is another origin, so it can embed this page and cannot ask anything of it: its requests
 * say where they come from, get no permission to read an answer, and lack the key, which lies in this origin's storage.
 *
 * There are two kinds of key. What a tab signs in with, and a frame in it finds, lists, reads and denies. Approving needs
 * the other kind, which is written into the document of a window of its own: no script can make the browser's request for
 * one, nor read its answer, so nothing that runs in a frame ever has it.
 */
export class ApprovalServer {
  readonly port: number;
  readonly #server: Server;
  readonly #page: ServePage;
  readonly #options: ApprovalServerOptions;
  readonly #ended = new AbortController();
  /** The keys that approve, and the tokens for the addresses of windows that are about to open. */
  readonly #windows = new SignIn();

  /** Rejects with the system's error (EADDRINUSE, EACCES, …). */
  static async listen(options: ApprovalServerOptions): Promise<ApprovalServer> {
    const server = createServer({ headersTimeout: REQUEST_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS });
    server.maxConnections = SOCKETS_MAX;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, ADDRESS, () => resolve());
    });
    return new ApprovalServer(server, options);
  }

  private constructor(server: Server, options: ApprovalServerOptions) {
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#options = options;
    this.#page = servePage(options.pageFolder);
    server.on('request', (request, response) => void this.#onRequest(request, response));
  }

  /** What a person opens; works once. */
  freshAddress(): string {
    return `http://${ADDRESS}:${this.port}/#token=${this.#options.signIn.issueToken()}`;
  }

  close(): Promise<void> {
    this.#ended.abort();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = checkHost(request, this.port);
    if (!host.ok) {
      answerText(response, 421, host.reason);
      return;
    }
    const embedder = siblingOrigin(host.host, this.#options.main.port);
    for (const [name, value] of Object.entries(approvalHeaders(embedder))) response.setHeader(name, value);
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path.startsWith('/api/')) await this.#onApi(request, response, host.host, path);
    else await this.#onPage(request, response);
  }

  async #onPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET' || request.method === 'HEAD') {
      const [path, query] = (request.url ?? '/').split('?');
      const token = path === '/' ? new URLSearchParams(query).get(WINDOW_PARAMETER) : null;
      const notFound = () => answerText(response, 404, 'There is no such page.');
      if (token === null) this.#page(request, response, notFound);
      else if (!isOwnNewTab(request)) answerText(response, 403, NO_WINDOW);
      else this.#page(request, response, notFound, await this.#keyForWindow(token));
      return;
    }
    response.setHeader('Allow', 'GET, HEAD');
    answerText(response, 405, 'Only GET and HEAD are answered here.');
  }

  /** Markup that gives the document its key; none for a token that is not one, or was used. */
  async #keyForWindow(token: string): Promise<string> {
    const key = await this.#windows.exchange(token);
    return key === null ? '' : `<meta name="${APPROVAL_KEY_META}" content="${key}">`;
  }

  async #onApi(
    request: IncomingMessage,
    response: ServerResponse,
    host: string,
    path: string,
  ): Promise<void> {
    const verb = API_PATH.exec(path)?.[1];
    const refusal = refusalOf(request, host);
    if (refusal !== null) {
      answerText(response, refusal.status, refusal.text);
      return;
    }
    const body = await readJson(request);
    if (body === undefined) {
      response.setHeader('Connection', 'close');
      answerText(response, 400, 'The request is not small JSON.');
    } else if (verb === 'sign-in') await this.#signIn(body, host, response);
    else await this.#ask(request, verb, body, host, response);
  }

  /** Lets in a tab with its launch token and its own key. The answer is the address in the main page where it goes on. */
  async #signIn(body: unknown, host: string, response: ServerResponse): Promise<void> {
    const parsed = signInSchema.safeParse(body);
    if (!parsed.success || !(await this.#options.signIn.admits(parsed.data))) {
      answerJson(response, 401, { ok: false, error: SIGNED_OUT });
      return;
    }
    const { main } = this.#options;
    const next = `${siblingOrigin(host, main.port)}/#token=${main.signIn.issueToken()}`;
    answerJson(response, 200, { ok: true, value: { next } });
  }

  async #ask(
    request: IncomingMessage,
    verb: string | undefined,
    body: unknown,
    host: string,
    response: ServerResponse,
  ): Promise<void> {
    const key = /^Bearer ([\w-]{1,64})$/.exec(request.headers.authorization ?? '')?.[1];
    const isWindow = this.#windows.knows(key ?? '');
    if (!isWindow && !(await this.#options.signIn.admits({ key }))) {
      answerJson(response, 401, { ok: false, error: SIGNED_OUT });
      return;
    }
    if (!isWindow && WINDOW_VERBS.has(verb ?? '')) {
      answerJson(response, 403, { ok: false, error: { tag: 'refused', text: ONLY_IN_WINDOW } });
      return;
    }
    if (verb === 'window') {
      const value = { address: `http://${host}/?${WINDOW_PARAMETER}=${this.#windows.issueToken()}` };
      answerJson(response, 200, { ok: true, value });
      return;
    }
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, this.#ended.signal]);
    answerJson(response, 200, await this.#options.api.answer(verb, body, signal));
  }
}

const secretSchema = z.string().max(2 * SIGN_IN.secretBytes);
const signInSchema = z.strictObject({ token: secretSchema, key: secretSchema });

/** Names the token in the address of a window of its own. */
const WINDOW_PARAMETER = 'window';
const NO_WINDOW = 'This address is opened by the approval page, in a window of its own, and by nothing else.';
const ONLY_IN_WINDOW = 'Approving needs the approval page in its own window.';

const SIGNED_OUT = {
  tag: 'signed-out',
  text: 'This page is not signed in, or its address was used before. It needs a fresh one.',
};

/**
 * Browsers name the page that asks in every POST, and whether it is of the same origin; other pages cannot set either.
 * JSON as the content type makes them ask for permission first, which is never given.
 */
function refusalOf(request: IncomingMessage, host: string): { status: number; text: string } | null {
  if (request.method !== 'POST') return { status: 405, text: 'Only POST is answered here.' };
  const site = request.headers['sec-fetch-site'];
  if (!isOwnOrigin(request, host) || (site !== undefined && site !== 'same-origin')) {
    return { status: 403, text: 'Only the approval page itself is answered here.' };
  }
  if (request.headers['content-type'] !== 'application/json') {
    return { status: 415, text: 'Only JSON is answered here.' };
  }
  return null;
}

/** Undefined for what is no JSON, too large, or does not come to its end. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // What is not read to its end must still be answered: the socket stays.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BODY_MAX_BYTES) return undefined;
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${text}\n`);
}

function answerJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(value));
}
