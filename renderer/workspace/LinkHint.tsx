import { KEY_PLATFORM } from '../commands/current-keys.ts';
import type { TerminalLink } from '../terminal/terminal-events.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import './link-hint.css';

/** Where the link under the pointer really goes, at the corner where browsers show it. */
export function LinkHint({ link }: { readonly link: TerminalLink | null }) {
  if (link === null) return null;
  const { verdict } = link;
  return (
    <div className="link-hint">
      <VisibleText text={verdict.ok ? verdict.href : link.target} limit={400} />
      <span className={verdict.ok ? 'link-hint-way' : 'link-hint-refused'}>
        {verdict.ok ? `${KEY_PLATFORM === 'mac' ? '⌘' : 'Ctrl'}-click to open` : verdict.reason}
      </span>
    </div>
  );
}
