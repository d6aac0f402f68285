import './ui/zod-without-eval.ts';
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import '@xterm/xterm/css/xterm.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/menu.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { ErrorBoundary } from './app/ErrorBoundary.tsx';
import { ServicesProvider } from './app/services.ts';
import { start } from './app/start.ts';
import { LiveRegion } from './ui/LiveRegion.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <ServicesProvider value={start()}>
        <App />
        <LiveRegion />
      </ServicesProvider>
    </ErrorBoundary>
  </StrictMode>,
);
