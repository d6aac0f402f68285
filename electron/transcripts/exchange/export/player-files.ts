import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a page needs to play a recording by itself. */
export interface PlayerFiles {
  readonly script: string;
  readonly style: string;
  /** It goes along, as it demands. */
  readonly licence: string;
}

/** Beside the bundle, where the build puts a copy; from the package when run from the sources. */
export function readPlayerFiles(): PlayerFiles {
  const fromSources = import.meta.filename.endsWith('.ts');
  const folder = fromSources
    ? join(import.meta.dirname, '../../../../node_modules/asciinema-player')
    : join(import.meta.dirname, 'player');
  const bundle = fromSources ? join(folder, 'dist/bundle') : folder;
  return {
    script: readFileSync(join(bundle, 'asciinema-player.min.js'), 'utf8'),
    style: readFileSync(join(bundle, 'asciinema-player.css'), 'utf8'),
    licence: readFileSync(join(folder, 'LICENSE'), 'utf8'),
  };
}
