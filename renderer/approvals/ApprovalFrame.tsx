import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useServices } from '../app/services.ts';
import { useApprovals } from '../state/approvals-store.ts';
import { useConnection } from '../state/connection-store.ts';
import { useModals } from '../state/modals-store.ts';
import { Button } from '../ui/Button.tsx';

/** The place of the approval page: its own document on its own origin, which this page can neither read nor press. */
export function ApprovalFrame({ shown }: { readonly shown: string }) {
  const desktop = useConnection((state) => state.host?.host === 'desktop');
  return desktop ? <NativePlace shown={shown} /> : <Frame shown={shown} />;
}

function Frame({ shown }: { readonly shown: string }) {
  const address = useApprovals((state) => state.address);
  const frame = useRef<HTMLIFrameElement>(null);
  // Set by hand: a changed fragment must not load the page anew, and its first load must not be the browser's history.
  useEffect(() => {
    if (frame.current !== null && address !== null) frame.current.src = `${address}#${shown}`;
  }, [address, shown]);
  if (address === null)
    return <p className="dock-empty">The page for decisions is not there. Load this page again.</p>;
  return <iframe ref={frame} className="approval-frame" title="Decision" data-approval-frame />;
}

/** An empty rectangle over which the host lays its own view; given up while a dialog of this page is open. */
function NativePlace({ shown }: { readonly shown: string }) {
  const { client } = useServices();
  const place = useRef<HTMLDivElement>(null);
  /** Said once: where the place is says nothing of what a person has gone on to since. */
  const wished = useRef<string | null>(null);
  const covered = useModals(({ open }) => open > 0);
  const [gone, setGone] = useState(false);
  useEffect(() => {
    const told = client.onEvent(({ event }) => {
      if (event === 'approvals.view-gone') setGone(true);
    });
    return () => told.dispose();
  }, [client]);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const tell = () => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const rectangle = {
        x: Math.round(x),
        y: Math.round(y),
        width: Math.round(width),
        height: Math.round(height),
      };
      const show = wished.current === shown ? undefined : shown;
      wished.current = shown;
      void client.request('approvals.place', { place: covered || gone ? null : rectangle, show });
    };
    const observer = new ResizeObserver(tell);
    observer.observe(element);
    window.addEventListener('resize', tell);
    tell();
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', tell);
    };
  }, [client, covered, gone, shown]);
  useEffect(() => () => void client.request('approvals.place', { place: null }), [client]);
  return (
    <div ref={place} className="approval-frame" data-approval-place>
      {gone && <Gone onShow={() => setGone(false)} />}
    </div>
  );
}

function Gone({ onShow }: { readonly onShow: () => void }) {
  return (
    <div className="dock-empty dock-gone" role="alert">
      <p>
        The page for decisions has stopped working again. What waits goes on waiting, until its time is up.
      </p>
      <Button onPress={onShow}>Show it again</Button>
    </div>
  );
}
