import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { openPty, resizePty } from '../../pty/native.ts';
import { OutputReader } from '../../pty/output-reader.ts';
import { OPCODE, output, type PeerTerminal } from './peer.ts';

/** Bytes of one output frame of a server. */
const FRAME_BYTES = 4096;

/**
 * The program that a terminal names, on a real PTY of this machine, the way a server runs it: the size comes once the program
 * runs, output that the client does not take holds everything up, input included, and input that does not fit is dropped.
 */
export function onPty(terminal: PeerTerminal): void {
  new RunningProgram(terminal).start();
}

class RunningProgram {
  readonly #terminal: PeerTerminal;
  readonly #master: number;
  readonly #slave: number;
  readonly #reader: OutputReader;
  readonly #child: ChildProcess;
  #over = false;

  constructor(terminal: PeerTerminal) {
    this.#terminal = terminal;
    const { master, slave } = openPty({ cols: 80, rows: 24 });
    this.#master = master;
    this.#slave = slave;
    this.#reader = new OutputReader(master, (chunk) => this.#forward(chunk));
    const program = terminal.request.query.get('cmd') ?? '/bin/sh';
    this.#child = spawn('/usr/bin/setsid', ['--ctty', program], {
      cwd: '/',
      env: { TERM: 'xterm-256color' },
      stdio: [slave, slave, slave],
    });
  }

  start(): void {
    const { query } = this.#terminal.request;
    resizePty(this.#master, { cols: Number(query.get('cols')), rows: Number(query.get('rows')) });
    this.#terminal.onInput = (bytes) => this.#type(bytes);
    const faithful = this.#terminal.onFrame;
    this.#terminal.onFrame = (frame) => {
      if (frame.opcode === OPCODE.text) this.#resize(frame.payload);
      faithful(frame);
    };
    this.#reader.resume();
    this.#child.on('exit', (code, signal) => this.#end(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
    this.#terminal.socket.on('close', () => {
      this.#child.kill('SIGKILL');
    });
  }

  #type(bytes: Buffer): void {
    if (this.#over) return;
    try {
      writeSync(this.#master, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }

  #resize(payload: Buffer): void {
    if (this.#over) return;
    const { cols, rows } = JSON.parse(payload.toString());
    resizePty(this.#master, { cols, rows });
  }

  #forward(chunk: Uint8Array): void {
    const { socket } = this.#terminal;
    for (let start = 0; start < chunk.length; start += FRAME_BYTES) {
      socket.write(output(chunk.subarray(start, start + FRAME_BYTES)));
    }
    if (!socket.writableNeedDrain || this.#over) return;
    this.#reader.pause();
    socket.pause();
    socket.once('drain', () => {
      if (this.#over) return;
      socket.resume();
      this.#reader.resume();
    });
  }

  #end(code: number): void {
    this.#over = true;
    this.#reader.pause();
    while (!this.#reader.drainStep());
    this.#reader.close();
    closeSync(this.#slave);
    this.#terminal.socket.resume();
    this.#terminal.exit(code);
  }
}
