import { BellRing, ShieldAlert, ShieldCheck, ShieldMinus, ShieldX } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApprovalRecord } from '../../shared/governed/approval.ts';
import { symbiontProfiles } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { useApprovals } from '../state/approvals-store.ts';
import { useConnection } from '../state/connection-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { TranscriptLink } from '../transcripts/TranscriptLink.tsx';
import { Button } from '../ui/Button.tsx';
import { counted, formatMoment } from '../ui/format.ts';
import { useLinked } from '../ui/use-linked.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import { outcomeOf, type RecordWords } from './approval-words.ts';
import { notificationsAre } from './notify.ts';
import { PolicyInForce } from './PolicyInForce.tsx';
import { SymbiontRuntimes } from './SymbiontRuntimes.tsx';
import './approvals-view.css';

/** What waits, what became of earlier requests, and by which policy requests come about. */
export function ApprovalsView() {
  const { pending, recent, error, dock } = useApprovals();
  const { approvals } = useServices();
  const followed = useSettings(({ settings }) => symbiontProfiles(settings).length > 0);
  const connected = useConnection((state) => state.connection.kind === 'connected');
  return (
    <main className="place" aria-label="Approvals">
      <div className="place-content">
        <header className="section-header">
          <div>
            <h1 className="section-title">Approvals</h1>
            <p className="section-text">{waitingWords(connected, error, pending?.length ?? null)}</p>
          </div>
          {pending !== null && pending.length > 0 && dock === 'closed' && (
            <Button look="primary" onPress={() => approvals.open()}>
              Show {counted(pending.length, 'decision')}
            </Button>
          )}
        </header>
        <Notifications />
        {followed && <SymbiontRuntimes />}
        <section aria-label="Decided" className="place-section">
          <h2 className="place-heading">Decided</h2>
          <NotListed recent={recent} />
          {recent.length === 0 ? (
            <p className="place-empty">
              Nothing was decided yet. Run a command that needs approval in a governed session, choose
              “Publish a file…” in a shell, or follow a Symbiont runtime.
            </p>
          ) : (
            <ul className="record-list">
              {recent.map((record) => (
                <RecordRow key={record.request.id} record={record} />
              ))}
            </ul>
          )}
        </section>
        {!followed && <SymbiontRuntimes />}
        <PolicyInForce />
      </div>
    </main>
  );
}

/** A link led to a decision that this list does not reach back to, or that is still open. */
function NotListed({ recent }: { readonly recent: readonly ApprovalRecord[] }) {
  const { approvals } = useServices();
  const linked = useWorkspace((state) => state.linked);
  const waits = useApprovals(({ pending }) => pending?.some(({ id }) => id === linked) ?? false);
  // Whoever comes back later has not followed that link.
  useEffect(() => () => useWorkspace.setState({ linked: null }), []);
  if (linked === null || recent.some(({ request }) => request.id === linked)) return null;
  return (
    <div className="place-offer">
      <p>
        {waits ? 'This decision is still open.' : 'That decision is older than this list. The log keeps it.'}
      </p>
      {waits && <Button onPress={() => approvals.open(linked)}>Show it</Button>}
    </div>
  );
}

function waitingWords(connected: boolean, error: string | null, waiting: number | null): string {
  if (!connected) return 'Not connected. What waits is known again when the connection is back.';
  if (error !== null) return error;
  if (waiting === null) return 'Asking what waits…';
  if (waiting === 0) return 'Nothing waits for a decision.';
  return `${counted(waiting, 'decision')} ${waiting === 1 ? 'waits' : 'wait'} for you.`;
}

function RecordRow({ record }: { readonly record: ApprovalRecord }) {
  const { request, reason, decidedAt } = record;
  const words = outcomeOf(record);
  const linked = useLinked(request.id);
  return (
    <li className="record" data-approval-outcome={record.outcome} {...linked}>
      <RecordIcon tone={words.tone} />
      <span className="record-title">
        {request.source === 'symbiont' && <span className="record-source">Symbiont: </span>}
        <VisibleText text={request.title} limit={200} />
      </span>
      <time className="record-time" dateTime={decidedAt}>
        {formatMoment(decidedAt)}
      </time>
      <span className="record-words">
        {words.text}
        {reason !== null && reason !== '' && (
          <>
            {': '}
            <VisibleText text={reason} limit={600} />
          </>
        )}
      </span>
      <TranscriptLink of={{ approvalId: request.id }} label={`Transcript of ${request.title}`} />
    </li>
  );
}

function RecordIcon({ tone }: { readonly tone: RecordWords['tone'] }) {
  const Icon = { ok: ShieldCheck, danger: ShieldX, plain: ShieldMinus, attention: ShieldAlert }[tone];
  return <Icon size={15} className={`record-icon record-${tone}`} aria-hidden="true" />;
}

/** Browsers ask a person first; they do so only when a person pressed something. */
function Notifications() {
  const [state, setState] = useState(notificationsAre);
  if (state !== 'default') return null;
  return (
    <div className="place-offer">
      <BellRing size={15} aria-hidden="true" />
      <p>Airlock can tell you of a decision while this window is not in front.</p>
      <Button onPress={() => void Notification.requestPermission().then(setState)}>
        Allow notifications
      </Button>
    </div>
  );
}
