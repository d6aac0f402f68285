import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listPageFiles } from './page-list.ts';

/**
 * Answers a request with a file of the page, or calls `next` when there is none. `head`: markup of the host's own for the
 * end of the document's head, for this one answer.
 */
export type ServePage = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
  head?: string,
) => void;

/**
 * Serves the built page of `folder`. Its files are read once, at start: a path can only name one of them, and a page
 * that is built anew meanwhile can neither fail a request nor mix with this host's. Names in assets/ carry a digest of
 * their content, so they may be kept for ever; the rest is asked for again each time.
 */
export function servePage(folder: string): ServePage {
  if (!existsSync(join(folder, 'index.html'))) return notBuilt;
  const files = new Map(
    [...listPageFiles(folder)].map(([address, { path, contentType }]) => [
      address,
      { headers: headersOf(address, contentType), content: readFileSync(path) },
    ]),
  );
  return (request, response, next, head) => {
    const [address = '/'] = (request.url ?? '/').split('?');
    const file = files.get(address === '/' ? '/index.html' : address);
    if (file === undefined) next();
    else if (head !== undefined)
      response
        .writeHead(200, { ...file.headers, 'Cache-Control': 'no-store' })
        .end(file.content.toString().replace('</head>', () => `${head}</head>`));
    else response.writeHead(200, file.headers).end(file.content);
  };
}

function headersOf(address: string, contentType: string): Record<string, string> {
  const lasting = address.startsWith('/assets/');
  return {
    'Content-Type': contentType,
    'Cache-Control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

const notBuilt: ServePage = (_request, response) => {
  response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end('The page is not built: npm run build\n');
};
