import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';

/** Answers a request with a file of the page, or calls `next` when there is none. */
export type ServePage = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Serves the built page of `folder`. The files are listed once, at start: a path can only name one of them. Names in
 * assets/ carry a digest of their content, so they may be kept for ever; the rest is asked for again each time.
 */
export function servePage(folder: string): ServePage {
  if (!existsSync(join(folder, 'index.html'))) return notBuilt;
  return sirv(folder, {
    etag: true,
    setHeaders(response, path) {
      const lasting = path.startsWith('/assets/');
      response.setHeader('Cache-Control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

const notBuilt: ServePage = (_request, response) => {
  response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end('The page is not built: npm run build\n');
};
