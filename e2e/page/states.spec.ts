import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Airlock, expect, test } from '../fixtures.ts';
import { STATE_SETTINGS, STATES } from '../pages/states.ts';

const THEMES = {
  dark: { colorScheme: 'dark', contrast: 'no-preference' },
  light: { colorScheme: 'light', contrast: 'no-preference' },
  'high-contrast': { colorScheme: 'dark', contrast: 'more' },
} as const;

/** Of WCAG 2.2 AA and what axe calls best practice, contrast included. */
async function accessibilityFaults({ page }: Airlock): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

test.use({ settings: STATE_SETTINGS });

/**
 * Every state in every theme: free of accessibility faults, and a picture to be looked at. Pictures go to the test
 * results, or to the folder that $AIRLOCK_SCREENSHOTS names (the README's are resources/screenshots).
 */
for (const { name, reach } of STATES) {
  test(`${name}: no accessibility fault in any theme`, async ({ airlock }, testInfo) => {
    const { page } = airlock;
    await reach(airlock);
    for (const [theme, media] of Object.entries(THEMES)) {
      await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      expect(await accessibilityFaults(airlock), `${name}, ${theme}`).toEqual([]);
      const folder = process.env['AIRLOCK_SCREENSHOTS'] ?? testInfo.outputDir;
      await page.screenshot({
        path: join(folder, `${name}-${theme}.png`),
        animations: 'disabled',
        caret: 'hide',
      });
    }
  });
}
