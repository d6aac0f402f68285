import { create } from 'zustand';

/** How many dialogs of this page are open. What the host lays over the page would cover them. */
export const useModals = create(() => ({ open: 0 }));
