import { describe, expect, it } from 'vitest';
import { OutputText } from './output-text.ts';
import { HIDDEN_PROMPTS, SHELL_STREAMS } from './testing/shell-streams.ts';

describe('B19 the prompt of a real program', () => {
  it.each(SHELL_STREAMS)(
    '$name: is seen after each command, whole and byte by byte',
    ({ prompt, phases }) => {
      const whole = new OutputText();
      const bytewise = new OutputText();
      for (const phase of phases) {
        whole.take();
        bytewise.take();
        const bytes = Buffer.from(phase);
        whole.push(bytes);
        for (const byte of bytes) bytewise.push(Uint8Array.of(byte));
        expect(whole.promptCandidates).toContain(prompt);
        expect(bytewise.promptCandidates).toEqual(whole.promptCandidates);
      }
    },
  );

  it.each(HIDDEN_PROMPTS)('$name: is not taken for one that it is not', ({ prompt, phases }) => {
    const output = new OutputText();
    for (const phase of phases) output.push(Buffer.from(phase));
    expect(output.promptCandidates).not.toContain(prompt);
  });
});
