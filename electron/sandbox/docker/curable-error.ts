import { type EngineFix, fixInWords } from '../../../shared/terminal/engine-status.ts';
import { EngineError } from '../engine.ts';

/** A failure with what to do about it: a status has each by itself, an opening one below the other. */
export class CurableError extends EngineError {
  /** One sentence. */
  readonly summary: string;
  readonly fixes: readonly EngineFix[];

  constructor(tag: EngineError['tag'], summary: string, fixes: readonly EngineFix[]) {
    super(tag, [summary, ...fixes.map(fixInWords)].join('\n'));
    this.name = 'CurableError';
    this.summary = summary;
    this.fixes = fixes;
  }
}
