import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Airlock, expect, test } from '../fixtures.ts';
import { SETTINGS_STATES, STATE_SETTINGS, STATES, type State } from '../pages/states.ts';

const THEMES = {
  dark: { colorScheme: 'dark', contrast: 'no-preference' },
  light: { colorScheme: 'light', contrast: 'no-preference' },
  'high-contrast': { colorScheme: 'dark', contrast: 'more' },
} as const;

/** What depends on a theme; the rest is the same in all of them, and costs a second each time. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** Of WCAG 2.2 AA and what axe calls best practice, contrast included. */
async function accessibilityFaults({ page }: Airlock, theme: keyof typeof THEMES): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await (theme === 'dark' ? axe : axe.withRules(RULES_OF_COLOUR)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

const THEME_NAMES = Object.keys(THEMES) as (keyof typeof THEMES)[];

test.use({ settings: STATE_SETTINGS });

const PICTURES = process.env['AIRLOCK_SCREENSHOTS'];

/**
 * A state in every theme: free of accessibility faults, and a picture to be looked at. Pictures go to the test results, or
 * to the folder that $AIRLOCK_SCREENSHOTS names (the README's are resources/screenshots).
 */
async function check({ name, reach }: State, airlock: Airlock, pictures: string): Promise<void> {
  const { page } = airlock;
  await reach(airlock);
  for (const theme of THEME_NAMES) {
    await page.emulateMedia({ ...THEMES[theme], reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    expect.soft(await accessibilityFaults(airlock, theme), `${name}, ${theme}`).toEqual([]);
    await page.screenshot({
      path: join(pictures, `${name}-${theme}.png`),
      animations: 'disabled',
      caret: 'hide',
    });
  }
}

for (const state of STATES) {
  test(`${state.name}: no accessibility fault in any theme`, async ({ airlock }, { outputDir }) => {
    await check(state, airlock, PICTURES ?? outputDir);
  });
}

test('the settings, each section: no accessibility fault in any theme', async ({ airlock }, {
  outputDir,
}) => {
  for (const section of SETTINGS_STATES) await check(section, airlock, PICTURES ?? outputDir);
});
