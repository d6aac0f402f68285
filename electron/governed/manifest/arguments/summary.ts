import { fail, ok, type Result } from '../../../../shared/result.ts';
import { shown, trim } from '../text.ts';

const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}]|(?![\n\t])\p{Cc}/gu;

/** Phrases by which a text tries to speak to a model instead of informing it; compared in lower case, spaces as one. */
const MARKERS = [
  'ignore previous instructions',
  'ignore all previous',
  'ignore the above',
  'disregard previous',
  'disregard all previous',
  'forget previous instructions',
  'forget all previous',
  'new instructions:',
  'system prompt',
  'you are now',
  '<|im_start|>',
  '<|im_end|>',
  '<|system|>',
  '<system>',
  '</system>',
  '[inst]',
  '[/inst]',
  '<<sys>>',
  '### instruction',
];

/** `agent_summary`: not empty, without prompt-injection markers; what does not show is taken out first. */
export function readableSummary(text: string): Result<string, string> {
  const readable = trim(text.replace(INVISIBLE, ''));
  if (readable === '') return fail('value must not be empty');
  const flat = readable.toLowerCase().replace(/\s+/g, ' ');
  const marker = MARKERS.find((phrase) => flat.includes(phrase));
  return marker === undefined
    ? ok(readable)
    : fail(`value contains a prompt-injection marker: ${shown(marker)}`);
}
