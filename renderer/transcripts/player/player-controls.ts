/** What commands can do with the transcript that is on the screen. */
export interface PlayerControls {
  togglePlay(): void;
  toggleText(): void;
  openFind(): void;
  findAgain(direction: 'next' | 'previous'): void;
  copy(): void;
  selectAll(): void;
  openExport(): void;
  /** Reads anew how long it is, when it is still recorded. */
  reopen(): void;
  hasSelection(): boolean;
}
