import { type ReactNode, useEffect, useState } from 'react';
import { Dialog, Heading, Radio, RadioGroup } from 'react-aria-components';
import type { OutFile } from '../../shared/governed/verification.ts';
import { OUT_FOLDER } from '../../shared/terminal/inside.ts';
import { useServices } from '../app/services.ts';
import { FolderInput } from '../governed/FolderInput.tsx';
import { useTypedFolder } from '../governed/use-typed-folder.ts';
import { paneOf } from '../state/panes-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { Button } from '../ui/Button.tsx';
import { counted, formatBytes, formatMoment } from '../ui/format.ts';
import { PageModal } from '../ui/PageModal.tsx';
import { useIsMounted } from '../ui/use-is-mounted.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import type { PaneId } from '../workspace/layout-tree.ts';
import { baseName, byUse, joinPath, nameProblem, onlyFile } from './destination.ts';
import { NameInput } from './NameInput.tsx';
import { noOutWords } from './no-out-words.ts';
import './publish-dialog.css';

/** "Publish…" of a shell: which file of /out, and where it goes. Then it is sealed, and a person decides. */
export function PublishDialog() {
  const pane = useWorkspace((state) => state.publishing);
  const close = () => useWorkspace.setState({ publishing: null });
  return (
    <PageModal className="palette publish-modal" isOpen={pane !== null} onClose={close}>
      <Dialog className="palette-dialog publish-dialog">
        <Heading slot="title" className="section-title">
          Publish a file
        </Heading>
        {pane !== null && <Content pane={pane} onClose={close} />}
      </Dialog>
    </PageModal>
  );
}

type Listing =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'files'; readonly files: readonly OutFile[]; readonly more: number };

interface ContentProps {
  readonly pane: PaneId;
  readonly onClose: () => void;
}

function Content({ pane, onClose }: ContentProps) {
  const [shown] = useState(() => paneOf(pane));
  const without = shown === null ? null : noOutWords(shown);
  if (without === null) return <OutFiles pane={pane} onClose={onClose} />;
  return (
    <Nothing onClose={onClose}>
      {without.map((sentence) => (
        <p key={sentence} className="place-empty">
          {sentence}
        </p>
      ))}
    </Nothing>
  );
}

function OutFiles({ pane, onClose }: ContentProps) {
  const { listing, reload } = useOutFiles(pane);
  if (listing.kind === 'files' && listing.files.length > 0)
    return <Form pane={pane} {...listing} onClose={onClose} />;
  if (listing.kind === 'failed')
    return (
      <Nothing onClose={onClose}>
        <p className="place-empty">{listing.message}</p>
      </Nothing>
    );
  return (
    <Nothing onClose={onClose} onReload={listing.kind === 'loading' ? null : reload}>
      {listing.kind === 'loading' ? (
        <p className="place-empty">Looking into {OUT_FOLDER}…</p>
      ) : (
        <p className="place-empty">
          There is no file in <code>{OUT_FOLDER}</code>. Copy one there in the shell, such as{' '}
          <code>cp report.csv {OUT_FOLDER}/</code>, then look again.
        </p>
      )}
    </Nothing>
  );
}

interface FormProps extends ContentProps {
  /** At least one. */
  readonly files: readonly OutFile[];
  readonly more: number;
}

function Form({ pane, files, more, onClose }: FormProps) {
  const { publications } = useServices();
  const [only] = useState(() => onlyFile(files));
  const [path, setPath] = useState(only);
  const [name, setName] = useState(only === null ? '' : baseName(only));
  const { named, settled, field } = useTypedFolder(paneOf(pane)?.profile.project ?? null);
  /** With the one file chosen, the folder is the first thing that is asked for. */
  const [wantsFolder] = useState(only !== null && !named);
  const [sending, setSending] = useState(false);
  const isMounted = useIsMounted();
  const ready = path !== null && named && nameProblem(name) === null && !sending;
  const publish = async () => {
    if (!ready) return;
    setSending(true);
    const folder = await settled();
    if (!isMounted()) return;
    setSending(false);
    if (folder === null) return;
    onClose();
    void publications.begin(pane, path, joinPath(folder, name));
  };
  return (
    <form
      className="publish-form"
      onSubmit={(event) => {
        event.preventDefault();
        void publish();
      }}
    >
      <FileList
        files={files}
        more={more}
        chosen={path}
        focused={wantsFolder ? null : (only ?? files[0]?.path ?? null)}
        onChoose={(next) => {
          setPath(next);
          setName(baseName(next));
        }}
      />
      {path !== null && (
        <>
          <FolderInput
            label="Goes to the folder"
            hint="A folder of the machine that Airlock runs on."
            autoFocus={wantsFolder}
            {...field}
          />
          <NameInput value={name} onChange={setName} />
        </>
      )}
      <div className="publish-foot">
        <p>The file is sealed first. You then see its size and SHA-256, and approve once or deny.</p>
        <Button onPress={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isDisabled={!ready}>
          Seal and ask
        </Button>
      </div>
    </form>
  );
}

function useOutFiles(pane: PaneId): { readonly listing: Listing; readonly reload: () => void } {
  const { client } = useServices();
  const [listing, setListing] = useState<Listing>({ kind: 'loading' });
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again, it is read again
  useEffect(() => {
    let current = true;
    const sessionId = paneOf(pane)?.session?.id;
    if (sessionId === undefined) return setListing({ kind: 'failed', message: 'No session runs here.' });
    void client.request('outfiles.list', { sessionId }).then((answer) => {
      if (!current) return;
      setListing(
        answer.ok
          ? { kind: 'files', files: byUse(answer.value.files), more: answer.value.more }
          : { kind: 'failed', message: answer.error.message },
      );
    });
    return () => {
      current = false;
    };
  }, [client, pane, asked]);
  return { listing, reload: () => setAsked((count) => count + 1) };
}

interface FileListProps {
  readonly files: readonly OutFile[];
  readonly more: number;
  readonly chosen: string | null;
  /** The one that has the focus from the start; null where something else has it. */
  readonly focused: string | null;
  readonly onChoose: (path: string) => void;
}

function FileList({ files, more, chosen, focused, onChoose }: FileListProps) {
  return (
    <>
      <RadioGroup
        className="out-files"
        aria-label={`Files of ${OUT_FOLDER}`}
        value={chosen}
        onChange={onChoose}
      >
        {files.map(({ path, bytes, modifiedAt, refused }) => (
          <Radio
            key={path}
            value={path}
            isDisabled={refused !== null}
            className="out-file"
            autoFocus={path === focused}
          >
            <span className="out-file-dot" aria-hidden="true" />
            <span className="out-file-path">
              <VisibleText text={path} limit={1_000} />
            </span>
            <span className="out-file-facts">
              {refused ?? `${formatBytes(bytes)} · ${formatMoment(modifiedAt)}`}
            </span>
          </Radio>
        ))}
      </RadioGroup>
      {more > 0 && <p className="argument-hint">{counted(more, 'more file')} not listed.</p>}
    </>
  );
}

interface NothingProps {
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Offered where looking again can find something; null while it is being looked. */
  readonly onReload?: (() => void) | null;
}

/** In place of the form: why there is nothing to publish. */
function Nothing({ children, onClose, onReload }: NothingProps) {
  return (
    <div className="publish-form">
      <div className="publish-none" role="status">
        {children}
      </div>
      <div className="publish-foot">
        {onReload === undefined ? (
          <Button look="primary" autoFocus onPress={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>Close</Button>
            <Button look="primary" autoFocus isDisabled={onReload === null} onPress={() => onReload?.()}>
              Look again
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
