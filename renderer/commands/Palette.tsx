import { useState } from 'react';
import { Dialog } from 'react-aria-components';
import { sandboxProfiles } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { ManifestPicker } from '../governed/ManifestPicker.tsx';
import { profileFacts } from '../profiles/profile-words.ts';
import { useSettings } from '../state/settings-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { PageModal } from '../ui/PageModal.tsx';
import { activePaneOf } from '../workspace/layout.ts';
import { requestLink } from '../workspace/views.ts';
import { type PaletteEntry, PaletteList } from './PaletteList.tsx';

const NAMES = {
  closed: 'Commands',
  commands: 'Commands',
  profiles: 'New tab with profile',
  links: 'Open a link on the screen',
  manifests: 'Open a governed session',
};

/** One list with a filter over the window: commands, profiles for a new tab, manifests, or links. */
export function Palette() {
  const palette = useWorkspace((state) => state.palette);
  const close = () => useWorkspace.setState({ palette: 'closed' });
  return (
    <PageModal isOpen={palette !== 'closed'} onClose={close}>
      <Dialog className="palette-dialog" aria-label={NAMES[palette]}>
        {palette === 'commands' && <Commands onClose={close} />}
        {palette === 'profiles' && <Profiles onClose={close} />}
        {palette === 'links' && <Links onClose={close} />}
        {palette === 'manifests' && <ManifestPicker onClose={close} />}
      </Dialog>
    </PageModal>
  );
}

interface PartProps {
  readonly onClose: () => void;
}

/** What can be done now, and below it a new tab with each profile, which is found by its name. */
function Commands({ onClose }: PartProps) {
  const { commands } = useServices();
  const profiles = useProfileEntries();
  const [available] = useState(() =>
    commands
      .available()
      .filter(({ id }) => id !== 'app.palette')
      .map(({ id, title, group }) => ({ id, title, group, choose: () => commands.runChosen(id) })),
  );
  const entries = [
    ...available,
    ...profiles.map(({ id, title, choose }) => ({
      ...{ id: `profile ${id}`, title: `New tab: ${title}`, group: 'Profiles' },
      choose,
    })),
  ];
  return (
    <PaletteList entries={entries} label="Search commands" none="No command matches." onClose={onClose} />
  );
}

function Profiles({ onClose }: PartProps) {
  const entries = useProfileEntries();
  return (
    <PaletteList entries={entries} label="Search profiles" none="No profile matches." onClose={onClose} />
  );
}

function useProfileEntries(): PaletteEntry[] {
  const { workspace } = useServices();
  const settings = useSettings((state) => state.settings);
  return sandboxProfiles(settings).map((profile) => ({
    id: profile.id,
    title: profile.name,
    group: '',
    facts: profileFacts(profile),
    choose: () => workspace.openTab({ profileId: profile.id }),
  }));
}

/** The links that can be seen in the active terminal, by where they really go (B14). */
function Links({ onClose }: PartProps) {
  const { views } = useServices().sessions;
  const [entries] = useState(() => {
    const pane = activePaneOf(useWorkspace.getState().layout);
    if (pane === null) return [];
    const links = views.get(pane)?.visibleLinks() ?? [];
    return links.map((link, index) => ({
      id: `link-${index}`,
      title: link.verdict.ok ? link.verdict.href : link.target,
      group: link.verdict.ok ? link.label : 'not opened',
      choose: () => requestLink(pane, link),
    }));
  });
  return (
    <PaletteList entries={entries} label="Search links" none="No link is on the screen." onClose={onClose} />
  );
}
