import { type IpcMainEvent, MessageChannelMain, type WebContents } from 'electron';
import type { HostEvent } from '../../shared/protocol/events.ts';
import { ok } from '../../shared/result.ts';
import type { Connection } from '../connection/connection.ts';
import { messagePortCarrier } from '../connection/message-port-carrier.ts';
import type { ApprovalPlace } from '../connection/services.ts';
import type { Host } from '../host.ts';
import { CONNECT_CHANNEL, PORT_CHANNEL } from './channels.ts';
import { mayConnect } from './sender.ts';

/**
 * One connection per window. Having the port is being let in: nobody but the window's own page can get it. A page that
 * loads again gets a new one in the place of the former, whose sessions are released (ST-23).
 */
export class PageConnections {
  readonly #host: Host;
  readonly #connections = new Map<WebContents, Connection>();
  /** For pages that are still being loaded. */
  readonly #waiting = new Map<WebContents, HostEvent[]>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Gives the page of these contents a port when it asks. */
  serve(contents: WebContents, approvals: ApprovalPlace): void {
    contents.ipc.on(CONNECT_CHANNEL, (event) => this.#connect(contents, approvals, event));
    // The port tells of its page's end by itself; these do not wait for it.
    contents.on('render-process-gone', () => {
      this.#release(contents);
      approvals.place(null);
    });
    contents.once('destroyed', () => {
      this.#release(contents);
      this.#waiting.delete(contents);
    });
  }

  sessionCount(contents: WebContents): number {
    return this.#connections.get(contents)?.sessionCount ?? 0;
  }

  /** To a page that is still being loaded when it has connected; to one that has lost its connection never. */
  send(contents: WebContents, event: HostEvent): void {
    const connection = this.#connections.get(contents);
    if (connection !== undefined) void connection.opened.then(() => connection.sendEvent(event));
    else this.#waiting.set(contents, [...(this.#waiting.get(contents) ?? []), event]);
  }

  #release(contents: WebContents): void {
    void this.#connections.get(contents)?.close();
    this.#connections.delete(contents);
  }

  #connect(contents: WebContents, approvals: ApprovalPlace, { senderFrame }: IpcMainEvent): void {
    if (!mayConnect(senderFrame)) return;
    this.#release(contents);
    // Where the former page had it.
    approvals.place(null);
    const { port1, port2 } = new MessageChannelMain();
    const connection = this.#host.connect(messagePortCarrier(port1), async () => ok(undefined), approvals);
    this.#connections.set(contents, connection);
    senderFrame.postMessage(PORT_CHANNEL, null, [port2]);
    const waiting = this.#waiting.get(contents) ?? [];
    this.#waiting.delete(contents);
    for (const event of waiting) this.send(contents, event);
  }
}
