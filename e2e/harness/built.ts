import { join, resolve } from 'node:path';
import { ROOT } from '../../scripts/root.ts';

/** Folder of the build under test: $AIRLOCK_DIST, else what `npm run build` made. */
export const DIST = resolve(process.env['AIRLOCK_DIST'] ?? join(ROOT, 'dist'));
