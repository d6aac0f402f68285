import { expect, test } from '../fixtures.ts';

test.use({ settings: { terminal: { renderer: 'auto' } } });

test('a terminal that loses its graphics context goes on in the DOM, with everything on it', async ({
  airlock,
}) => {
  const { workspace, page } = airlock;
  const pane = workspace.pane();
  await expect(page.getByRole('button', { name: 'Open a shell' })).toBeEnabled();
  await page.keyboard.press('Enter');
  await pane.expectState('running');
  const canvases = pane.root.locator('.xterm-screen canvas');
  await expect(canvases.first()).toBeVisible();
  await expect(pane.rows).toHaveCount(0);
  await pane.run('echo before; printf "\\e]0;ready\\a"');
  await expect(page).toHaveTitle(/ready/);

  await canvases.evaluateAll((elements) => {
    for (const canvas of elements as HTMLCanvasElement[]) {
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    }
  });
  await pane.expectLine('before');
  await pane.run('echo after');
  await pane.expectLine('after');
});
