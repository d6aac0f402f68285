import { Settings, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { type Place, useWorkspace } from '../state/workspace-store.ts';
import './rail.css';

/** The places that there are. */
export function Rail() {
  return (
    <nav className="rail" aria-label="Places">
      <RailButton place="sessions" label="Sessions">
        <Terminal size={18} aria-hidden="true" />
      </RailButton>
      <span className="rail-space" />
      <RailButton place="settings" label="Settings">
        <Settings size={18} aria-hidden="true" />
      </RailButton>
    </nav>
  );
}

function RailButton({ place, label, children }: { place: Place; label: string; children: ReactNode }) {
  const current = useWorkspace((state) => state.place === place);
  return (
    <TooltipTrigger delay={600} closeDelay={0}>
      <Button
        className="rail-button"
        aria-label={label}
        {...(current && { 'aria-current': 'page' as const })}
        onPress={() => useWorkspace.setState({ place })}
      >
        {children}
      </Button>
      <Tooltip className="tooltip" placement="right" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
