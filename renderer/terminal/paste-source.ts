import { type Disposable, DisposableStore, toDisposable } from '../../shared/disposable.ts';

export interface PasteSourceOptions {
  /** Whether a paste by the middle button is wanted now. Shift takes the mouse from a program that asked for it. */
  readonly middleClick: (shift: boolean) => boolean;
  readonly onText: (text: string) => void;
  /** Something was dropped that is not text. */
  readonly onRefused: (reason: string) => void;
}

/**
 * Takes every paste and drop into `host` before xterm sees it: xterm would send the text uncleaned and as if it were
 * typed (B10, B11). Covers the browser's paste keys and menu, Shift+Insert, the middle button and dropped text.
 */
export function watchPastes(host: HTMLElement, options: PasteSourceOptions): Disposable {
  const watching = new DisposableStore();
  let middleClick: { shift: boolean } | null = null;
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ) => {
    host.addEventListener(name, listener, { capture: true });
    watching.add(toDisposable(() => host.removeEventListener(name, listener, { capture: true })));
  };

  // The browser pastes the primary selection after the button is released, in the same task.
  on('mouseup', (event) => {
    if (event.button !== 1) return;
    middleClick = { shift: event.shiftKey };
    setTimeout(() => {
      middleClick = null;
    });
  });
  on('paste', (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (middleClick !== null && !options.middleClick(middleClick.shift)) return;
    options.onText(event.clipboardData?.getData('text/plain') ?? '');
  });
  on('dragover', (event) => {
    if (!carriesText(event.dataTransfer) && !carriesFiles(event.dataTransfer)) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
  });
  on('drop', (event) => {
    if (carriesFiles(event.dataTransfer)) {
      event.preventDefault();
      options.onRefused('A file cannot be dropped into a sandbox: give its folder to the profile instead.');
    } else if (carriesText(event.dataTransfer)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      options.onText(event.dataTransfer?.getData('text/plain') ?? '');
    }
  });
  return watching;
}

function carriesFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') ?? false;
}

/** Tabs and panes that are dragged within the page carry types of their own beside their text. */
function carriesText(data: DataTransfer | null): boolean {
  const types = data?.types ?? [];
  return types.includes('text/plain') && !types.some((type) => type.startsWith('application/x-airlock'));
}
