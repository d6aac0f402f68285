import { create } from 'zustand';

/** What the live region says next. `serial` makes the same words twice two announcements. */
export const useAnnouncement = create<{ readonly text: string; readonly serial: number }>(() => ({
  text: '',
  serial: 0,
}));

/** Tells a screen reader of something that changed on the screen without its focus: ended, suspended, copied. */
export function announce(text: string): void {
  useAnnouncement.setState((state) => ({ text, serial: state.serial + 1 }));
}
