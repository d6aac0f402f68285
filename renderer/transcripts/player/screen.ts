import type { TerminalSize } from '../../../shared/terminal/size.ts';
import type { Snapshot } from '../../../shared/transcripts/transcript.ts';

/** What a player draws on. Everything takes effect in the order of the calls. */
export interface ReplayScreen {
  /** Shows nothing new until `release`: a seek has no pictures on its way. */
  hold(): void;
  release(): void;
  /** Makes the terminal what it was at a snapshot. */
  restore(snapshot: Snapshot): void;
  /** Output in whole characters. */
  write(output: Uint8Array | string): void;
  resize(size: TerminalSize): void;
  /** Resolves when everything before this call has taken effect. */
  settled(): Promise<void>;
}
