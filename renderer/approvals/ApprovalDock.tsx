import { ShieldCheck, X } from 'lucide-react';
import { useServices } from '../app/services.ts';
import { type PendingApproval, useApprovals } from '../state/approvals-store.ts';
import { IconButton } from '../ui/Button.tsx';
import { formatLeft } from '../ui/format.ts';
import { useSecond } from '../ui/use-second.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import { ApprovalFrame } from './ApprovalFrame.tsx';
import './approval-dock.css';

/**
 * The decisions that wait, beside the panes and never over them. It opens by itself and never takes the focus; what is
 * decided is shown and answered by the approval page within it alone.
 */
export function ApprovalDock() {
  const { approvals } = useServices();
  const { dock, pending, shown } = useApprovals();
  if (dock === 'closed' || pending === null) return null;
  return (
    <aside className="approval-dock" aria-label="Decisions">
      <header className="dock-head">
        <ShieldCheck size={16} aria-hidden="true" />
        <h2 className="dock-title">Approvals</h2>
        <span className="dock-count">
          {pending.length === 0 ? 'nothing waits' : `${pending.length} waiting`}
        </span>
        <span className="dock-space" />
        <IconButton label="Close the decisions; they keep waiting" onPress={() => approvals.close()}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      </header>
      {pending.length > 1 && <Waiting pending={pending} shown={shown} />}
      {shown === null ? (
        <p className="dock-empty">A command that needs approval shows up here, and waits.</p>
      ) : (
        <ApprovalFrame shown={shown} />
      )}
    </aside>
  );
}

interface WaitingProps {
  readonly pending: readonly PendingApproval[];
  readonly shown: string | null;
}

function Waiting({ pending, shown }: WaitingProps) {
  const { approvals } = useServices();
  const now = useSecond(true);
  return (
    <ul className="dock-list" aria-label="Waiting">
      {pending.map(({ id, title, kind, source, endsAt }) => (
        <li key={id}>
          <button
            type="button"
            className="dock-item"
            aria-current={id === shown || undefined}
            onClick={() => approvals.open(id)}
          >
            <span className="dock-dot" aria-hidden="true" />
            <span className="dock-item-title">
              <VisibleText text={title} limit={200} />
            </span>
            <span className="dock-item-kind">{source === 'symbiont' ? 'held by Symbiont' : kind}</span>
            <span className="dock-left" title="Time left">
              {formatLeft(endsAt - now)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
