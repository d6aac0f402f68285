/**
 * Runs the built main process on the double: `node run.ts MAIN [ARGUMENT …]` with AIRLOCK_DOUBLE_BROWSER naming the
 * DevTools address of a running Chromium. Ends with the test that launched it, and its windows with it: they are in a
 * browser context of their own, which lives as long as the connection.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { app } from './app.ts';
import { listenForActions } from './control.ts';
import { DevTools } from './devtools.ts';
import { openPagesWith } from './web-contents.ts';

const DOUBLE = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: DOUBLE, shortCircuit: true, format: 'module-typescript' }
      : next(specifier, context),
});

const devtools = await DevTools.connect(process.env['AIRLOCK_DOUBLE_BROWSER'] ?? '');
devtools.on('closed', () => process.exit(1));
process.on('disconnect', () => process.exit(1));
await devtools.send('Target.setDiscoverTargets', { discover: true });
const { browserContextId } = await devtools.send('Target.createBrowserContext', { disposeOnDetach: true });
openPagesWith(devtools, browserContextId as string);
listenForActions();

const main = process.argv[2];
if (!main) throw new Error('usage: run.ts MAIN [ARGUMENT …]');
await import(pathToFileURL(main).href);
app.becomeReady();
