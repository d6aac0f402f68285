import type { WaitingRequest } from '../../shared/governed/approval-page.ts';
import type { ApprovalPage } from './approval-page.ts';

interface QueueProps {
  readonly page: ApprovalPage;
  readonly waiting: readonly WaitingRequest[];
  readonly shownId: string | null;
}

/** What else waits. Another request is shown only when a person picks it. */
export function Queue({ page, waiting, shownId }: QueueProps) {
  return (
    <nav className="queue" aria-label={`${waiting.length} requests wait`}>
      <ol>
        {waiting.map(({ id, title, source }) => (
          <li key={id}>
            <button
              type="button"
              className="queue-item"
              aria-current={id === shownId}
              onClick={() => page.show(id)}
            >
              {source === 'symbiont' ? `Symbiont: ${title}` : title}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
