import '../ui/zod-without-eval.ts';
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import '../ui/tokens.css';
import '../ui/base.css';
import './approval.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { ApprovalPage } from './approval-page.ts';
import { connect } from './connect.ts';
import { startTheme } from './theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');

const connection = connect();
const page = new ApprovalPage(connection);
startTheme(page);
void page.run();

createRoot(root).render(
  <StrictMode>
    <App page={page} />
  </StrictMode>,
);
