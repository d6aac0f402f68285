import { Settings, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { useSettings } from '../state/settings-store.ts';
import { type Place, useWorkspace } from '../state/workspace-store.ts';
import { useServices } from './services.ts';
import './rail.css';

/** The places that there are. */
export function Rail() {
  const { workspace } = useServices();
  const badFile = useSettings(({ problems }) => problems.length > 0);
  return (
    <nav className="rail" aria-label="Places">
      <RailButton place="sessions" label="Sessions" onPress={() => workspace.showSessions()}>
        <Terminal size={18} aria-hidden="true" />
      </RailButton>
      <span className="rail-space" />
      <RailButton
        place="settings"
        label={badFile ? 'Settings: the file has mistakes and is not used' : 'Settings'}
        attention={badFile}
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
  /** A person must look there. */
  readonly attention?: boolean;
  readonly children: ReactNode;
  readonly onPress: () => void;
}

function RailButton({ place, label, attention, children, onPress }: RailButtonProps) {
  const current = useWorkspace((state) => state.place === place);
  return (
    <TooltipTrigger delay={600} closeDelay={0}>
      <Button
        className="rail-button"
        aria-label={label}
        data-attention={attention || undefined}
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
