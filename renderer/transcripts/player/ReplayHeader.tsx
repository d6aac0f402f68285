import { Ellipsis } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, ToggleButton } from 'react-aria-components';
import { visibleLine } from '../../../shared/terminal/visible-text.ts';
import type { OpenedTranscript } from '../../../shared/transcripts/transcript.ts';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { summaryFacts, whenWords } from '../transcript-words.ts';
import type { ReplayTerminal } from './replay-terminal.ts';

/** Of a title, when the pointer rests on it. */
const TITLE_CHARS = 400;

interface ReplayHeaderProps {
  readonly transcript: OpenedTranscript;
  readonly terminal: ReplayTerminal;
  readonly hasText: boolean;
  readonly onText: () => void;
  readonly onFind: () => void;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}

/** What this is: a recording, of what, when. It must never be taken for a live pane. */
export function ReplayHeader(props: ReplayHeaderProps) {
  const { transcript, terminal, hasText } = props;
  const [{ cols, rows }, setSize] = useState(transcript.size);
  useEffect(() => {
    const watching = terminal.on('sizeChanged', setSize);
    return () => watching.dispose();
  }, [terminal]);
  const facts = [...summaryFacts(transcript), ...(transcript.stopped === null ? [] : [transcript.stopped])];
  const when = whenWords(transcript.startedAt);
  const size = `${cols} × ${rows}`;
  return (
    <header className="replay-header">
      <h2 className="replay-title" title={visibleLine(transcript.title, TITLE_CHARS)}>
        <VisibleText text={transcript.title} limit={200} />
      </h2>
      <span className="replay-badge">transcript</span>
      <strong className="replay-notice">replay, nothing here is live</strong>
      <p className="replay-facts" title={visibleLine([when, size, ...facts].join(' · '), TITLE_CHARS)}>
        {when} · <span data-replay-size>{size}</span> · <VisibleText text={facts.join(' · ')} limit={400} />
      </p>
      <Button className="replay-action" onPress={props.onFind}>
        Find
      </Button>
      <ToggleButton className="replay-action" isSelected={hasText} onChange={props.onText}>
        Text
      </ToggleButton>
      <Button className="replay-action" onPress={props.onExport}>
        Export…
      </Button>
      <MenuTrigger>
        <Button className="icon-button" aria-label="Transcript menu">
          <Ellipsis size={14} aria-hidden="true" />
        </Button>
        <Popover className="menu-popover" placement="bottom end" offset={4}>
          <Menu
            className="menu"
            aria-label="Transcript menu"
            disabledKeys={transcript.ended.how === 'running' ? ['delete'] : []}
            onAction={(key) => (key === 'delete' ? props.onDelete() : props.onExport())}
          >
            <MenuItem id="export" textValue="Export" className="menu-item">
              <span className="menu-title">Export…</span>
            </MenuItem>
            <MenuItem id="delete" textValue="Delete" className="menu-item">
              <span className="menu-title">Delete…</span>
              {transcript.ended.how === 'running' && <span className="menu-facts">still recorded</span>}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
    </header>
  );
}
