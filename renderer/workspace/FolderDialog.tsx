import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useWorkspace } from '../state/workspace-store.ts';
import { FolderPath } from './FolderPath.tsx';

/** The same question while sessions are on the screen. */
export function FolderDialog() {
  const isOpen = useWorkspace((state) => state.askingFolder && !isFirstRun(state));
  const close = () => useWorkspace.setState({ askingFolder: false });
  return (
    <ModalOverlay
      className="palette-overlay"
      isOpen={isOpen}
      onOpenChange={(open) => !open && close()}
      isDismissable
    >
      <Modal className="palette">
        <Dialog className="palette-dialog folder-dialog">
          <Heading slot="title" className="section-title">
            Open a project folder
          </Heading>
          <FolderPath onClose={close} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function isFirstRun({ layout, place }: { layout: { tabs: readonly unknown[] }; place: string }): boolean {
  return layout.tabs.length === 0 && place === 'sessions';
}
