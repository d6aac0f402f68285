import { parseArgs } from 'node:util';

export interface DesktopArguments {
  /** As given; undefined leaves the place to the environment and the platform. */
  readonly dataDir: string | undefined;
  /** A start while Airlock runs opens another window instead of showing the last one. */
  readonly newWindow: boolean;
}

/** Reads what is ours of a command line that may hold Chromium's and Electron's own switches as well. */
export function readArguments(argv: readonly string[]): DesktopArguments {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: { 'data-dir': { type: 'string' }, 'new-window': { type: 'boolean' } },
  });
  const dataDir = values['data-dir'];
  return {
    dataDir: typeof dataDir === 'string' ? dataDir : undefined,
    newWindow: values['new-window'] === true,
  };
}
