import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { announce } from '../state/announcements-store.ts';
import { IconButton } from './Button.tsx';
import './copy-line.css';

/** A command to run elsewhere, with a button that copies it. */
export function CopyLine({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    announce('Copied.');
  };
  return (
    <div className="copy-line">
      <code className="copy-line-text selectable">{text}</code>
      <IconButton label={copied ? 'Copied' : `Copy ${text}`} onPress={() => void copy()}>
        {copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      </IconButton>
    </div>
  );
}
