import type { ReactNode } from 'react';
import './message.css';

interface MessageProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

/** One message in the middle of the window: what is so, and what to do. */
export function Message({ icon, title, children }: MessageProps) {
  return (
    <main className="message">
      <div className="message-icon" aria-hidden="true">
        {icon}
      </div>
      <h1 className="message-title">{title}</h1>
      {children}
    </main>
  );
}
