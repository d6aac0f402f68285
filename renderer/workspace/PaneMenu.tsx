import { Ellipsis } from 'lucide-react';
import { type MouseEvent, useRef, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { useServices } from '../app/services.ts';
import { CATALOGUE } from '../commands/catalogue.ts';
import { afterMenu } from '../ui/after-menu.ts';
import { CommandKeys } from './CommandKeys.tsx';
import type { PaneId } from './layout-tree.ts';

const MENU = [
  ['edit.copy', 'edit.paste', 'edit.select-all', 'find.open', 'scrollback.clear', 'link.open'],
  ['pane.split-right', 'pane.split-down', 'pane.to-tab'],
  ['session.open-again', 'session.suspend', 'session.break', 'session.transcript', 'session.end'],
];

/** The button of a pane's header that opens its menu. */
export function PaneMenuButton({ id }: { readonly id: PaneId }) {
  const { workspace } = useServices();
  return (
    <MenuTrigger onOpenChange={(open) => (open ? workspace.makeActive(id) : workspace.focusActive())}>
      <Button className="icon-button" aria-label="Pane menu">
        <Ellipsis size={14} aria-hidden="true" />
      </Button>
      <Popover className="menu-popover" placement="bottom end" offset={4}>
        <PaneMenu />
      </Popover>
    </MenuTrigger>
  );
}

/** Pixels from the upper left corner of the pane's body. */
interface Place {
  readonly left: number;
  readonly top: number;
}

/**
 * The same menu at the pointer. A right click is the program's while it tracks the mouse; with Shift it is ours. What
 * keys ask for (the menu key, Shift+F10) is not: they stay with the program.
 */
export function useContextMenu(id: PaneId) {
  const { sessions, workspace } = useServices();
  const [place, setPlace] = useState<Place | null>(null);
  const onContextMenu = (event: MouseEvent) => {
    const isClick = event.button === 2 || event.ctrlKey;
    const inTerminal = event.target instanceof Element && event.target.closest('.terminal-host') !== null;
    if (!isClick || !inTerminal) return;
    event.preventDefault();
    if (sessions.views.get(id)?.tracksMouse && !event.shiftKey) return;
    workspace.makeActive(id);
    const { left, top } = event.currentTarget.getBoundingClientRect();
    setPlace({ left: event.clientX - left, top: event.clientY - top });
  };
  const onClose = () => {
    setPlace(null);
    workspace.focusActive();
  };
  return { onContextMenu, menu: place && <MenuAt place={place} onClose={onClose} /> };
}

function MenuAt({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchor} className="menu-anchor" style={place} />
      <Popover
        className="menu-popover"
        trigger="MenuTrigger"
        triggerRef={anchor}
        placement="bottom start"
        offset={0}
        isOpen
        onOpenChange={(open) => !open && onClose()}
      >
        <PaneMenu onClose={onClose} />
      </Popover>
    </>
  );
}

/** The commands that mean something for the active pane now. */
function PaneMenu({ onClose }: { readonly onClose?: () => void }) {
  const { commands } = useServices();
  const groups = MENU.map((group) => group.filter((id) => commands.enabled(id))).filter(
    (group) => group.length > 0,
  );
  return (
    <Menu
      className="menu"
      aria-label="Pane menu"
      {...(onClose && { onClose, autoFocus: true })}
      onAction={(key) => afterMenu(() => void commands.run(String(key)))}
    >
      {groups.flatMap((group, index) => [
        index > 0 && <Separator key={`before-${group[0]}`} className="menu-separator" />,
        ...group.map((id) => <CommandItem key={id} id={id} />),
      ])}
    </Menu>
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
