import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

export interface PageFile {
  readonly path: string;
  readonly contentType: string;
}

/**
 * The files of the built page by the path of their address, e.g. `/assets/index-1a2b.js`. Listed once: a request can
 * name one of them or nothing, so no path of a request ever reaches the file system. Throws when `folder` is not there.
 */
export function listPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  return new Map(filesBelow(folder, ''));
}

/** Not `readdir`'s own recursion, which does not see into an asar archive. */
function filesBelow(folder: string, address: string): [string, PageFile][] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, PageFile][] => {
    const path = join(folder, entry.name);
    const below = `${address}/${encodeURIComponent(entry.name)}`;
    if (entry.isDirectory()) return filesBelow(path, below);
    if (!entry.isFile()) return [];
    const contentType = CONTENT_TYPES[extname(entry.name)] ?? 'application/octet-stream';
    return [[below, { path, contentType }]];
  });
}
