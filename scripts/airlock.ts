/** `npm run airlock -- …`: the `airlock` command from a checkout. */
import { join } from 'node:path';
import { buildProduct } from './build.ts';
import { runInForeground } from './foreground.ts';
import { ROOT } from './root.ts';

await buildProduct();
runInForeground(process.execPath, [join(ROOT, 'dist/electron/cli.js'), ...process.argv.slice(2)]);
