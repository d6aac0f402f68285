/**
 * The plain pipeline that everybody writes first: node-pty, ws and xterm.js, no sandbox, no flow control. Also serves
 * the pages of the bench. Prints one line of JSON: `{port, pid}`.
 *
 *   node bench/plain/server.ts PAGES_DIR WORK_DIR
 */
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { WebSocketServer } from 'ws';

const [pages = '', workDir = ''] = process.argv.slice(2);
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const server = createServer((request, response) => {
  const name = basename(new URL(request.url ?? '/', 'http://localhost').pathname);
  const file = [join(pages, name), join(pages, 'assets', name), join(workDir, name)].find(existsSync);
  if (!name || !file) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
});

new WebSocketServer({ server }).on('connection', (socket, request) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const shell = spawn('/bin/bash', ['--norc'], {
    name: 'xterm-256color',
    cols: Number(query.get('cols')),
    rows: Number(query.get('rows')),
    cwd: workDir,
    encoding: null,
  });
  // With a null encoding node-pty hands out buffers; its types know strings only.
  shell.onData((data: unknown) => socket.send(data as Buffer));
  socket.on('message', (data: Buffer) => shell.write(data.toString()));
  socket.on('close', () => shell.kill('SIGKILL'));
});

server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port, pid: process.pid }));
});
