import { Ellipsis, Maximize2, Minimize2, X } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { useServices } from '../app/services.ts';
import { CATALOGUE } from '../commands/catalogue.ts';
import { useCommandKeys } from '../commands/current-keys.ts';
import type { Pane } from '../state/panes-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { IconButton } from '../ui/Button.tsx';
import { Keys } from '../ui/Keys.tsx';
import { startDrag } from './drag.ts';
import { findTab, focusPane } from './layout.ts';
import { PostureLine } from './PostureLine.tsx';
import './pane-header.css';

/** What the pane is, outside of what its program can change: profile, engine, posture, recorded or not. */
export function PaneHeader({ pane, isSplit }: { readonly pane: Pane; readonly isSplit: boolean }) {
  const { workspace } = useServices();
  const maximised = useWorkspace(
    (state) => findTab(state.layout, state.layout.activeTab)?.maximised ?? false,
  );
  const { id, profile, session } = pane;
  return (
    <header
      className="pane-header"
      onPointerDown={(event) => startDrag(event, { kind: 'pane', id, label: profile.name }, workspace)}
    >
      <span className="pane-name">{profile.name}</span>
      <span className="chip">{session?.posture.engine ?? profile.engine}</span>
      {session !== null && <PostureLine posture={session.posture} />}
      <span className="pane-actions">
        {isSplit && (
          <IconButton
            label={maximised ? 'Show all panes' : 'Maximise pane'}
            hint={<CommandKeys id="pane.maximise" />}
            onPress={() => workspace.toggleMaximised(id)}
          >
            {maximised ? (
              <Minimize2 size={13} aria-hidden="true" />
            ) : (
              <Maximize2 size={13} aria-hidden="true" />
            )}
          </IconButton>
        )}
        <PaneMenu pane={pane} />
        <IconButton
          label="Close pane"
          hint={<CommandKeys id="pane.close" />}
          onPress={() => workspace.closePane(id)}
        >
          <X size={14} aria-hidden="true" />
        </IconButton>
      </span>
    </header>
  );
}

const MENU = [
  ['pane.split-right', 'pane.split-down', 'pane.to-tab'],
  ['find.open', 'edit.copy', 'edit.paste', 'edit.select-all', 'scrollback.clear', 'link.open'],
  ['session.open-again', 'session.suspend', 'session.break', 'session.end'],
];

/** The commands that mean something for this pane now. */
function PaneMenu({ pane }: { readonly pane: Pane }) {
  const { commands, workspace } = useServices();
  return (
    <MenuTrigger onOpenChange={() => workspace.rearrange((layout) => focusPane(layout, pane.id))}>
      <Button className="icon-button" aria-label="Pane menu">
        <Ellipsis size={14} aria-hidden="true" />
      </Button>
      <Popover className="menu-popover" placement="bottom end" offset={4}>
        <Menu
          className="menu"
          aria-label="Pane menu"
          onAction={(key) => requestAnimationFrame(() => void commands.run(String(key)))}
        >
          {MENU.flatMap((group, index) => [
            index > 0 && <Separator key={`before-${group[0]}`} className="menu-separator" />,
            ...group.filter((id) => commands.enabled(id)).map((id) => <CommandItem key={id} id={id} />),
          ])}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function CommandItem({ id }: { readonly id: string }) {
  const title = CATALOGUE.find((command) => command.id === id)?.title ?? id;
  return (
    <MenuItem id={id} textValue={title} className="menu-item">
      <span className="menu-title">{title}</span>
      <CommandKeys id={id} />
    </MenuItem>
  );
}

function CommandKeys({ id }: { readonly id: string }) {
  const keys = useCommandKeys(id);
  return keys && <Keys keys={keys} />;
}
