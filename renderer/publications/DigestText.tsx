import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { announce } from '../state/announcements-store.ts';
import { IconButton } from '../ui/Button.tsx';
import { shortDigest } from '../ui/format.ts';

/** A digest short enough to read, and whole for the clipboard. */
export function DigestText({ digest }: { readonly digest: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(digest);
    setCopied(true);
    announce('SHA-256 copied.');
  };
  return (
    <span className="digest">
      <code title={`SHA-256 ${digest}`}>sha-256 {shortDigest(digest)}</code>
      <IconButton label={copied ? 'SHA-256 copied' : 'Copy the whole SHA-256'} onPress={() => void copy()}>
        {copied ? <Check size={12} aria-hidden="true" /> : <Copy size={12} aria-hidden="true" />}
      </IconButton>
    </span>
  );
}
