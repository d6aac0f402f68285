import type { KeyPlatform } from './key-map.ts';

/**
 * Every command: id, words and standard keys. Ids are stable: they stand in settings files and the native menu sends
 * them (`command.requested`). What a command does is in actions.ts.
 */
export interface CommandInfo {
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  readonly keys: StandardKeys;
  /** Whether keys that are held down run it again and again. The others are run once by each press. */
  readonly repeats: boolean;
}

export const COMMAND_GROUPS = [
  'Tabs',
  'Panes',
  'Session',
  'Terminal',
  'Transcripts',
  'View',
  'Airlock',
] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** `other` is Linux and Windows. A browser keeps some chords for itself: `browser…` stand in for those there. */
interface StandardKeys {
  readonly other?: string;
  readonly mac?: string;
  readonly browserOther?: string;
  readonly browserMac?: string;
}

const COMMANDS = [
  command('tab.new', 'New tab', 'Tabs', {
    other: 'Ctrl+Shift+T',
    mac: 'Meta+T',
    browserOther: 'Alt+Shift+T',
    browserMac: 'Alt+Meta+T',
  }),
  command('tab.new-with-profile', 'New tab with profile…', 'Tabs', {
    other: 'Alt+Shift+N',
    mac: 'Alt+Meta+N',
  }),
  command('governed.open', 'Open a governed session…', 'Tabs', { other: 'Alt+Shift+O', mac: 'Alt+Meta+O' }),
  command('tab.close', 'Close tab', 'Tabs', {
    other: 'Alt+Shift+Q',
    mac: 'Shift+Meta+W',
    browserMac: 'Alt+Shift+Meta+W',
  }),
  repeated('tab.next', 'Next tab', 'Tabs', { other: 'Ctrl+Shift+PageDown', mac: 'Shift+Meta+]' }),
  repeated('tab.previous', 'Previous tab', 'Tabs', { other: 'Ctrl+Shift+PageUp', mac: 'Shift+Meta+[' }),
  repeated('tab.move-right', 'Move tab right', 'Tabs', { other: 'Alt+Shift+PageDown', mac: 'Alt+Meta+]' }),
  repeated('tab.move-left', 'Move tab left', 'Tabs', { other: 'Alt+Shift+PageUp', mac: 'Alt+Meta+[' }),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) =>
    command(`tab.go-${n}`, `Go to tab ${n}`, 'Tabs', { other: `Alt+Shift+${n}`, mac: `Meta+${n}` }),
  ),
  command('tab.go-last', 'Go to last tab', 'Tabs', { other: 'Alt+Shift+9', mac: 'Meta+9' }),

  command('pane.split-right', 'Split right', 'Panes', { other: 'Alt+Shift+=', mac: 'Meta+D' }),
  command('pane.split-down', 'Split down', 'Panes', { other: 'Alt+Shift+-', mac: 'Shift+Meta+D' }),
  command('pane.close', 'Close pane', 'Panes', {
    other: 'Ctrl+Shift+W',
    mac: 'Meta+W',
    browserOther: 'Alt+Shift+W',
    browserMac: 'Alt+Meta+W',
  }),
  command('pane.maximise', 'Maximise pane, or show all panes', 'Panes', {
    other: 'Ctrl+Shift+Enter',
    mac: 'Shift+Meta+Enter',
  }),
  command('pane.to-tab', 'Move pane to a tab of its own', 'Panes', {}),
  ...directed('focus', 'Focus pane', { other: 'Ctrl+Shift', mac: 'Alt+Meta' }),
  ...directed('resize', 'Move divider', { other: 'Alt+Shift', mac: 'Ctrl+Meta' }),

  command('session.open-again', 'Open again', 'Session', { other: 'Alt+Shift+R', mac: 'Alt+Meta+R' }),
  command('session.suspend', 'Suspend', 'Session', { other: 'Ctrl+Shift+Z', mac: 'Alt+Meta+Z' }),
  command('session.break', 'Send BREAK', 'Session', { other: 'Alt+Shift+B', mac: 'Alt+Meta+B' }),
  command('session.end', 'Disconnect: end this session', 'Session', {}),
  command('session.publish', 'Publish a file…', 'Session', { other: 'Alt+Shift+P', mac: 'Alt+Meta+P' }),
  command('session.transcript', 'Show its transcript', 'Session', {}),
  command('governed.line', 'Go to the command line', 'Session', { other: 'Alt+Shift+L', mac: 'Alt+Meta+L' }),
  command('approvals.go', 'Go to the open decision', 'Session', { other: 'Alt+Shift+A', mac: 'Alt+Meta+A' }),

  command('edit.copy', 'Copy', 'Terminal', { other: 'Ctrl+Shift+C', mac: 'Meta+C' }),
  command('edit.paste', 'Paste', 'Terminal', { other: 'Ctrl+Shift+V', mac: 'Meta+V' }),
  command('edit.select-all', 'Select all', 'Terminal', { other: 'Ctrl+Shift+A', mac: 'Meta+A' }),
  command('find.open', 'Find', 'Terminal', { other: 'Ctrl+Shift+F', mac: 'Meta+F' }),
  repeated('find.next', 'Find next', 'Terminal', { other: 'Ctrl+Shift+G', mac: 'Meta+G' }),
  repeated('find.previous', 'Find previous', 'Terminal', { other: 'Alt+Shift+G', mac: 'Shift+Meta+G' }),
  command('link.open', 'Open a link on the screen…', 'Terminal', {
    other: 'Ctrl+Shift+L',
    mac: 'Shift+Meta+L',
  }),
  repeated('scroll.page-up', 'Scroll up a page', 'Terminal', { mac: 'Meta+PageUp' }),
  repeated('scroll.page-down', 'Scroll down a page', 'Terminal', { mac: 'Meta+PageDown' }),
  command('scroll.top', 'Scroll to the top', 'Terminal', { other: 'Ctrl+Shift+Home', mac: 'Meta+Home' }),
  command('scroll.bottom', 'Scroll to the bottom', 'Terminal', { other: 'Ctrl+Shift+End', mac: 'Meta+End' }),
  command('scrollback.clear', 'Clear scrollback', 'Terminal', { other: 'Ctrl+Shift+K', mac: 'Meta+K' }),

  command('transcripts.search', 'Search transcripts…', 'Transcripts', {
    other: 'Alt+Shift+H',
    mac: 'Alt+Meta+Y',
  }),
  command('transcript.play', 'Play or pause the transcript', 'Transcripts', {}),
  command('transcript.text', 'Text beside the transcript on or off', 'Transcripts', {}),
  command('transcript.export', 'Export the transcript…', 'Transcripts', {}),

  repeated('text.larger', 'Larger text', 'View', { other: 'Ctrl+Shift+=', mac: 'Meta+=' }),
  repeated('text.smaller', 'Smaller text', 'View', { other: 'Ctrl+Shift+-', mac: 'Meta+-' }),
  command('text.reset', 'Reset text size', 'View', { other: 'Ctrl+Shift+0', mac: 'Meta+0' }),
  command('view.theme', 'Change theme: dark, light, system', 'View', {}),
  command('view.high-contrast', 'High contrast on or off', 'View', {}),
  command('view.screen-reader', 'Screen reader mode on or off', 'View', {}),

  command('app.palette', 'Commands', 'Airlock', { other: 'Ctrl+Shift+P', mac: 'Shift+Meta+P' }),
  command('app.open-folder', 'Open a project folder…', 'Airlock', { other: 'Ctrl+Shift+O', mac: 'Meta+O' }),
  command('app.sessions', 'Show sessions', 'Airlock', {}),
  command('app.approvals', 'Approvals', 'Airlock', {}),
  command('app.publications', 'Publications', 'Airlock', {}),
  command('app.transcripts', 'Transcripts', 'Airlock', {}),
  command('app.settings', 'Settings', 'Airlock', { other: 'Ctrl+Shift+,', mac: 'Meta+,' }),
  command('app.profiles', 'Profiles', 'Airlock', {}),
  command('app.engines', 'Engines', 'Airlock', {}),
  command('app.keys', 'Keys', 'Airlock', { other: 'Ctrl+Shift+/', mac: 'Meta+/' }),
] as const satisfies readonly CommandInfo[];

export const CATALOGUE: readonly CommandInfo[] = COMMANDS;

/** The commands that keys held down run again and again. */
export const REPEATED: ReadonlySet<string> = new Set(
  CATALOGUE.filter(({ repeats }) => repeats).map(({ id }) => id),
);

/** The standard key of each command; `inBrowser` where a browser's own window frames the page. */
export function standardKeys(platform: KeyPlatform, inBrowser: boolean): Map<string, string | null> {
  return new Map(CATALOGUE.map(({ id, keys }) => [id, standardKey(keys, platform, inBrowser)]));
}

function standardKey(keys: StandardKeys, platform: KeyPlatform, inBrowser: boolean): string | null {
  const [key, browserKey] =
    platform === 'mac' ? [keys.mac, keys.browserMac] : [keys.other, keys.browserOther];
  return (inBrowser ? browserKey : undefined) ?? key ?? null;
}

function command<Id extends string>(id: Id, title: string, group: CommandGroup, keys: StandardKeys) {
  return { id, title, group, keys, repeats: false };
}

function repeated<Id extends string>(id: Id, title: string, group: CommandGroup, keys: StandardKeys) {
  return { ...command(id, title, group, keys), repeats: true };
}

function directed<Verb extends string>(verb: Verb, title: string, held: { other: string; mac: string }) {
  return (['left', 'right', 'up', 'down'] as const).map((direction) => {
    const arrow = direction.charAt(0).toUpperCase() + direction.slice(1);
    return repeated(`pane.${verb}-${direction}` as const, `${title} ${direction}`, 'Panes', {
      other: `${held.other}+${arrow}`,
      mac: `${held.mac}+${arrow}`,
    });
  });
}
