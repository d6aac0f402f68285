import { create } from 'zustand';
import { EMPTY_LAYOUT, type Layout } from '../workspace/layout.ts';
import type { PaneId } from '../workspace/layout-tree.ts';

/** The places of the rail. */
export type Place = 'sessions' | 'approvals' | 'publications' | 'transcripts' | 'settings';

export const SETTINGS_SECTIONS = [
  'appearance',
  'terminal',
  'keys',
  'profiles',
  'engines',
  'transcripts',
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

interface Alert {
  /** Of the session that it is about, or of a record of an earlier run. */
  readonly id: string;
  readonly text: string;
  readonly onDropped?: () => void;
}

interface WorkspaceStore {
  readonly layout: Layout;
  readonly place: Place;
  /** The section of the settings that was asked for: another object each time. */
  readonly section: { readonly name: SettingsSection };
  /** The profile that the editor shows; the default one when left open. */
  readonly profile: string | null;
  readonly palette: 'closed' | 'commands' | 'profiles' | 'links' | 'manifests';
  /** A folder of the host is asked for, by its path: where there is no native dialog. */
  readonly askingFolder: boolean;
  /** The decision or publication that a link led to: it is marked and scrolled to. */
  readonly linked: string | null;
  /** The shell whose "Publish…" dialog is open. */
  readonly publishing: PaneId | null;
  /** What a person must hear of although no pane is there to say it: each stays until it is dismissed. */
  readonly alerts: readonly Alert[];
}

export const useWorkspace = create<WorkspaceStore>(() => ({
  layout: EMPTY_LAYOUT,
  place: 'sessions',
  section: { name: 'appearance' },
  profile: null,
  palette: 'closed',
  askingFolder: false,
  linked: null,
  publishing: null,
  alerts: [],
}));

export function changeLayout(change: (layout: Layout) => Layout): void {
  useWorkspace.setState((state) => ({ layout: change(state.layout) }));
}

export function showSettingsSection(name: SettingsSection): void {
  useWorkspace.setState({ place: 'settings', section: { name } });
}

/** Goes to a decision or a receipt by its id. */
export function showLinked(place: 'approvals' | 'publications', id: string): void {
  useWorkspace.setState({ place, linked: id });
}

/** In the editor of profiles. */
export function showProfile(profile: string): void {
  useWorkspace.setState({ profile });
  showSettingsSection('profiles');
}

export function showAlert(alert: Alert): void {
  useWorkspace.setState(({ alerts }) => ({
    alerts: [...alerts.filter(({ id }) => id !== alert.id), alert],
  }));
}

export function dropAlert(id: string): void {
  const { alerts } = useWorkspace.getState();
  useWorkspace.setState({ alerts: alerts.filter((alert) => alert.id !== id) });
  alerts.find((alert) => alert.id === id)?.onDropped?.();
}
