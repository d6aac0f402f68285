/**
 * The double's side of the channel to the test that launched it: what Electron was asked to do goes out as calls,
 * what a person or the system would do comes in as actions.
 */
export interface RecordedCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface ActionRequest {
  readonly id: number;
  readonly action: string;
  readonly args: readonly unknown[];
}

export type FromDouble =
  | { readonly type: 'call'; readonly call: RecordedCall }
  | { readonly type: 'done'; readonly id: number; readonly result?: unknown; readonly error?: string };

type Action = (...args: never[]) => unknown;

const actions = new Map<string, Action>();

export function record(name: string, ...args: unknown[]): void {
  tell({ type: 'call', call: { name, args } });
}

export function defineAction(name: string, action: Action): void {
  actions.set(name, action);
}

export function listenForActions(): void {
  process.on('message', async (request: ActionRequest) => {
    try {
      const action = actions.get(request.action);
      if (!action) throw new Error(`The double has no action "${request.action}".`);
      tell({ type: 'done', id: request.id, result: await action(...(request.args as never[])) });
    } catch (error) {
      tell({ type: 'done', id: request.id, error: String(error) });
    }
  });
}

function tell(message: FromDouble): void {
  if (process.connected) process.send?.(message);
}
