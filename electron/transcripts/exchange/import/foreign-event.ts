import type { TerminalSize } from '../../../../shared/terminal/size.ts';

/** What the first line of a foreign recording says, cut to what is kept. */
export interface ForeignHeader {
  readonly version: 1 | 2 | 3;
  readonly size: TerminalSize;
  readonly type: string | null;
  /** Unix seconds. */
  readonly timestamp: number | null;
  readonly title: string | null;
  readonly command: string | null;
  readonly env: Readonly<Record<string, string>> | null;
}

/** Microseconds since the start. `bytes`: what `text` stands for where it is not UTF-8. */
export type ForeignEvent = { readonly atUs: number } & (
  | { readonly kind: 'output' | 'input'; readonly text: string }
  | { readonly kind: 'resize'; readonly size: TerminalSize }
  | { readonly kind: 'marker'; readonly label: string }
  | { readonly kind: 'exit'; readonly status: string }
  /** The event before it, exactly. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
);

/** What a file is refused for, in words that go on from “Line 7: ”. */
export class ImportError extends Error {
  readonly line: number | null;

  constructor(line: number | null, why: string) {
    super(line === null ? why : `Line ${line}: ${why}`);
    this.line = line;
  }
}
