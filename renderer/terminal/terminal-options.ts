import type { ITerminalInitOnlyOptions, ITerminalOptions } from '@xterm/xterm';
import type { Settings } from '../../shared/settings/schema.ts';
import { fontList } from './fonts.ts';

export type TerminalSettings = Pick<Settings, 'appearance' | 'terminal'>;

/** Least and most pixels of the font after zooming. */
const FONT_SIZE = { min: 6, max: 72 };

/** What never changes. `windowOptions` stays empty: no report of size, title or place is ever answered (B15). */
export const FIXED_OPTIONS: ITerminalOptions & ITerminalInitOnlyOptions = {
  allowProposedApi: true,
  altClickMovesCursor: false,
  logLevel: 'off',
  macOptionClickForcesSelection: true,
  rescaleOverlappingGlyphs: true,
  windowOptions: {},
};

/** What follows the settings. `zoom` is added to the font size, in pixels. */
export function settingsOptions({ appearance, terminal }: TerminalSettings, zoom: number): ITerminalOptions {
  return {
    cursorBlink: appearance.cursorBlink,
    cursorStyle: appearance.cursorStyle,
    fontFamily: fontList(appearance.fontFamily),
    fontSize: Math.min(FONT_SIZE.max, Math.max(FONT_SIZE.min, appearance.fontSize + zoom)),
    lineHeight: appearance.lineHeight,
    macOptionIsMeta: terminal.optionIsMeta,
    minimumContrastRatio: appearance.minimumContrast,
    screenReaderMode: terminal.screenReader,
    scrollback: terminal.scrollback,
  };
}
