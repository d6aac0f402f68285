import { CircleX, PackageCheck } from 'lucide-react';
import { useState } from 'react';
import type { Publication } from '../../shared/governed/receipt.ts';
import { useServices } from '../app/services.ts';
import { useConnection } from '../state/connection-store.ts';
import { usePublications } from '../state/publications-store.ts';
import { TranscriptLink } from '../transcripts/TranscriptLink.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyLine } from '../ui/CopyLine.tsx';
import { formatBytes, formatMoment } from '../ui/format.ts';
import { useLinked } from '../ui/use-linked.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import { CheckResult } from './CheckResult.tsx';
import { DigestText } from './DigestText.tsx';
import { RetryForm } from './RetryForm.tsx';
import { recoveryWords } from './recovery-words.ts';

type Published = Extract<Publication, { state: 'published' }>;
type Failed = Extract<Publication, { state: 'failed' }>;

export function PublicationRow({ publication }: { readonly publication: Publication }) {
  return publication.state === 'published' ? (
    <PublishedRow publication={publication} />
  ) : (
    <FailedRow publication={publication} />
  );
}

function PublishedRow({ publication: { receipt } }: { readonly publication: Published }) {
  const { publications } = useServices();
  const check = usePublications(({ checks }) => checks[receipt.id]);
  const desktop = useConnection(({ host }) => host?.host === 'desktop');
  const [problem, setProblem] = useState<string | null>(null);
  const { approver } = receipt;
  const linked = useLinked(receipt.id);
  return (
    <li className="publication" data-publication={receipt.id} data-state="published" {...linked}>
      <PackageCheck size={16} className="publication-icon record-ok" aria-hidden="true" />
      <div className="publication-main">
        <p className="publication-path">
          <VisibleText text={receipt.destination} limit={4_096} />
        </p>
        <p className="publication-facts">
          <span>{formatBytes(receipt.bytes)}</span>
          <DigestText digest={receipt.sha256} />
          <span>{approver === null ? 'without an approval' : `approved by ${approver.display}`}</span>
          <time dateTime={receipt.publishedAt} title={receipt.publishedAt}>
            {formatMoment(receipt.publishedAt)}
          </time>
        </p>
        <p className="publication-facts">
          from <VisibleText text={receipt.path} limit={400} /> by{' '}
          {receipt.command === null ? 'a shell' : <VisibleText text={receipt.command} limit={400} />}
        </p>
        <CheckResult check={check} />
        {problem !== null && (
          <p className="publication-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className="publication-actions">
        <TranscriptLink of={{ receiptId: receipt.id }} label={`Transcript of ${receipt.path}`} />
        <Button
          isPending={check?.kind === 'checking'}
          aria-label={`Verify ${receipt.path}`}
          onPress={() => void publications.verify(receipt.id)}
        >
          {check?.kind === 'checking' ? 'Verifying…' : 'Verify'}
        </Button>
        {desktop && (
          <Button
            aria-label={`Open the folder of ${receipt.path}`}
            onPress={() => void publications.reveal(receipt.id).then(setProblem)}
          >
            Open folder
          </Button>
        )}
      </div>
    </li>
  );
}

function FailedRow({ publication }: { readonly publication: Failed }) {
  const [retrying, setRetrying] = useState(false);
  const { id, path, bytes, sha256, reason, kept, destination, at, recovery } = publication;
  const linked = useLinked(id);
  const interrupted = recovery === undefined ? null : recoveryWords(recovery);
  return (
    <li className="publication" data-publication={id} data-state="failed" {...linked}>
      <CircleX size={16} className="publication-icon record-danger" aria-hidden="true" />
      <div className="publication-main">
        <p className="publication-path">
          <VisibleText text={destination} limit={4_096} />
        </p>
        <p className="publication-problem">
          {recovery !== 'published' && 'Not published: '}
          <VisibleText text={reason} limit={2_000} />
        </p>
        {interrupted !== null && <p className="publication-problem">{interrupted.text}</p>}
        <p className="publication-facts">
          <VisibleText text={path} limit={400} />
          <span>{formatBytes(bytes)}</span>
          <DigestText digest={sha256} />
          <time dateTime={at} title={at}>
            {formatMoment(at)}
          </time>
        </p>
        <div className="publication-kept">
          <span className="publication-facts">The sealed file is kept here:</span>
          <CopyLine text={kept} />
        </div>
        {retrying && <RetryForm id={id} destination={destination} onClose={() => setRetrying(false)} />}
      </div>
      <div className="publication-actions">
        <TranscriptLink of={{ sessionId: publication.sessionId }} label={`Transcript of ${path}`} />
        {!retrying && interrupted?.retry !== false && (
          <Button aria-label={`Publish ${path} under another name`} onPress={() => setRetrying(true)}>
            Publish under another name…
          </Button>
        )}
      </div>
    </li>
  );
}
