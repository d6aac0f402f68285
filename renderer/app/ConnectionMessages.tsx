import { KeyRound, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Message } from './Message.tsx';
import { useServices } from './services.ts';

/** Milliseconds before a connection that is still being made is worth a word. */
const PATIENCE_MS = 400;

export function Connecting() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main className="message" aria-busy="true">
      {late && <p className="message-text">Connecting to Airlock…</p>}
    </main>
  );
}

/** Headless only: this page has no way in, or the one it had is used up. */
export function SignIn({ reason }: { readonly reason: string }) {
  return (
    <Message icon={<KeyRound size={28} />} title="Open Airlock from its terminal">
      <p className="message-text">{reason}</p>
      <ol className="message-steps">
        <li>
          <span>Go to the terminal where Airlock was started.</span>
        </li>
        <li>
          <span>Press Enter there. It prints a new address.</span>
        </li>
        <li>
          <span>Open that address in this browser. It works once.</span>
        </li>
      </ol>
    </Message>
  );
}

/** The host cannot be reached and there is nothing on the screen to keep. */
export function ConnectionLost({ reason }: { readonly reason: string }) {
  const { client } = useServices();
  return (
    <Message icon={<Unplug size={28} />} title="Airlock is not connected">
      <p className="message-text">{reason}</p>
      <div className="message-actions">
        <Button look="primary" autoFocus onPress={() => void client.connect()}>
          Connect again
        </Button>
      </div>
    </Message>
  );
}
