import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Airlock, expect, test } from '../fixtures.ts';
import { STATE_SETTINGS, type State, WALKS } from '../pages/states.ts';

const THEMES = {
  dark: { colorScheme: 'dark', contrast: 'no-preference' },
  light: { colorScheme: 'light', contrast: 'no-preference' },
  'high-contrast': { colorScheme: 'dark', contrast: 'more' },
} as const;

/** What depends on a theme; the rest is the same in all of them, and costs a second each time. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** react-aria says there what a button that was under way is called, after the button is gone as well. */
const SAID = '[data-live-announcer]';

/** Of WCAG 2.2 AA and what axe calls best practice, contrast included. */
async function accessibilityFaults({ page }: Airlock, theme: keyof typeof THEMES): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .setLegacyMode(true)
    .exclude(SAID)
    .options({ resultTypes: ['violations'] });
  const { violations } = await (theme === 'dark' ? axe : axe.withRules(RULES_OF_COLOUR)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

const THEME_NAMES = Object.keys(THEMES) as (keyof typeof THEMES)[];

test.use({ settings: STATE_SETTINGS });

const PICTURES = process.env['AIRLOCK_SCREENSHOTS'];

/**
 * A state in every theme: free of accessibility faults. A picture of each, to be looked at, goes to the folder that
 * $AIRLOCK_SCREENSHOTS names (the README's are resources/screenshots).
 */
async function check({ name, reach }: State, airlock: Airlock): Promise<void> {
  const { page } = airlock;
  await reach(airlock);
  for (const theme of THEME_NAMES) {
    await page.emulateMedia({ ...THEMES[theme], reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    expect.soft(await accessibilityFaults(airlock, theme), `${name}, ${theme}`).toEqual([]);
    if (PICTURES !== undefined)
      await page.screenshot({
        path: join(PICTURES, `${name}-${theme}.png`),
        animations: 'disabled',
        caret: 'hide',
      });
  }
}

for (const { name, states } of WALKS) {
  test(`${name}: no accessibility fault in any theme`, async ({ airlock }) => {
    for (const state of states) {
      await test.step(state.name, () => check(state, airlock));
      await state.leave?.(airlock);
    }
  });
}
