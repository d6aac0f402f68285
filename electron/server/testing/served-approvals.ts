import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApprovalPageAnswer, ApprovalPageVerb } from '../../../shared/governed/approval-page.ts';
import { ApprovalPageApi } from '../../approvals/approval-page-api.ts';
import { ApprovalQueue } from '../../approvals/approval-queue.ts';
import { MemoryAuditLog } from '../../approvals/testing/memory-audit-log.ts';
import { type Clock, systemClock } from '../../governed/controller/clock.ts';
import { ApprovalServer } from '../approval-server.ts';
import { SignIn } from '../sign-in.ts';
import { windowKey } from './approval-window.ts';
import { launchWith } from './launch.ts';
import type { Response } from './served-host.ts';

/** Port of a main page that is only named. */
export const MAIN_PORT = 4;

/** An approval origin on a real port with a small page, as `airlock serve` composes it. */
export class ServedApprovals {
  readonly audit = new MemoryAuditLog();
  readonly queue: ApprovalQueue;
  readonly signIn = new SignIn();
  readonly mainSignIn = new SignIn();
  readonly #smallPage: string;
  server!: ApprovalServer;

  /** With a small page of its own, unless the built one is named. */
  static async start({
    mainPort = MAIN_PORT,
    pageFolder,
    clock,
  }: {
    mainPort?: number;
    pageFolder?: string;
    clock?: Clock;
  } = {}): Promise<ServedApprovals> {
    const served = new ServedApprovals(clock);
    const { queue, signIn } = served;
    served.server = await ApprovalServer.listen({
      port: 0,
      pageFolder: pageFolder ?? served.#smallPage,
      api: new ApprovalPageApi({
        queue,
        approver: { surface: 'browser', id: '1000', display: 'someone' },
        theme: () => 'system',
      }),
      signIn,
      main: { port: mainPort, signIn: served.mainSignIn },
    });
    return served;
  }

  private constructor(clock = systemClock) {
    this.queue = new ApprovalQueue({ audit: this.audit, clock });
    this.#smallPage = mkdtempSync(join(tmpdir(), 'airlock-approval-page-'));
    writeFileSync(
      join(this.#smallPage, 'index.html'),
      '<!doctype html><head><title>Approvals</title></head>',
    );
  }

  get origin(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** Of a window of its own: approves. */
  async key(): Promise<string> {
    return (await windowKey(this.origin, await this.frameKey())) as string;
  }

  /** What a tab has that was opened by a fresh address. */
  launch(): { token: string; key: string } {
    return launchWith(this.signIn.issueToken());
  }

  /** Of a tab and the frame in it: lists, reads and denies. */
  async frameKey(): Promise<string> {
    const launch = this.launch();
    await this.signIn.admits(launch);
    return launch.key;
  }

  /** As the page asks. */
  async ask(
    verb: ApprovalPageVerb,
    params: unknown,
    key: string,
  ): Promise<ApprovalPageAnswer<ApprovalPageVerb>> {
    const { body } = await this.post(`/api/${verb}`, params, { Authorization: `Bearer ${key}` });
    return JSON.parse(body);
  }

  /** As the page posts, but for what `headers` change; an undefined one is left out. */
  post(
    path: string,
    body: unknown,
    headers: Record<string, string | undefined> = {},
    method = 'POST',
  ): Promise<Response> {
    const own = { Origin: this.origin, 'Content-Type': 'application/json', ...headers };
    const set = Object.entries(own).filter(([, value]) => value !== undefined) as [string, string][];
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.server.port, path, method };
      const sent = request({ ...options, headers: Object.fromEntries(set) }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode as number,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(method === 'GET' ? undefined : text);
    });
  }

  async dispose(): Promise<void> {
    this.queue.dispose();
    await this.server.close();
    rmSync(this.#smallPage, { recursive: true });
  }
}
