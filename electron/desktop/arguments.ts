import { parseArgs } from 'node:util';

export interface DesktopArguments {
  /** As given; undefined leaves the place to the environment and the platform. */
  readonly dataDir: string | undefined;
  /** As given: seconds that a decision may take. */
  readonly approvalTimeout: string | undefined;
  /** A start while Airlock runs opens another window instead of showing the last one. */
  readonly newWindow: boolean;
}

/** Reads what is ours of a command line that may hold Chromium's and Electron's own switches as well. */
export function readArguments(argv: readonly string[]): DesktopArguments {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: {
      'data-dir': { type: 'string' },
      'approval-timeout': { type: 'string' },
      'new-window': { type: 'boolean' },
    },
  });
  return {
    dataDir: textOf(values['data-dir']),
    approvalTimeout: textOf(values['approval-timeout']),
    newWindow: values['new-window'] === true,
  };
}

/** An option without its value is `true`. */
function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
