import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Message } from './Message.tsx';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

/** A mistake of ours in drawing the page. Says so, and keeps the rest of the host out of it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const error: Error | null = this.state.error;
    if (error === null) return this.props.children;
    return <Failed error={error} />;
  }
}

function Failed({ error }: { readonly error: Error }) {
  return (
    <Message icon={<TriangleAlert size={28} />} title="This window could not be drawn">
      <p className="message-text">
        A mistake in Airlock’s page stopped it. Sandboxes are not affected, but loading the page again ends
        the sessions of this window.
      </p>
      <p className="message-text selectable">
        <code>{error.message}</code>
      </p>
      <div className="message-actions">
        <Button look="primary" onPress={() => window.location.reload()}>
          Load again
        </Button>
      </div>
    </Message>
  );
}
