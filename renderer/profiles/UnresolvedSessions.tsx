import { TriangleAlert } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { UnresolvedSession } from '../../shared/terminal/smolvm-machine.ts';
import { useServices } from '../app/services.ts';
import { Button } from '../ui/Button.tsx';
import { formatMoment } from '../ui/format.ts';
import { VisibleText } from '../ui/VisibleText.tsx';
import './machines.css';

interface UnresolvedSessionsProps {
  /** Shows those of one machine's name alone. */
  readonly machine?: string;
  /** That machine's, as its server's list has it: of one whose record cannot be read nothing else knows. */
  readonly listed?: UnresolvedSession | null;
  /** Asked again when it changes. */
  readonly asked?: number;
  readonly onResolved?: () => void;
}

/** Sessions of machines that nobody knows the end of, what happened, and the way to say that a person has looked. */
export function UnresolvedSessions({
  machine,
  listed = null,
  asked = 0,
  onResolved,
}: UnresolvedSessionsProps) {
  const { client } = useServices();
  const [sessions, setSessions] = useState<readonly UnresolvedSession[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(async () => {
    const answer = await client.request('machines.unresolved', {});
    setSessions(answer.ok ? answer.value.unresolved : []);
    setProblem(answer.ok ? null : answer.error.message);
  }, [client]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` asks again
  useEffect(() => void load(), [load, asked]);
  const resolve = async ({ address, machine }: UnresolvedSession) => {
    const answer = await client.request('machines.resolve', { address, machine });
    await load();
    if (!answer.ok) setProblem(answer.error.message);
    else onResolved?.();
  };
  const known = sessions.filter((session) => machine === undefined || session.machine === machine);
  const shown =
    listed === null || known.some(({ address }) => address === listed.address) ? known : [...known, listed];
  return (
    <>
      {shown.map((session) => (
        <section
          key={`${session.address} ${session.machine}`}
          className="unresolved"
          aria-label={`Unresolved session of ${session.machine}`}
        >
          <TriangleAlert size={15} aria-hidden="true" />
          <div className="unresolved-words selectable">
            <p>
              <strong>
                How a session on “<VisibleText text={session.machine} />” ended is not known.
              </strong>{' '}
              It was opened at {formatMoment(session.since)}.{' '}
              <VisibleText text={session.reason} limit={1_000} />
            </p>
            <p>
              Its program may still run there. Until somebody has looked, no session opens on this machine,
              and it is neither stopped nor deleted: <code>{session.address}</code>
            </p>
          </div>
          <Button onPress={() => void resolve(session)}>I have looked: it is resolved</Button>
        </section>
      ))}
      {problem !== null && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
