import { type ReactNode, useLayoutEffect } from 'react';
import { Modal, ModalOverlay } from 'react-aria-components';
import { useModals } from '../state/modals-store.ts';
import '../commands/palette.css';

interface PageModalProps {
  readonly isOpen?: boolean;
  /** Of the box; `palette` without one. */
  readonly className?: string;
  readonly onClose: () => void;
  /** A Dialog. */
  readonly children: ReactNode;
}

/** The one frame of dialogs over the page: while one is open, the host lays nothing over it. Escape and a press outside close it. */
export function PageModal({ isOpen = true, className = 'palette', onClose, children }: PageModalProps) {
  return (
    <ModalOverlay
      className="palette-overlay"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
    >
      <Modal className={className}>
        <Counted />
        {children}
      </Modal>
    </ModalOverlay>
  );
}

/** There as long as the dialog is. */
function Counted() {
  useLayoutEffect(() => {
    const count = (change: number) => useModals.setState(({ open }) => ({ open: open + change }));
    count(1);
    return () => count(-1);
  }, []);
  return null;
}
