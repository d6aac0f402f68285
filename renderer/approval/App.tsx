import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ApprovalPage } from './approval-page.ts';
import { Card } from './Card.tsx';
import { Notice } from './Notice.tsx';
import { Queue } from './Queue.tsx';
import { type Sight, SightWatcher } from './visibility.ts';

export function App({ page }: { readonly page: ApprovalPage }) {
  const state = useSyncExternalStore(page.subscribe, () => page.state);
  const [sight, setSight] = useState<Sight>('hidden');
  const [watcher, setWatcher] = useState<SightWatcher | null>(null);
  useEffect(() => {
    const created = new SightWatcher({
      onSight(seen) {
        setSight(seen);
        page.setVisible(seen === 'visible');
      },
      onEnd: () => page.setRead(),
    });
    setWatcher(created);
    return () => created.dispose();
  }, [page]);
  const { phase, waiting, shown } = state;
  return (
    <main className="approval-page" data-place={page.isWindow ? 'window' : 'frame'}>
      {waiting.length > 1 && <Queue page={page} waiting={waiting} shownId={shown?.id ?? null} />}
      {shown === null || phase !== 'in' ? (
        <Notice state={state} />
      ) : (
        <Card key={shown.viewing} page={page} state={state} shown={shown} sight={sight} watcher={watcher} />
      )}
    </main>
  );
}
