/** The plain pipeline: every WebSocket message is written to xterm.js, every key is sent. No flow control. */
import { type BenchPage, Gauge, watchKeys } from './gauge.ts';
import { openTerminal } from './terminal.ts';

const terminal = openTerminal();
const gauge = new Gauge();
let lastKeyAt = 0;
watchKeys((at) => {
  lastKeyAt = at;
});

const socket = new WebSocket(`ws://${location.host}/?cols=${terminal.cols}&rows=${terminal.rows}`);
socket.binaryType = 'arraybuffer';
socket.onmessage = ({ data }) => {
  const bytes = new Uint8Array(data as ArrayBuffer);
  gauge.noteReceived(bytes);
  const parsed = () => gauge.noteParsed(gauge.parsed + bytes.length);
  try {
    terminal.write(bytes, parsed);
  } catch {
    // xterm.js refuses what comes while 50 MB wait: this is what happens without flow control.
    gauge.lost += bytes.length;
    parsed();
  }
};
terminal.onData((text) => socket.send(text));

const bench: BenchPage = {
  gauge,
  get lastKeyAt() {
    return lastKeyAt;
  },
  nextTerminalPromptShownAt: () => Promise.reject(new Error('The plain pipeline has one terminal.')),
  sizes: [{ cols: terminal.cols, rows: terminal.rows }],
};
Object.assign(window, { bench });
