import { Dialog, Heading } from 'react-aria-components';
import { useWorkspace } from '../state/workspace-store.ts';
import { PageModal } from '../ui/PageModal.tsx';
import { FolderPath } from './FolderPath.tsx';

/** The same question while sessions are on the screen. */
export function FolderDialog() {
  const isOpen = useWorkspace((state) => state.askingFolder && !isFirstRun(state));
  const close = () => useWorkspace.setState({ askingFolder: false });
  return (
    <PageModal isOpen={isOpen} onClose={close}>
      <Dialog className="palette-dialog folder-dialog">
        <Heading slot="title" className="section-title">
          Open a project folder
        </Heading>
        <FolderPath onClose={close} />
      </Dialog>
    </PageModal>
  );
}

function isFirstRun({ layout, place }: { layout: { tabs: readonly unknown[] }; place: string }): boolean {
  return layout.tabs.length === 0 && place === 'sessions';
}
