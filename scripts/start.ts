/**
 * `npm start`: builds what is out of date and opens Airlock in its desktop window; where Electron cannot run, in a
 * browser window on the headless host, after saying why in one line.
 */
import { join } from 'node:path';
import { buildProduct } from './build.ts';
import { electronObstacle, fetchElectron } from './electron-binary.ts';
import { runInForeground } from './foreground.ts';
import { ROOT } from './root.ts';
import { ensurePackages } from './system-packages.ts';

/** The obstacles are asked for again once the binary is here, because one of them lies in its files. */
async function electron(): Promise<{ program: string } | { reason: string }> {
  const before = electronObstacle();
  if (before) return { reason: before };
  const fetched = await fetchElectron();
  const after = electronObstacle();
  return after ? { reason: after } : fetched;
}

if (process.platform === 'linux') ensurePackages(['bubblewrap']);
await buildProduct();
const found = await electron();
if ('program' in found) {
  runInForeground(found.program, [ROOT, ...process.argv.slice(2)]);
} else {
  console.error(`No desktop window: ${found.reason}. Opening Airlock for the browser instead.`);
  runInForeground(process.execPath, [join(ROOT, 'dist/electron/cli.js'), 'serve', ...process.argv.slice(2)]);
}
