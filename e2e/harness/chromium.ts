import { findProgram, PACKAGES } from '../../scripts/system-packages.ts';

/** Absolute path of the browser that runs the page: $AIRLOCK_CHROMIUM, else Chromium or Chrome on the PATH. */
export function findChromium(): string {
  const found = process.env['AIRLOCK_CHROMIUM'] ?? findProgram(PACKAGES.chromium.programs);
  if (found === null) throw new Error('No Chromium found: install it, or name one with AIRLOCK_CHROMIUM.');
  return found;
}

/**
 * The browser for pages that Playwright makes and drives: where it is there, the one without windows, tabs and address bars,
 * which draws nothing but the page.
 */
export function findPageBrowser(): string {
  return process.env['AIRLOCK_CHROMIUM'] ?? findProgram(PACKAGES.chromiumShell.programs) ?? findChromium();
}

/**
 * What the tests do without. Chromium takes the last list that it is given, so this one repeats what matters here of the
 * one that Playwright gives.
 */
const DISABLED_FEATURES = [
  // Pages under the address bar, in a process of their own for every window: a second of CPU time in each test.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // A process that waits for a page that might come: half a second of CPU time in each test.
  'SpareRendererForSitePerProcess',
  // As in Playwright's.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/**
 * Flags that keep Chromium from talking to anybody but the page's host. Chromium refuses its own sandbox to root,
 * which test machines often are; nothing but the tests passes that flag.
 */
export function chromiumFlags(): string[] {
  const flags = [
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
  ];
  return process.getuid?.() === 0 ? [...flags, '--no-sandbox'] : flags;
}
