import { join } from 'node:path';
import { ENGINE_NAMES, type EngineStatus, fixInWords } from '../shared/terminal/engine-status.ts';
import { ApprovalPageApi } from './approvals/approval-page-api.ts';
import { localApprover } from './approvals/approval-queue.ts';
import { type Closed, Host } from './host.ts';
import { ownCommand } from './own-command.ts';
import { reportRecovery } from './report-recovery.ts';
import { createEngines } from './sandbox/engines.ts';
import { ApprovalServer } from './server/approval-server.ts';
import { hasDisplay, openBrowser } from './server/browser.ts';
import { HttpHost } from './server/server.ts';
import { SignIn } from './server/sign-in.ts';
import { canAwaitEnter } from './server/terminal-input.ts';
import { HostTokens } from './settings/host-tokens.ts';
import { openConfFile } from './settings/settings-file.ts';

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Port of the approval page, 0 for any free one; left out: the one after `port` when that is given, or else any. */
  readonly approvalPort?: number | undefined;
  /** Milliseconds that a person has for a decision; left out: APPROVAL.waitMs. */
  readonly approvalWaitMs?: number | undefined;
  readonly dataDir: string;
  /** Opens the system's browser where there is a display. */
  readonly open: boolean;
  /** One line of JSON on standard output instead of text for a person; opens no browser. */
  readonly json: boolean;
  readonly version: string;
  readonly pageFolder: string;
  /** Folder of the built approval page; left out: `approval` beside `pageFolder`. */
  readonly approvalFolder?: string;
}

/** A failure to start that the person can do something about. */
export class StartError extends Error {}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Milliseconds after which a release that takes its time is explained. */
const PATIENCE_MS = 1_000;

/**
 * `airlock serve`: runs the headless host until a signal ends it, and resolves when every session is released.
 * Rejects with StartError.
 */
export async function serve(options: ServeOptions): Promise<void> {
  requireTwoPorts(options);
  const ended = firstSignal();
  const approvalPage: { port: number | null } = { port: null };
  const host = startHost(options, approvalPage);
  const signIn = new SignIn();
  const http = await listen(host, signIn, options);
  const approvals = await listenForApprovals(host, http, signIn, options);
  approvalPage.port = approvals.port;
  const freshAddress = () => approvals.freshAddress();
  if (options.json) printJson(freshAddress(), http.port, approvals.port, options);
  const words = [reportRecovery(host), options.json ? null : welcome(freshAddress, host, options)];
  // Daemons that are slow to answer keep nobody from ending.
  await Promise.race([ended, Promise.all(words)]);
  await ended;
  // Off the line on which the terminal shows ^C.
  if (!options.json && process.stderr.isTTY) console.error();
  const closed = await closeWithWords(host);
  if (!options.json) console.error(endWords(closed));
  await Promise.all([approvals.close(), http.close()]);
}

function requireTwoPorts({ port, approvalPort }: ServeOptions): void {
  if (port === 0 || port !== approvalPort) return;
  throw new StartError(
    `--approval-port must be another port than --port: the approval page has one of its own, and both are ${port}.`,
  );
}

function startHost(
  { dataDir, version, approvalWaitMs }: ServeOptions,
  approvalPage: { readonly port: number | null },
): Host {
  try {
    return new Host({
      kind: 'headless',
      version,
      dataDir,
      engines: createEngines({
        privateFolders: [dataDir],
        dataDir,
        tokens: new HostTokens(dataDir, 'smolvm', null),
      }),
      openSettingsFile: openConfFile,
      approvalWaitMs,
      platform: {
        approvalAddress: () => (approvalPage.port === null ? null : `http://127.0.0.1:${approvalPage.port}/`),
      },
      report: (reference, fault) => console.error(`airlock: fault ${reference}:`, fault),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The data folder ${dataDir} cannot be used: ${reason}. Choose another with --data-dir.`,
    );
  }
}

async function listen(host: Host, signIn: SignIn, { port, pageFolder }: ServeOptions): Promise<HttpHost> {
  try {
    return await HttpHost.listen({
      port,
      pageFolder,
      connect: (carrier) => host.connect(carrier, (hello) => signIn.authenticate(hello)),
    });
  } catch (error) {
    await host.close('The host could not start.');
    throw new StartError(
      listenFailure(
        error as NodeJS.ErrnoException,
        port,
        'Choose another with --port, or leave --port out to get a free one.',
      ),
    );
  }
}

/** The second origin (DESIGN 6): a launch address opens it first, and it passes the tab on to the main page. */
async function listenForApprovals(
  host: Host,
  http: HttpHost,
  signIn: SignIn,
  options: ServeOptions,
): Promise<ApprovalServer> {
  const port = options.approvalPort ?? (options.port === 0 ? 0 : portBeside(http.port));
  try {
    const server = await ApprovalServer.listen({
      port,
      pageFolder: options.approvalFolder ?? join(options.pageFolder, '../approval'),
      api: new ApprovalPageApi({
        queue: host.approvals,
        approver: localApprover('browser'),
        theme: () => host.settings.snapshot().settings.appearance.theme,
      }),
      signIn: new SignIn(),
      main: { port: http.port, signIn },
    });
    http.approvalPort = server.port;
    return server;
  } catch (error) {
    await host.close('The host could not start.');
    await http.close();
    const why = listenFailure(
      error as NodeJS.ErrnoException,
      port,
      'Choose another with --approval-port; --approval-port 0 takes a free one.',
    );
    throw new StartError(`The approval page has a port of its own. ${why}`);
  }
}

/** Predictable for who forwards both ports through a tunnel. */
function portBeside(port: number): number {
  return port < 65_535 ? port + 1 : port - 1;
}

function listenFailure(error: NodeJS.ErrnoException, port: number, hint: string): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is used by another program. ${hint}`;
  if (error.code === 'EACCES') return `You may not use port ${port}. ${hint}`;
  return `Cannot listen on 127.0.0.1:${port}: ${error.message}. ${hint}`;
}

function printJson(
  address: string,
  port: number,
  approvalPort: number,
  { dataDir, version }: ServeOptions,
): void {
  console.log(JSON.stringify({ address, port, approvalPort, pid: process.pid, version, dataDir }));
}

async function welcome(freshAddress: () => string, host: Host, options: ServeOptions): Promise<void> {
  const address = freshAddress();
  console.log(
    `Airlock ${options.version} is running. Open it in a browser of this machine:\n\n  ${address}\n`,
  );
  console.log('The address works once and for this machine only.');
  if (canAwaitEnter()) {
    console.log('Press Enter for a fresh one, for a second browser. Ctrl-C releases every session and ends.');
    // The terminal can go away before the signal that says so arrives.
    process.stdin.on('error', () => {});
    process.stdin.on('data', () => console.log(`\n  ${freshAddress()}\n`));
  } else console.log('Ctrl-C releases every session and ends.');
  for (const line of await obstacles(host)) console.log(line);
  if (!options.open || !hasDisplay()) return;
  const failure = await openBrowser(address);
  if (failure !== null) console.log(`No browser could be opened (${failure}); open the address yourself.`);
}

/** What keeps the person from working, in words; it does not keep the host from running. */
async function obstacles(host: Host): Promise<string[]> {
  const engines = await host.engines.list();
  const lines = engines.some((engine) => engine.usable)
    ? []
    : ['', 'No sandbox engine can be used here yet:'];
  if (lines.length > 0) lines.push(...engines.flatMap(engineInWords));
  if (host.settings.snapshot().problems.length > 0) {
    lines.push(
      '',
      `${host.settings.path} has problems, so the defaults are used. ${ownCommand('doctor')} lists them.`,
    );
  }
  return lines;
}

function engineInWords({ kind, summary, fixes }: EngineStatus): string[] {
  return [`  ${ENGINE_NAMES[kind]}: ${summary}`, ...fixes.map((fix) => `    ${fixInWords(fix)}`)];
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve());
  });
}

async function closeWithWords(host: Host): Promise<Closed> {
  const words = setTimeout(() => {
    console.error(`Releasing ${counted(host.sessionCount)}; every sandbox is confirmed to be gone…`);
  }, PATIENCE_MS);
  try {
    return await host.close('The host was stopped.');
  } finally {
    clearTimeout(words);
  }
}

/** The last line that a person reads. */
export function endWords({ sessions, unconfirmed }: Closed): string {
  if (unconfirmed > 0)
    return `Airlock has ended. Not confirmed to be gone: ${counted(unconfirmed)}; the next start looks after what is left.`;
  if (sessions === 0) return 'Airlock has ended; no session was open.';
  return `Airlock has ended: ${counted(sessions)} released, every sandbox is confirmed to be gone.`;
}

function counted(sessions: number): string {
  return sessions === 1 ? '1 session' : `${sessions} sessions`;
}
