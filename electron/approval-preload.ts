/**
 * Hands the approval page its port and nothing else, as preload.ts does for the main page. The two channels are this
 * page's own: main answers them for the approval view's main frame alone.
 */
import { ipcRenderer } from 'electron';
import { APPROVAL_CONNECT_CHANNEL, APPROVAL_PORT_CHANNEL } from './desktop/channels.ts';

function onPageMessage({ source, data }: MessageEvent): void {
  if (source !== window || data !== 'airlock-approval:ready') return;
  window.removeEventListener('message', onPageMessage);
  ipcRenderer.once(APPROVAL_PORT_CHANNEL, ({ ports }) => {
    window.postMessage('airlock-approval:port', window.location.origin, [...ports]);
  });
  ipcRenderer.send(APPROVAL_CONNECT_CHANNEL);
}

window.addEventListener('message', onPageMessage);
