import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Dialog, Heading, ProgressBar } from 'react-aria-components';
import type { ExportProgress } from '../../../shared/protocol/transcript-requests.ts';
import { REDACTION } from '../../../shared/transcripts/limits.ts';
import type {
  ExportFormat,
  ExportReport,
  OpenedTranscript,
  Redaction,
} from '../../../shared/transcripts/transcript.ts';
import { useServices } from '../../app/services.ts';
import { announce } from '../../state/announcements-store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ChoiceControl } from '../../ui/ChoiceControl.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { counted, formatBytes } from '../../ui/format.ts';
import { PageModal } from '../../ui/PageModal.tsx';
import { SwitchControl } from '../../ui/SwitchControl.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { PAGE_TIMERS } from '../player/timers.ts';
import { clockTime } from '../transcript-words.ts';
import { holdExport, readExport, saveFile } from './download.ts';
import { ExportMaking } from './make-export.ts';
import { COMMON_PATTERNS, redactionName, selectedRedaction } from './redactions.ts';
import { type ExportWishes, NO_WISHES, withRedaction, withTyped } from './wishes.ts';
import './export-dialog.css';

const FORMATS: readonly { readonly value: ExportFormat; readonly label: string; readonly about: string }[] = [
  { value: 'cast', label: '.cast', about: 'asciicast v3: asciinema and its players play it.' },
  { value: 'text', label: 'Text', about: 'What the screen showed, line by line.' },
  { value: 'html', label: 'HTML page', about: 'One file that plays in any browser, without a network.' },
];

interface ExportDialogProps {
  readonly transcript: OpenedTranscript;
  /** What is selected in the replay; empty for nothing. */
  readonly selection: string;
  readonly onClose: () => void;
}

/** Makes a copy to hand on. What is removed from it is listed; the recording itself never changes. */
export function ExportDialog({ transcript, selection, onClose }: ExportDialogProps) {
  const { transcripts } = useServices();
  const [wishes, setWishes] = useState(NO_WISHES);
  const [report, setReport] = useState<ExportReport | null>(null);
  const forget = () => {
    if (report !== null) void transcripts.api.request('transcripts.cancel', { exportId: report.exportId });
  };
  const close = () => {
    forget();
    onClose();
  };
  const change = () => {
    forget();
    setReport(null);
  };
  return (
    <PageModal className="palette export-modal" onClose={close}>
      <Dialog className="palette-dialog export-dialog">
        <Heading slot="title" className="section-title">
          Export “<VisibleText text={transcript.title} limit={80} />”
        </Heading>
        {report === null ? (
          <Wishes
            transcript={transcript}
            selection={selection}
            wishes={wishes}
            onChange={setWishes}
            onReport={setReport}
            onClose={close}
          />
        ) : (
          <Report report={report} onBack={change} onClose={close} />
        )}
      </Dialog>
    </PageModal>
  );
}

interface WishesProps {
  readonly transcript: OpenedTranscript;
  readonly selection: string;
  readonly wishes: ExportWishes;
  readonly onChange: (wishes: ExportWishes) => void;
  readonly onReport: (report: ExportReport) => void;
  readonly onClose: () => void;
}

function Wishes({ transcript, selection, wishes, onChange, onReport, onClose }: WishesProps) {
  const { transcripts } = useServices();
  const { format, withInput } = wishes;
  const [making, setMaking] = useState<ExportMaking | null>(null);
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [error, setError] = useState<string | null>(null);
  // A dialog that is closed waits for nothing.
  useEffect(() => () => making?.dispose(), [making]);
  const make = async () => {
    setError(null);
    setProgress(null);
    const all = withTyped(wishes);
    onChange(all);
    const wish = { id: transcript.id, format, redactions: [...all.redactions], withInput };
    const started = new ExportMaking(transcripts.api, wish, PAGE_TIMERS, setProgress);
    setMaking(started);
    const end = await started.end;
    setMaking(null);
    if (end.kind === 'failed') return setError(end.why);
    if (end.kind === 'cancelled') return announce('The export was cancelled.');
    announce(`${counted(end.report.removedCount, 'text')} removed.`);
    onReport(end.report);
  };
  return (
    <form
      className="export-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (making === null) void make();
      }}
    >
      <ChoiceControl
        label="Format"
        description={FORMATS.find(({ value }) => value === format)?.about ?? ''}
        value={format}
        choices={FORMATS}
        onChange={(chosen) => onChange({ ...wishes, format: chosen })}
      />
      {format !== 'text' && (
        <SwitchControl
          label="With what was typed"
          description="Only where the profile records it. Typed text can hold passwords that the screen never showed."
          isSelected={withInput}
          onChange={(chosen) => onChange({ ...wishes, withInput: chosen })}
        />
      )}
      <Redactions wishes={wishes} selection={selection} onChange={onChange} />
      {making !== null && progress !== null && <MakingProgress progress={progress} />}
      {error !== null && (
        <p className="export-error" role="alert">
          {error}
        </p>
      )}
      <div className="publish-foot">
        <p>The recording itself is not changed.</p>
        <Button onPress={making === null ? onClose : () => making.dispose()}>
          {making === null ? 'Cancel' : 'Cancel the export'}
        </Button>
        {/* Pending and not disabled: it keeps the focus, which Escape needs. */}
        <Button look="primary" type="submit" isPending={making !== null}>
          {making !== null ? 'Making the export…' : 'Make the export'}
        </Button>
      </div>
    </form>
  );
}

function MakingProgress({ progress: { share, bytes } }: { readonly progress: ExportProgress }) {
  const percent = Math.floor(share * 100);
  const read = `${formatBytes(Math.floor(share * bytes))} of ${formatBytes(bytes)}`;
  const words = bytes === 0 ? 'Beginning…' : `${percent} % · ${read}`;
  return (
    <ProgressBar
      className="progress export-progress"
      aria-label="Making the export"
      value={percent}
      valueLabel={words}
    >
      <span className="progress-words">{words}</span>
      <span className="progress-track">
        <span className="progress-done" style={{ width: `${percent}%` }} />
      </span>
    </ProgressBar>
  );
}

interface RedactionsProps {
  readonly wishes: ExportWishes;
  readonly selection: string;
  readonly onChange: (wishes: ExportWishes) => void;
}

function Redactions({ wishes, selection, onChange }: RedactionsProps) {
  const { redactions, pattern } = wishes;
  const names = new Set(redactions.map(redactionName));
  const isFull = redactions.length >= REDACTION.patternsMax;
  const add = (redaction: Redaction) => onChange(withRedaction(wishes, redaction));
  const addPattern = () => {
    if (!isFull) onChange(withTyped(wishes));
  };
  const selected = selectedRedaction(selection);
  const offers = COMMON_PATTERNS.filter(({ pattern: known }) => !names.has(known));
  return (
    <fieldset className="redactions">
      <legend className="field-label">Remove from the export</legend>
      {redactions.length > 0 && (
        <ul className="redaction-list">
          {redactions.map((redaction) => (
            <li key={redactionName(redaction)} className="redaction">
              <span className="redaction-kind">{redaction.kind === 'pattern' ? 'pattern' : 'text'}</span>
              <span className="redaction-name">
                <VisibleText text={redactionName(redaction)} limit={200} />
              </span>
              <IconButton
                label={`Keep ${redactionName(redaction)} in`}
                onPress={() =>
                  onChange({ ...wishes, redactions: redactions.filter((other) => other !== redaction) })
                }
              >
                <X size={14} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="redaction-add">
        <input
          className="input input-literal redaction-input"
          aria-label="Pattern to remove"
          placeholder="A regular expression"
          maxLength={REDACTION.patternMaxChars}
          spellCheck={false}
          autoComplete="off"
          value={pattern}
          onChange={(event) => onChange({ ...wishes, pattern: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            addPattern();
          }}
        />
        <Button isDisabled={pattern === '' || isFull} onPress={addPattern}>
          Add
        </Button>
      </div>
      <div className="redaction-offers">
        {selected !== null && !names.has(redactionName(selected)) && (
          <Button isDisabled={isFull} onPress={() => add(selected)}>
            <Plus size={13} aria-hidden="true" /> The selection
          </Button>
        )}
        {offers.map(({ name, pattern: known }) => (
          <Button key={known} isDisabled={isFull} onPress={() => add({ kind: 'pattern', pattern: known })}>
            <Plus size={13} aria-hidden="true" /> {name}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

interface ReportProps {
  readonly report: ExportReport;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

type Saving =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly share: number }
  | { readonly kind: 'saved' }
  | { readonly kind: 'failed'; readonly why: string };

/** What an export holds and what it does not, before it is handed on. */
function Report({ report, onBack, onClose }: ReportProps) {
  const { transcripts } = useServices();
  const [saving, setSaving] = useState<Saving>({ kind: 'none' });
  const cancelled = useRef(false);
  // What is not looked at any more is neither held nor downloaded.
  useEffect(() => {
    const hold = holdExport(transcripts.api, report, PAGE_TIMERS);
    return () => {
      cancelled.current = true;
      hold.dispose();
    };
  }, [transcripts, report]);
  const save = async () => {
    cancelled.current = false;
    setSaving({ kind: 'reading', share: 0 });
    const onProgress = (share: number) => setSaving({ kind: 'reading', share });
    const end = await readExport(transcripts.api, report, onProgress, () => cancelled.current);
    if (end.kind === 'complete') {
      saveFile(report.fileName, end.pieces);
      announce(`${report.fileName} is downloaded.`);
      setSaving({ kind: 'saved' });
    } else setSaving(end.kind === 'failed' ? end : { kind: 'none' });
  };
  const { removed, removedCount, remaining } = report;
  return (
    <div className="export-form">
      <p className="export-file">
        <code className="selectable">{report.fileName}</code> · {formatBytes(report.bytes)}
      </p>
      <Found
        title={removedCount === 0 ? 'Nothing was removed.' : `${counted(removedCount, 'text')} removed`}
        found={removed}
        rest={removedCount - removed.length}
      />
      {remaining.length > 0 && (
        <div className="notice notice-attention export-remaining" role="alert">
          <p>
            <strong>Some of it is still there.</strong> These stand on the screen, and nothing in the
            recording could be found that made them. Look at them before you hand the file on.
          </p>
          <Found title={`${counted(remaining.length, 'place')} left`} found={remaining} rest={0} />
        </div>
      )}
      <div className="export-digest">
        <p className="field-description">SHA-256 of what was recorded, which this export does not change:</p>
        <CopyLine text={report.originalSha256} />
      </div>
      {saving.kind === 'reading' && (
        <ProgressBar className="progress" aria-label="Downloading" value={saving.share * 100}>
          <span className="progress-track">
            <span className="progress-done" style={{ width: `${saving.share * 100}%` }} />
          </span>
        </ProgressBar>
      )}
      {saving.kind === 'failed' && (
        <p className="export-error" role="alert">
          {saving.why}
        </p>
      )}
      <div className="publish-foot">
        <p role="status">{saving.kind === 'saved' ? 'Downloaded.' : ''}</p>
        {saving.kind === 'reading' ? (
          <Button
            onPress={() => {
              cancelled.current = true;
            }}
          >
            Cancel
          </Button>
        ) : (
          <>
            <Button onPress={onBack}>Change…</Button>
            <Button onPress={onClose}>Close</Button>
            <Button look="primary" autoFocus onPress={() => void save()}>
              Download
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

interface FoundProps {
  readonly title: string;
  readonly found: ExportReport['removed'];
  /** How many are not listed. */
  readonly rest: number;
}

function Found({ title, found, rest }: FoundProps) {
  return (
    <section aria-label={title}>
      <h3 className="export-found-title">{title}</h3>
      {found.length > 0 && (
        // It scrolls by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        <ul className="export-found" tabIndex={0} aria-label={title}>
          {found.map(({ rule, atMs, shown }, index) => (
            // The list never changes.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={index}>
              <span className="moment-time">{clockTime(atMs)}</span>
              <VisibleText text={shown} limit={200} />
              <span className="redaction-kind">{rule}</span>
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && <p className="field-description">and {rest} more</p>}
    </section>
  );
}
