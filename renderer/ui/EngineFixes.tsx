import type { EngineFix } from '../../shared/terminal/engine-status.ts';
import { CopyLine } from './CopyLine.tsx';
import './engine-fixes.css';

/** What to do about an engine: sentences to read, commands to copy. */
export function EngineFixes({ fixes }: { readonly fixes: readonly EngineFix[] }) {
  return fixes.map(({ text, command }) => (
    <div key={`${text} ${command}`} className="engine-fix">
      <span className="selectable">{text}</span>
      {command !== null && <CopyLine text={command} />}
    </div>
  ));
}
