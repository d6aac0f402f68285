import { CircleDot } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import type { SandboxPosture } from '../../shared/terminal/posture.ts';
import {
  capitalised,
  type PostureFact,
  postureFacts,
  postureRows,
  postureSentence,
  recordedWords,
} from './posture-words.ts';

interface PostureLineProps {
  readonly posture: SandboxPosture;
  /** What a manifest grants: it stands for the mounts, of which a governed session has no others. */
  readonly files: readonly PostureFact[];
}

/**
 * The posture in one line. It shortens by whole facts from its end and counts what is left out; hover and focus show
 * everything. Whether the session is recorded always stays.
 */
export function PostureLine({ posture, files }: PostureLineProps) {
  return (
    <>
      <TooltipTrigger delay={350} closeDelay={80}>
        <Button className="posture" aria-label={postureSentence(posture, files)}>
          <FittingFacts facts={postureFacts(posture, files)} />
        </Button>
        <Tooltip className="tooltip posture-tooltip" placement="bottom start" offset={8}>
          <dl className="posture-rows">
            {postureRows(posture).map((row) => (
              <div key={`${row.term} ${row.value}`} className="posture-row">
                <dt>{row.term}</dt>
                <dd className={`fact-${row.tone}`}>
                  {row.value}
                  {row.literal !== undefined && <code>{row.literal}</code>}
                </dd>
              </div>
            ))}
          </dl>
        </Tooltip>
      </TooltipTrigger>
      <span className={recordedClass(posture)}>
        {posture.recorded && <CircleDot size={12} aria-hidden="true" />}
        {recordedWords(posture)}
      </span>
    </>
  );
}

function recordedClass({ recorded, recordingStopped }: SandboxPosture): string {
  if (recordingStopped !== undefined) return 'recorded recorded-stopped';
  return recorded ? 'recorded recorded-on' : 'recorded';
}

/** Facts wrap, and the second line is out of sight: what is cut off is always a whole fact. */
function FittingFacts({ facts }: { readonly facts: readonly PostureFact[] }) {
  const line = useRef<HTMLSpanElement>(null);
  const [cut, setCut] = useState({ hidden: 0, at: 0 });
  useLayoutEffect(() => {
    const element = line.current;
    if (element === null) return;
    const count = () => {
      const items = [...element.children] as HTMLElement[];
      const shown = items.filter((item) => item.offsetTop === items[0]?.offsetTop);
      const last = shown.at(-1);
      const at = last === undefined ? 0 : last.offsetLeft + last.offsetWidth;
      setCut({ hidden: items.length - shown.length, at });
    };
    const observer = new ResizeObserver(count);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <span className="posture-facts" ref={line}>
        {facts.map((fact, index) => (
          <span key={fact.id} className={`fact fact-${fact.tone}`}>
            {index > 0 && <span className="fact-dot">{'· '}</span>}
            {index === 0 ? capitalised(fact.text) : fact.text}
          </span>
        ))}
      </span>
      {cut.hidden > 0 && (
        <span className="posture-more" style={{ left: cut.at }}>
          +{cut.hidden}
        </span>
      )}
    </>
  );
}
