import { FinalText } from '../../library/text/final-text.ts';
import type { FinalLine } from '../../library/text/logical-lines.ts';
import { ChannelMask } from '../redaction/masking.ts';
import { searchChannel } from '../redaction/redactor.ts';
import type { Rule } from '../redaction/rules.ts';
import type { Exported } from './exported.ts';

/**
 * What a terminal shows of a recording in the end, line by line, each with its end. The rules are applied to these lines
 * too: what a program drew in pieces is whole in them.
 */
export function* textLines(exported: Exported, rules: readonly Rule[]): Generator<string> {
  const lines = () => finalLines(exported);
  const { removals } = exported;
  const mask =
    rules.length === 0 ? null : new ChannelMask(searchChannel(rules, texts(lines())), removals.add);
  for (const { text, atMs } of lines()) {
    removals.atMs = atMs;
    const line = `${text}\n`;
    yield mask?.mask(line) ?? line;
  }
}

function* texts(lines: Iterable<FinalLine>): Generator<string> {
  for (const { text } of lines) yield `${text}\n`;
}

function* finalLines(exported: Exported): Generator<FinalLine> {
  let ready: FinalLine[] = [];
  const final = new FinalText(exported.size, (line) => ready.push(line), Number.POSITIVE_INFINITY);
  try {
    for (const { atUs, code, data, size } of exported.events()) {
      const atMs = atUs / 1_000;
      if (code === 'o') final.write(data, atMs);
      else if (size !== undefined) final.resize(size, atMs);
      yield* ready;
      ready = [];
    }
    final.finish();
    yield* ready;
  } finally {
    final.dispose();
  }
}
