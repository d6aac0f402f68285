import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Redaction } from '../../../../shared/transcripts/transcript.ts';
import { RustPattern, type Span } from '../../../governed/manifest/rust-pattern.ts';

/** What is removed where it is found. Time of a search is linear in the text. */
export interface Rule {
  /** The pattern or the text as a person gave it. */
  readonly name: string;
  /** Not overlapping, none empty: UTF-16 offsets. */
  find(text: string): readonly Span[];
}

/** Fails with the first pattern that is none, and why. */
export function compileRules(redactions: readonly Redaction[]): Result<Rule[], string> {
  const rules: Rule[] = [];
  for (const redaction of redactions) {
    const isPattern = redaction.kind === 'pattern';
    const name = isPattern ? redaction.pattern : redaction.text;
    const compiled = RustPattern.compile(isPattern ? redaction.pattern : patternOfText(redaction.text));
    if (!compiled.ok) return fail(`“${name}” is no regular expression: ${compiled.error}`);
    rules.push({ name, find: (text) => compiled.value.find(text).filter(({ start, end }) => end > start) });
  }
  return ok(rules);
}

/**
 * Text as it was selected on a screen: blanks there may be tabs or jumps of the cursor, and those at the end of a line are
 * not selected.
 */
function patternOfText(text: string): string {
  return text
    .toWellFormed()
    .split(/\r\n|\n|\r/)
    .map((line) =>
      line
        .trimEnd()
        .split(/([ \t]+)/)
        .map((part) => (/^[ \t]/.test(part) ? blanks(part) : escaped(part)))
        .join(''),
    )
    .join('[ \\t]*\\n');
}

function blanks(run: string): string {
  return run === ' ' ? '[ \\t]' : '[ \\t]*';
}

/** Every character that Rust's syntax could take for something else. */
function escaped(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, '\\$&');
}
