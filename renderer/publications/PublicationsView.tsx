import { OUT_FOLDER } from '../../shared/terminal/inside.ts';
import { useServices } from '../app/services.ts';
import { useConnection } from '../state/connection-store.ts';
import { publicationId, usePublications } from '../state/publications-store.ts';
import { Button } from '../ui/Button.tsx';
import { AuditResult } from './AuditResult.tsx';
import { PublicationRow } from './PublicationRow.tsx';
import '../approvals/approvals-view.css';
import './publications.css';

/** Everything that left a sandbox, with what proves it, and what did not get out. */
export function PublicationsView() {
  const { publications } = useServices();
  const { publications: list, error, audit } = usePublications();
  const connected = useConnection((state) => state.connection.kind === 'connected');
  return (
    <main className="place" aria-label="Publications">
      <div className="place-content">
        <header className="section-header">
          <div>
            <h1 className="section-title">Publications</h1>
            <p className="section-text">
              Files that left a sandbox by a person’s word, each with a signed receipt.
            </p>
          </div>
          <Button
            isDisabled={!connected}
            isPending={audit?.kind === 'checking'}
            onPress={() => void publications.verifyAll()}
          >
            {audit?.kind === 'checking' ? 'Checking…' : 'Verify everything'}
          </Button>
        </header>
        <AuditResult audit={audit} />
        {list === null ? (
          <p className="place-empty place-section" role="status">
            {listWords(connected, error)}
          </p>
        ) : list.length === 0 ? (
          <Nothing />
        ) : (
          <ul className="publication-list place-section" aria-label="Publications">
            {list.map((publication) => (
              <PublicationRow key={publicationId(publication)} publication={publication} />
            ))}
          </ul>
        )}
      </div>
    </main>
  );
}

function listWords(connected: boolean, error: string | null): string {
  if (!connected) return 'Not connected. Receipts are shown again when the connection is back.';
  return error ?? 'Reading receipts…';
}

function Nothing() {
  return (
    <div className="place-section publication-none">
      <p className="publication-none-title">Nothing has left a sandbox</p>
      <p className="place-empty">
        In a shell, put a file into <code>{OUT_FOLDER}</code> and choose “Publish a file…” from the commands.
        A governed session publishes its file with its finalizing command. Either way you are asked first, and
        a receipt stays here.
      </p>
    </div>
  );
}
