/** `npm run bench`: builds what is out of date and runs the benchmarks of bench/. */
import { join } from 'node:path';
import { buildProduct } from './build.ts';
import { runInForeground } from './foreground.ts';
import { ROOT } from './root.ts';
import { ensurePackages } from './system-packages.ts';

if (ensurePackages(['bubblewrap', 'chromium']).length > 0) process.exit(1);
await buildProduct();
runInForeground(process.execPath, [join(ROOT, 'bench/main.ts'), ...process.argv.slice(2)]);
