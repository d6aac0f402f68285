import { Search } from 'lucide-react';
import { useState } from 'react';
import {
  Autocomplete,
  Collection,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { visibleParts } from '../../shared/terminal/visible-text.ts';
import { useServices } from '../app/services.ts';
import { profileFacts } from '../profiles/profile-words.ts';
import { useSettings } from '../state/settings-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { Keys } from '../ui/Keys.tsx';
import { Facts } from '../workspace/Facts.tsx';
import { activePaneOf } from '../workspace/layout.ts';
import { requestLink } from '../workspace/views.ts';
import { useCommandKeys } from './current-keys.ts';
import { fuzzyScore } from './fuzzy.ts';
import './palette.css';

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly choose: () => void;
  readonly facts?: Parameters<typeof Facts>[0]['facts'];
}

const NAMES = {
  closed: 'Commands',
  commands: 'Commands',
  profiles: 'New tab with profile',
  links: 'Open a link on the screen',
};

/** One list with a filter over the window: the commands, or the profiles that a tab can be opened with. */
export function Palette() {
  const palette = useWorkspace((state) => state.palette);
  const close = () => useWorkspace.setState({ palette: 'closed' });
  return (
    <ModalOverlay
      className="palette-overlay"
      isOpen={palette !== 'closed'}
      onOpenChange={(open) => !open && close()}
      isDismissable
    >
      <Modal className="palette">
        <Dialog className="palette-dialog" aria-label={NAMES[palette]}>
          {palette === 'commands' && <Commands onClose={close} />}
          {palette === 'profiles' && <Profiles onClose={close} />}
          {palette === 'links' && <Links onClose={close} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Commands({ onClose }: { readonly onClose: () => void }) {
  const { commands } = useServices();
  const [entries] = useState(() =>
    commands
      .available()
      .filter(({ id }) => id !== 'app.palette')
      .map(({ id, title, group }) => ({ id, title, group, choose: () => commands.runChosen(id) })),
  );
  return (
    <PaletteList entries={entries} label="Search commands" none="No command matches." onClose={onClose} />
  );
}

function Profiles({ onClose }: { readonly onClose: () => void }) {
  const { workspace } = useServices();
  const profiles = useSettings((state) => state.settings.profiles);
  const entries = profiles.map((profile) => ({
    id: profile.id,
    title: profile.name,
    group: '',
    facts: profileFacts(profile),
    choose: () => workspace.openTab({ profileId: profile.id }),
  }));
  return (
    <PaletteList entries={entries} label="Search profiles" none="No profile matches." onClose={onClose} />
  );
}

/** The links that can be seen in the active terminal, by where they really go (B14). */
function Links({ onClose }: { readonly onClose: () => void }) {
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

interface PaletteListProps {
  readonly entries: readonly Entry[];
  readonly label: string;
  readonly none: string;
  readonly onClose: () => void;
}

function PaletteList({ entries, label, none, onClose }: PaletteListProps) {
  const [query, setQuery] = useState('');
  const found = ranked(entries, query);
  const choose = (key: React.Key) => {
    onClose();
    // The focus is back where it was before the chosen command may move it.
    requestAnimationFrame(() => entries.find(({ id }) => id === key)?.choose());
  };
  return (
    <Autocomplete inputValue={query} onInputChange={setQuery}>
      <SearchField className="palette-search" aria-label={label} autoFocus>
        <Search size={16} aria-hidden="true" />
        <Input className="palette-input" placeholder={`${label}…`} />
      </SearchField>
      <Menu
        className="palette-list"
        aria-label={label}
        items={found}
        onAction={choose}
        renderEmptyState={() => <p className="palette-none">{none}</p>}
      >
        <Collection items={found}>
          {(entry) => (
            <MenuItem id={entry.id} textValue={entry.title} className="palette-item">
              <span className="palette-title">
                <PlainText text={entry.title} />
              </span>
              {entry.facts ? (
                <span className="palette-facts">
                  <Facts facts={entry.facts} />
                </span>
              ) : (
                <span className="palette-group">
                  <PlainText text={entry.group} />
                </span>
              )}
              <CommandKeys id={entry.id} />
            </MenuItem>
          )}
        </Collection>
      </Menu>
    </Autocomplete>
  );
}

/** On one line; what a program wrote shows its hidden characters. */
function PlainText({ text }: { readonly text: string }) {
  return visibleParts(text).map((part, index) => {
    const key = `${index}`;
    if (part.kind === 'text') return part.text;
    return (
      <span key={key} className="visible-code">
        {part.kind === 'code' ? part.label : '↵'}
      </span>
    );
  });
}

function CommandKeys({ id }: { readonly id: string }) {
  const keys = useCommandKeys(id);
  return keys && <Keys keys={keys} />;
}

/** As they come without a query, else the best match first. */
function ranked(entries: readonly Entry[], query: string): Entry[] {
  if (query.trim() === '') return [...entries];
  return entries
    .map((entry) => ({ entry, score: fuzzyScore(query, entry.title) }))
    .filter((scored): scored is { entry: Entry; score: number } => scored.score !== null)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}
