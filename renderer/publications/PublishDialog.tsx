import { useEffect, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay, Radio, RadioGroup } from 'react-aria-components';
import type { OutFile } from '../../shared/governed/verification.ts';
import { useServices } from '../app/services.ts';
import { FolderInput } from '../governed/FolderInput.tsx';
import { paneOf } from '../state/panes-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { Button } from '../ui/Button.tsx';
import { counted, formatBytes, formatMoment } from '../ui/format.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import type { PaneId } from '../workspace/layout-tree.ts';
import { baseName, byUse, joinPath, nameProblem } from './destination.ts';
import { NameInput } from './NameInput.tsx';
import './publish-dialog.css';

/** "Publish…" of a shell: which file of /out, and where it goes. Then it is sealed, and a person decides. */
export function PublishDialog() {
  const pane = useWorkspace((state) => state.publishing);
  const close = () => useWorkspace.setState({ publishing: null });
  return (
    <ModalOverlay
      className="palette-overlay"
      isOpen={pane !== null}
      onOpenChange={(open) => !open && close()}
      isDismissable
    >
      <Modal className="palette publish-modal">
        <Dialog className="palette-dialog publish-dialog">
          <Heading slot="title" className="section-title">
            Publish a file
          </Heading>
          {pane !== null && <Form pane={pane} onClose={close} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

type Listing =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'files'; readonly files: readonly OutFile[]; readonly more: number };

interface FormProps {
  readonly pane: PaneId;
  readonly onClose: () => void;
}

function Form({ pane, onClose }: FormProps) {
  const { publications } = useServices();
  const { listing, reload } = useOutFiles(pane);
  const [path, setPath] = useState<string | null>(null);
  const [folder, setFolder] = useState<string | null>(paneOf(pane)?.profile.project ?? null);
  const [name, setName] = useState('');
  const ready = path !== null && folder !== null && nameProblem(name) === null;
  const publish = () => {
    if (!ready) return;
    onClose();
    void publications.begin(pane, path, joinPath(folder, name));
  };
  if (listing.kind !== 'files' || listing.files.length === 0)
    return <NoFiles listing={listing} onReload={reload} onClose={onClose} />;
  return (
    <form
      className="publish-form"
      onSubmit={(event) => {
        event.preventDefault();
        publish();
      }}
    >
      <FileList
        files={listing.files}
        more={listing.more}
        chosen={path}
        onChoose={(next) => {
          setPath(next);
          setName(baseName(next));
        }}
      />
      {path !== null && (
        <>
          <FolderInput
            label="Goes to the folder"
            value={folder}
            hint="A folder of the machine that Airlock runs on."
            onChange={setFolder}
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
  readonly onChoose: (path: string) => void;
}

function FileList({ files, more, chosen, onChoose }: FileListProps) {
  return (
    <>
      <RadioGroup className="out-files" aria-label="Files of /out" value={chosen} onChange={onChoose}>
        {files.map(({ path, bytes, modifiedAt, refused }) => (
          <Radio
            key={path}
            value={path}
            isDisabled={refused !== null}
            className="out-file"
            autoFocus={path === files[0]?.path}
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

interface NoFilesProps {
  readonly listing: Listing;
  readonly onReload: () => void;
  readonly onClose: () => void;
}

function NoFiles({ listing, onReload, onClose }: NoFilesProps) {
  return (
    <div className="publish-form">
      <div className="publish-none" role="status">
        {listing.kind === 'loading' && <p className="place-empty">Looking into /out…</p>}
        {listing.kind === 'failed' && <p className="place-empty">{listing.message}</p>}
        {listing.kind === 'files' && (
          <p className="place-empty">
            There is no file in <code>/out</code>. Copy one there in the shell, such as{' '}
            <code>cp report.csv /out/</code>, then look again.
          </p>
        )}
      </div>
      <div className="publish-foot">
        <Button onPress={onClose}>Close</Button>
        <Button look="primary" autoFocus isDisabled={listing.kind === 'loading'} onPress={onReload}>
          Look again
        </Button>
      </div>
    </div>
  );
}
