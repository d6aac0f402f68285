import { join, resolve } from 'node:path';
import { ROOT } from '../../scripts/root.ts';

/** Folder of the build under test: $AIRLOCK_DIST, else what `npm run build` made. */
export const DIST = resolve(process.env['AIRLOCK_DIST'] ?? join(ROOT, 'dist'));

/** Lets the hosts of many tests, and the runners' processes, share what Node makes of their sources. */
export const SHARED_COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'test-results/compile-cache') };
