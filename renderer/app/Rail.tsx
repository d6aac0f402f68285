import { History, PackageCheck, Settings, ShieldCheck, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { useApprovals } from '../state/approvals-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { type Place, useWorkspace } from '../state/workspace-store.ts';
import { counted } from '../ui/format.ts';
import { useServices } from './services.ts';
import './rail.css';

/** The places that there are. */
export function Rail() {
  const { workspace, transcripts } = useServices();
  const waiting = useApprovals(({ pending }) => pending?.length ?? 0);
  const badFile = useSettings(({ problems }) => problems.length > 0);
  return (
    <nav className="rail" aria-label="Places">
      <RailButton place="sessions" label="Sessions" onPress={() => workspace.showSessions()}>
        <Terminal size={18} aria-hidden="true" />
      </RailButton>
      <RailButton
        place="approvals"
        label={waiting === 0 ? 'Approvals' : `Approvals: ${counted(waiting, 'decision')} waiting`}
        count={waiting}
        onPress={() => useWorkspace.setState({ place: 'approvals' })}
      >
        <ShieldCheck size={18} aria-hidden="true" />
      </RailButton>
      <RailButton
        place="publications"
        label="Publications"
        onPress={() => useWorkspace.setState({ place: 'publications' })}
      >
        <PackageCheck size={18} aria-hidden="true" />
      </RailButton>
      <RailButton place="transcripts" label="Transcripts" onPress={() => transcripts.show(false)}>
        <History size={18} aria-hidden="true" />
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
  /** Decisions that wait. */
  readonly count?: number;
  readonly children: ReactNode;
  readonly onPress: () => void;
}

function RailButton({ place, label, attention, count = 0, children, onPress }: RailButtonProps) {
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
        {count > 0 && (
          <span className="rail-count" aria-hidden="true">
            {count > 99 ? '99+' : count}
          </span>
        )}
      </Button>
      <Tooltip className="tooltip" placement="right" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
