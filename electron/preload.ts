/**
 * Hands the page its connection port and nothing else: no function of Electron's, no object, no global. The page says
 * that it listens; only then is the port asked for, once for each document.
 */
import { ipcRenderer } from 'electron';
import { CONNECT_CHANNEL, PORT_CHANNEL } from './desktop/channels.ts';

function onPageMessage({ source, data }: MessageEvent): void {
  if (source !== window || data !== 'airlock:ready') return;
  window.removeEventListener('message', onPageMessage);
  ipcRenderer.once(PORT_CHANNEL, ({ ports }) => {
    window.postMessage('airlock:connection', window.location.origin, [...ports]);
  });
  ipcRenderer.send(CONNECT_CHANNEL);
}

window.addEventListener('message', onPageMessage);
