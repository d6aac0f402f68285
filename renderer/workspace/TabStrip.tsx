import { BellRing, ChevronDown, Plus, Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { sandboxProfiles, symbiontProfiles } from '../../shared/settings/schema.ts';
import { useServices } from '../app/services.ts';
import { useCommandKeys } from '../commands/current-keys.ts';
import { profileFacts } from '../profiles/profile-words.ts';
import { paneName, usePanes } from '../state/panes-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { useWorkspace } from '../state/workspace-store.ts';
import { afterMenu } from '../ui/after-menu.ts';
import { IconButton } from '../ui/Button.tsx';
import { Keys } from '../ui/Keys.tsx';
import { startDrag, useDrag } from './drag.ts';
import { Facts } from './Facts.tsx';
import type { Tab } from './layout.ts';
import { panesOf } from './layout-tree.ts';
import { tabName, tabWords } from './tab-words.ts';
import './tab-strip.css';

export function TabStrip() {
  const { tabs } = useWorkspace((state) => state.layout);
  const active = useWorkspace((state) => (state.place === 'sessions' ? state.layout.activeTab : null));
  const focusable = active ?? tabs[0]?.id;
  const dropAt = useDrag(({ target }) => (target?.kind === 'strip' ? target.index : null));
  return (
    <header className="strip-bar">
      <div className="tab-strip" data-tab-strip>
        {tabs.length > 0 && (
          <div className="tabs" role="tablist" aria-label="Sessions">
            {tabs.map((tab, index) => (
              <TabItem
                key={tab.id}
                tab={tab}
                isActive={tab.id === active}
                isFocusable={tab.id === focusable}
                dropBefore={dropAt === index}
                dropAfter={dropAt === tabs.length && index === tabs.length - 1}
              />
            ))}
          </div>
        )}
        <NewTab />
      </div>
      <CommandsButton />
    </header>
  );
}

interface TabItemProps {
  readonly tab: Tab;
  readonly isActive: boolean;
  readonly isFocusable: boolean;
  readonly dropBefore: boolean;
  readonly dropAfter: boolean;
}

/** Keyboard: arrows walk the tabs, Enter and Space go into the terminal, Delete closes. The cross is for the pointer. */
function TabItem({ tab, isActive, isFocusable, dropBefore, dropAfter }: TabItemProps) {
  const { workspace } = useServices();
  const pane = usePanes((state) => state.panes[tab.activePane]);
  const bell = usePanes(({ panes }) => panesOf(tab.root).some((id) => panes[id]?.bell));
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const strip = element.current?.parentElement;
    if (!isActive || !strip) return;
    // Told at once, and whenever the strip gets narrower or wider.
    const observer = new ResizeObserver(() =>
      element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    observer.observe(strip);
    return () => observer.disconnect();
  }, [isActive]);
  if (pane === undefined) return null;
  const words = tabWords(pane);
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) focusSibling(event.currentTarget, step);
    else if (event.key === 'Enter' || event.key === ' ') workspace.activateTab(tab.id);
    else if (event.key === 'Delete' && !event.repeat) workspace.closeTab(tab.id);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={element}
      className="tab"
      role="tab"
      id={`${tab.id}-tab`}
      tabIndex={isFocusable ? 0 : -1}
      aria-selected={isActive}
      aria-label={tabName(pane, bell)}
      aria-keyshortcuts="Delete"
      title={`${words.title}\n${paneName(pane)}${words.mark === '' ? '' : `, ${words.mark}`}`}
      data-tab={tab.id}
      data-drop-before={dropBefore || undefined}
      data-drop-after={dropAfter || undefined}
      onClick={() => workspace.activateTab(tab.id)}
      onKeyDown={onKeyDown}
      onAuxClick={(event) => event.button === 1 && workspace.closeTab(tab.id)}
      onPointerDown={(event) => startDrag(event, { kind: 'tab', id: tab.id, label: words.title }, workspace)}
    >
      {bell ? (
        <BellRing size={12} className="tab-bell" aria-hidden="true" />
      ) : (
        <span className="tab-dot" data-dot={words.dot} />
      )}
      <span className="tab-title">{words.title}</span>
      {words.mark !== '' && <span className="tab-mark">{words.mark}</span>}
      <span
        className="tab-close"
        data-tab-close={tab.id}
        aria-hidden="true"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          workspace.closeTab(tab.id);
        }}
      >
        <X size={12} />
      </span>
    </div>
  );
}

/** What else is wanted where profiles are chosen. The ids of profiles have no dot. */
const MENU_COMMANDS = [
  { id: 'governed.open', title: 'Open a governed session…' },
  { id: 'app.open-folder', title: 'Open a project folder…' },
  { id: 'app.profiles', title: 'Edit profiles' },
] as const;

function NewTab() {
  const { workspace, commands } = useServices();
  const settings = useSettings((state) => state.settings);
  const { defaultProfile } = settings;
  const runtimes = symbiontProfiles(settings);
  const keys = useCommandKeys('tab.new');
  return (
    <div className="new-tab">
      <IconButton label="New tab" hint={keys && <Keys keys={keys} />} onPress={() => workspace.openTab()}>
        <Plus size={15} aria-hidden="true" />
      </IconButton>
      <MenuTrigger onOpenChange={(open) => !open && workspace.focusActive()}>
        <Button className="icon-button" aria-label="New tab with profile">
          <ChevronDown size={13} aria-hidden="true" />
        </Button>
        <Popover className="menu-popover" placement="bottom start" offset={6}>
          <Menu
            className="menu"
            aria-label="Profiles"
            onAction={(key) =>
              afterMenu(() => {
                const command = MENU_COMMANDS.find(({ id }) => id === key);
                if (command !== undefined) commands.run(command.id);
                else if (runtimes.some(({ id }) => id === key)) commands.run('app.approvals');
                else workspace.openTab({ profileId: String(key) });
              })
            }
          >
            {sandboxProfiles(settings).map((profile) => (
              <MenuItem
                key={profile.id}
                id={profile.id}
                textValue={profile.name}
                className="menu-item menu-item-tall"
              >
                <span className="menu-title">
                  {profile.name}
                  {profile.id === defaultProfile && <span className="menu-note">default</span>}
                </span>
                <span className="menu-facts">
                  <Facts facts={profileFacts(profile)} />
                </span>
              </MenuItem>
            ))}
            {runtimes.map(({ id, name, address }) => (
              <MenuItem key={id} id={id} textValue={name} className="menu-item menu-item-tall">
                <span className="menu-title">{name}</span>
                <span className="menu-facts">Symbiont runtime, its approvals · {address}</span>
              </MenuItem>
            ))}
            <Separator className="menu-separator" />
            {MENU_COMMANDS.map(({ id, title }) => (
              <MenuItem key={id} id={id} textValue={title} className="menu-item">
                {title}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </div>
  );
}

function CommandsButton() {
  const keys = useCommandKeys('app.palette');
  return (
    <Button className="commands-button" onPress={() => useWorkspace.setState({ palette: 'commands' })}>
      <Search size={15} aria-hidden="true" />
      <span>Commands</span>
      {keys && <Keys keys={keys} />}
    </Button>
  );
}

function focusSibling(tab: Element, step: number): void {
  const tabs = [...(tab.parentElement?.children ?? [])] as HTMLElement[];
  tabs.at((tabs.indexOf(tab as HTMLElement) + step) % tabs.length)?.focus();
}
