import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { STATE_SETTINGS, STATES } from './pages/states.ts';

/**
 * A picture of every state in both themes, to be looked at: in the test results, or in the folder that
 * $AIRLOCK_SCREENSHOTS names (the README's are resources/screenshots).
 */
test.use({ settings: STATE_SETTINGS });

for (const { name, reach } of STATES) {
  test(`picture of ${name}`, async ({ airlock, target }, testInfo) => {
    test.skip(target !== 'headless', 'pictures are taken on the headless host: the page is the same');
    await reach(airlock);
    for (const colorScheme of ['dark', 'light'] as const) {
      await airlock.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(airlock.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      const folder = process.env['AIRLOCK_SCREENSHOTS'] ?? testInfo.outputDir;
      const path = join(folder, `${name}-${colorScheme}.png`);
      const picture = await airlock.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
      expect(picture.length, 'the picture shows something').toBeGreaterThan(5_000);
    }
  });
}
