import { Settings, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { type Place, useWorkspace } from '../state/workspace-store.ts';
import { useServices } from './services.ts';
import './rail.css';

/** The places that there are. */
export function Rail() {
  const { workspace } = useServices();
  return (
    <nav className="rail" aria-label="Places">
      <RailButton place="sessions" label="Sessions" onPress={() => workspace.showSessions()}>
        <Terminal size={18} aria-hidden="true" />
      </RailButton>
      <span className="rail-space" />
      <RailButton
        place="settings"
        label="Settings"
        onPress={() => useWorkspace.setState({ place: 'settings' })}
      >
        <Settings size={18} aria-hidden="true" />
      </RailButton>
    </nav>
  );
}

interface RailButtonProps {
  readonly place: Place;
  readonly label: string;
  readonly children: ReactNode;
  readonly onPress: () => void;
}

function RailButton({ place, label, children, onPress }: RailButtonProps) {
  const current = useWorkspace((state) => state.place === place);
  return (
    <TooltipTrigger delay={600} closeDelay={0}>
      <Button
        className="rail-button"
        aria-label={label}
        {...(current && { 'aria-current': 'page' as const })}
        onPress={onPress}
      >
        {children}
      </Button>
      <Tooltip className="tooltip" placement="right" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
