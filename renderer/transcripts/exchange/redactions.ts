import { type Redaction, redactionSchema } from '../../../shared/transcripts/transcript.ts';

/** What people look for first before they hand a recording on. Rust regular expressions. */
export const COMMON_PATTERNS: readonly { readonly name: string; readonly pattern: string }[] = [
  { name: 'AWS key ids', pattern: '\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b' },
  { name: 'GitHub tokens', pattern: '\\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\\w{22,})\\b' },
  { name: 'Bearer tokens', pattern: '(?i)\\bbearer\\s+[A-Za-z0-9._~+/-]{16,}=*' },
  { name: 'Mail addresses', pattern: '[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+' },
];

/** The selected text as a redaction: without the blanks around it. Null where nothing of use is selected. */
export function selectedRedaction(selection: string): Redaction | null {
  const parsed = redactionSchema.safeParse({ kind: 'text', text: selection.trim() });
  return parsed.success ? parsed.data : null;
}

export function redactionName(redaction: Redaction): string {
  return redaction.kind === 'pattern' ? redaction.pattern : redaction.text;
}
