import { z } from 'zod';
import type { Disposable } from '../../shared/disposable.ts';
import type { PortLike } from '../connection/message-port-carrier.ts';
import type { ApprovalPageApi } from './approval-page-api.ts';

/** Bytes of one request as JSON: a decision with its reason is the largest. */
const REQUEST_MAX_BYTES = 8 * 1024;
/** Requests of one page that are not answered yet; what comes beyond ends the port. */
const IN_FLIGHT_MAX = 16;

const requestSchema = z.object({ n: z.number().int(), verb: z.string(), params: z.unknown() });

/**
 * The desktop's carrier between the approval page and its host: numbered requests and their answers. Having the port is
 * being let in; what does not keep to the form ends it.
 */
export class ApprovalPort implements Disposable {
  readonly #port: PortLike;
  readonly #api: ApprovalPageApi;
  readonly #ended = new AbortController();
  #inFlight = 0;

  constructor(port: PortLike, api: ApprovalPageApi) {
    this.#port = port;
    this.#api = api;
    port.on('message', ({ data }) => void this.#onMessage(data));
    port.on('close', () => this.#ended.abort());
    port.start();
  }

  /** The main page wishes that this request is shown first. */
  show(id: string): void {
    if (!this.#ended.signal.aborted) this.#port.postMessage({ show: id });
  }

  dispose(): void {
    this.#ended.abort();
    this.#port.close();
  }

  async #onMessage(data: unknown): Promise<void> {
    if (this.#ended.signal.aborted) return;
    const request = requestSchema.safeParse(asSmallJson(data));
    if (!request.success || this.#inFlight >= IN_FLIGHT_MAX) {
      this.dispose();
      return;
    }
    const { n, verb, params } = request.data;
    this.#inFlight += 1;
    const answer = await this.#api.answer(verb, params, this.#ended.signal);
    this.#inFlight -= 1;
    if (!this.#ended.signal.aborted) this.#port.postMessage({ n, answer });
  }
}

/** What a clone can hold beyond JSON does not come in. Undefined for what is no small JSON. */
function asSmallJson(data: unknown): unknown {
  try {
    const json = JSON.stringify(data);
    return Buffer.byteLength(json) <= REQUEST_MAX_BYTES ? JSON.parse(json) : undefined;
  } catch {
    return undefined;
  }
}
