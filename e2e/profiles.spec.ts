import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { LABELS } from '../electron/sandbox/docker/labels.ts';
import { machine, output, SmolvmPeer } from '../electron/sandbox/smolvm/testing/peer.ts';
import { ARMING_MS } from '../renderer/ui/arming.ts';
import { type Airlock, test as base, expect } from './fixtures.ts';
import { DockerFake } from './harness/docker-fake.ts';
import { press } from './pages/press.ts';
import type { SettingsPage } from './pages/settings-page.ts';
import { holdTime } from './pages/time.ts';

const test = base.extend<{ smolvm: SmolvmPeer; docker: DockerFake }>({
  docker: async ({ folders }, use) => {
    const fake = await DockerFake.listen(join(folders.data, '..', 'docker.sock'));
    await use(fake);
    await fake.close();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  smolvm: async ({}, use) => {
    const peer = await SmolvmPeer.listen();
    await use(peer);
    await peer.close();
  },
});

async function openEditor({ workspace }: Airlock): Promise<SettingsPage> {
  const settings = await workspace.openSettings();
  await settings.section('Profiles');
  return settings;
}

async function savedProfile({ folders }: Airlock): Promise<Record<string, unknown>> {
  const text = await readFile(join(folders.data, 'settings.json'), 'utf8');
  return JSON.parse(text).profiles?.[0] ?? {};
}

async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

test('another engine brings its own fields and program, and says at once why it cannot be used', async ({
  airlock,
}) => {
  const { page } = airlock;
  const settings = await openEditor(airlock);
  const engines = settings.content.getByRole('radiogroup', { name: 'Engine' });
  const check = settings.content.locator('.engine-check');
  await expect(check).toContainText(/bubblewrap [\d.]+ is ready/);
  await engines.getByRole('radio', { name: /^Bubblewrap/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(engines.getByRole('radio', { name: /^smolvm/ })).toBeChecked();
  await expect(check).toContainText(
    'The profile must name what it opens: Address (smolvm.address) and Machine (smolvm.machine).',
  );
  await expect(check).toContainText('listens at unix:///');
  await expect(settings.field('Program')).toHaveValue('/bin/sh');
  await expect(settings.field('Address')).toBeVisible();
  for (const words of ['smolvm takes no variables', 'what the machine was created with'])
    await expect(settings.content).toContainText(words);
  await expect(settings.content.getByLabel('Memory', { exact: true })).toBeHidden();
  expect(await accessibilityFaults(page)).toEqual([]);
  await expect.poll(() => savedProfile(airlock)).toMatchObject({ engine: 'smolvm', command: ['/bin/sh'] });

  const address = settings.field('Address');
  await address.fill('http://127.0.0.1:1');
  await address.press('Enter');
  const name = settings.field('Machine');
  await name.fill('dev');
  await name.press('Enter');
  await expect(check).toContainText('nothing listens there');
  await expect(check).toContainText('smolvm serve start');
  await engines.getByRole('radio', { name: /^Bubblewrap/ }).press('Space');
  await expect(check).toContainText(/bubblewrap [\d.]+ is ready/);
  await expect(settings.field('Program')).toHaveValue('/bin/bash');
  await expect(engines.getByRole('radio', { name: /^smolvm/ })).toHaveAccessibleName(/not ready$/);
  // What was said to the other engine is kept for the next time.
  await expect
    .poll(() => savedProfile(airlock))
    .toMatchObject({ engine: 'bubblewrap', smolvm: { machine: 'dev' } });
});

test('a folder that no session opens with is refused by the check, and “Try it” is not offered as the thing to do', async ({
  airlock,
}) => {
  const settings = await openEditor(airlock);
  const check = settings.content.locator('.engine-check');
  const tryIt = settings.content.getByRole('button', { name: 'Try it' });
  await expect(check).toHaveAttribute('data-tone', 'on');
  await expect(tryIt).toHaveClass(/button-primary/);
  const scratch = settings.field('Scratch folder');
  await scratch.fill('/');
  await scratch.press('Enter');
  await expect(check).toContainText('The scratch folder must not be all of /');
  await expect(check).toHaveAttribute('data-tone', 'off');
  await expect(tryIt).not.toHaveClass(/button-primary/);
  await settings.content.getByRole('button', { name: 'Reset Scratch folder to none' }).click();
  await expect(check).toHaveAttribute('data-tone', 'on');
  await expect(tryIt).toHaveClass(/button-primary/);
});

test.describe('a micro-VM', () => {
  test.use({ settings: { profiles: [{ id: 'shell', name: 'Shell', engine: 'microvm' }] } });

  test('has its times in hours, the file in milliseconds, and its own least memory', async ({ airlock }) => {
    const settings = await openEditor(airlock);
    const lifetime = settings.field('Lifetime');
    await expect(lifetime).toHaveValue('8 h');
    await lifetime.fill('90');
    await expect(settings.content).toContainText('Lifetime must be a time with its unit');
    await lifetime.fill('90 min');
    await lifetime.press('Enter');
    await expect.poll(() => savedProfile(airlock)).toMatchObject({ microvm: { lifetimeMs: 5_400_000 } });
    await expect(lifetime).toHaveValue('90 min');
    const memory = settings.field('Memory');
    await memory.fill('64');
    await expect(settings.content).toContainText('Memory must be at least 128, is 64.');
    await expect(settings.content.getByText('128 to 1048576.')).toBeVisible();
  });
});

test.describe('a profile with much to say', () => {
  const image = `${'registry.example/a'.repeat(4)}:12`;
  test.use({
    settings: {
      profiles: [
        { id: 'shell', name: 'A name that takes a good part of the line', engine: 'microvm' },
        { id: 'box', name: 'Box', engine: 'container', container: { image } },
      ],
    },
  });

  test('leaves whole facts out, and no dot before them', async ({ airlock }) => {
    const { page } = airlock;
    const settings = await openEditor(airlock);
    await page.setViewportSize({ width: 760, height: 600 });
    // A dot in sight whose fact is not, or not whole.
    const dangling = () =>
      settings.content.locator('.profile-facts').evaluateAll(
        (lines) =>
          lines.flatMap((line) => {
            const { bottom } = line.getBoundingClientRect();
            const isOutOfSight = ({ top }: DOMRect) => top > bottom - 4;
            return [...line.querySelectorAll('.fact-dot')].filter((dot) => {
              const fact = [...(dot.parentElement?.getClientRects() ?? [])];
              return !isOutOfSight(dot.getBoundingClientRect()) && fact.some(isOutOfSight);
            });
          }).length,
      );
    const hidden = () =>
      settings.content
        .locator('.profile-facts')
        .evaluateAll((lines) => lines.some((line) => line.scrollHeight > line.clientHeight + 4));
    await expect.poll(hidden).toBe(true);
    expect(await dangling()).toBe(0);
  });
});

test('the engines stay within their frame in a narrow window', async ({ airlock }) => {
  const { page } = airlock;
  const settings = await openEditor(airlock);
  await page.setViewportSize({ width: 760, height: 600 });
  const right = (part: string) =>
    settings.content
      .locator(part)
      .first()
      .evaluate((element) => element.getBoundingClientRect().right);
  await expect
    .poll(async () => (await right('.engine-choices')) - (await right('.engine-choice')))
    .toBeGreaterThan(0);
});

test.describe('a profile that asks for what its engine has not', () => {
  test.use({
    settings: {
      profiles: [{ id: 'shell', name: 'Shell', engine: 'microvm', network: 'host', environment: { A: 'b' } }],
    },
  });

  test('says that no session opens, and takes it away when told to', async ({ airlock }) => {
    const settings = await openEditor(airlock);
    await expect(settings.content).toContainText('the machine is built without a network device');
    await expect(settings.content).toContainText('This profile asks for it, so no session opens');
    await expect(settings.content.locator('[data-engine-usable=false]')).toBeVisible();
    await settings.content.getByRole('button', { name: 'Remove network from the profile' }).press('Enter');
    await expect.poll(() => savedProfile(airlock)).toMatchObject({ network: 'none' });
    await expect(settings.content).not.toContainText('This profile asks for it');
    // What did not open is called as the editor calls it.
    await settings.content.getByRole('button', { name: 'Try it' }).click();
    const { activePane } = airlock.workspace;
    await expect(activePane.ending).toContainText('did not open');
    await expect(activePane.header).toContainText('Micro-VM');
  });
});

test('what lets more in or out is said in words, together and at its field', async ({ airlock }) => {
  const { page, folders } = airlock;
  const settings = await openEditor(airlock);
  const dangers = settings.content.getByRole('region', { name: 'What this profile lets through' });
  await expect(dangers).toBeHidden();
  await settings.content
    .getByRole('radiogroup', { name: 'Network' })
    .getByText('On', { exact: true })
    .click();
  await settings.field('Scratch folder').fill(folders.scratch);
  await settings.field('Scratch folder').press('Enter');
  await settings.content.getByText('Record what is typed').click();
  for (const words of ['Network on.', 'Writable folder.', 'Records what is typed.'])
    await expect(dangers).toContainText(words);
  await expect(settings.content.locator('.profile-dangerous')).toHaveCount(3);
  expect(await accessibilityFaults(page)).toEqual([]);
  await settings.content.getByRole('radio', { name: /^Running container/ }).focus();
  await page.keyboard.press('Space');
  await expect(dangers).toContainText('root, unless its image says otherwise');
  await expect(dangers).not.toContainText('Network on.');
});

test('a variable is added by Enter, and by nothing else', async ({ airlock }) => {
  const { page } = airlock;
  const settings = await openEditor(airlock);
  const { content } = settings;
  const add = content.getByRole('button', { name: 'Add variable' });
  const cancel = content.getByRole('button', { name: 'Do not add a variable' });
  const variable = settings.field('New variable');
  await add.click();
  await variable.fill('FOO=secret');
  await press(page, cancel);
  await expect(variable).toBeHidden();
  await add.click();
  await variable.fill('BAR=secret');
  await variable.press('Tab');
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(variable).toBeHidden();
  await expect(add).toBeFocused();
  await page.keyboard.press('Enter');
  await variable.fill('BAZ=1');
  await variable.press('Enter');
  await expect(add).toBeFocused();
  await expect.poll(() => savedProfile(airlock)).toMatchObject({ environment: { BAZ: '1' } });
  await expect(content.getByRole('button', { name: 'Remove' })).toHaveCount(1);
  expect(await readFile(join(airlock.folders.data, 'settings.json'), 'utf8')).not.toContain('secret');
});

test('a double click on “Delete…” asks, and deletes nothing', async ({ airlock }) => {
  const { page } = airlock;
  const settings = await openEditor(airlock);
  const list = settings.content.getByRole('list', { name: 'Profiles' }).getByRole('button');
  await settings.content.getByRole('button', { name: 'Add profile' }).click();
  await expect(list).toHaveCount(2);
  const pass = await holdTime(page);
  await settings.content.getByRole('button', { name: 'Delete…' }).dblclick();
  const yes = settings.content.getByRole('button', { name: 'Delete profile' });
  await expect(yes).toBeDisabled();
  await expect(list).toHaveCount(2);
  await pass(ARMING_MS);
  await yes.click();
  await expect(list).toHaveCount(1);
});

test('what is chosen and typed while the host removes a profile stays', async ({ airlock, target }) => {
  test.skip(target !== 'headless', 'Only this host can be held without its page.');
  const { page, hostPid } = airlock;
  const settings = await openEditor(airlock);
  const list = settings.content.getByRole('list', { name: 'Profiles' }).getByRole('button');
  for (const name of ['New profile', 'New profile 2']) {
    await settings.content.getByRole('button', { name: 'Add profile' }).click();
    await expect(settings.field('Name')).toHaveValue(name);
  }
  const saved = () => readFile(join(airlock.folders.data, 'settings.json'), 'utf8');
  await expect.poll(saved).toContain('new-profile-2');
  await settings.content.getByRole('button', { name: 'Delete…' }).click();
  process.kill(hostPid, 'SIGSTOP');
  try {
    await settings.content.getByRole('button', { name: 'Delete profile' }).click();
    await expect(list).toHaveCount(2);
    await list.nth(1).click();
    await settings.field('Name').fill('Typed');
  } finally {
    process.kill(hostPid, 'SIGCONT');
  }
  await expect.poll(saved).not.toContain('new-profile-2');
  await expect(list.nth(1)).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Enter');
  await expect(list).toHaveText([/^Shell/, /^Typed/]);
});

test.describe('a press that leaves a field', () => {
  test('finds what it is on where it was, and does it with the new text', async ({ airlock }) => {
    const { page } = airlock;
    const settings = await openEditor(airlock);
    const { content } = settings;
    const check = content.locator('.engine-check');
    await expect(check).toHaveAttribute('data-tone', 'on');
    // A consequence, a danger and what is wrong with it come in above.
    await settings.field('Scratch folder').fill('/nowhere');
    await press(page, content.getByRole('button', { name: 'Add variable' }));
    await expect(settings.field('New variable')).toBeVisible();
    await expect.poll(() => savedProfile(airlock)).toMatchObject({ scratch: '/nowhere' });
    await expect(check).toHaveAttribute('data-tone', 'off');
    await content.getByRole('button', { name: 'Reset Scratch folder to none' }).click();
    await content.getByRole('button', { name: 'Do not add a variable' }).click();
    await expect(check).toHaveAttribute('data-tone', 'on');

    await settings.field('Project folder').fill('/nowhere');
    await press(page, content.getByRole('radiogroup', { name: 'Network' }).getByText('On', { exact: true }));
    await expect.poll(() => savedProfile(airlock)).toMatchObject({ project: '/nowhere', network: 'host' });
    await expect(check).toHaveAttribute('data-tone', 'off');
    await content.getByRole('button', { name: 'Reset Project folder to none' }).click();
    await expect(check).toHaveAttribute('data-tone', 'on');

    await settings.field('Program').fill('/bin/sh -c "echo tried; cat"');
    await press(page, content.getByRole('button', { name: 'Try it' }));
    await airlock.workspace.activePane.expectLine('tried');
  });

  test('finds it although the id is another now', async ({ airlock }) => {
    const { page } = airlock;
    const settings = await openEditor(airlock);
    const list = settings.content.getByRole('list', { name: 'Profiles' }).getByRole('button');
    const id = settings.field('Id');
    await id.fill('renamed');
    await press(page, settings.content.getByRole('button', { name: 'Duplicate' }));
    await expect(list).toHaveText([/^Shell/, /^Shell copy/]);
    await expect.poll(() => savedProfile(airlock)).toMatchObject({ id: 'renamed' });
    await id.fill('copied');
    await id.press('Enter');
    await expect(list.nth(1)).toHaveAttribute('aria-pressed', 'true');
    await expect(id).toBeFocused();
    await settings.field('Name').fill('Other');
    await press(page, list.first());
    await expect(list).toHaveText([/^Shell/, /^Other/]);
    await expect(id).toHaveValue('renamed');
  });

  test('goes into the next field, which keeps the focus', async ({ airlock }) => {
    const { page } = airlock;
    const settings = await openEditor(airlock);
    const { content } = settings;
    const check = content.locator('.engine-check');
    await content.getByRole('radio', { name: /^smolvm/ }).press('Space');
    await expect(check).toContainText('The profile must name what it opens');
    const address = settings.field('Address');
    await address.fill('http://127.0.0.1:1');
    await press(page, settings.field('Machine'));
    await page.keyboard.type('dev');
    await expect(settings.field('Machine')).toHaveValue('dev');
    await expect(settings.field('Token')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(check).toContainText('nothing listens there');
    await address.fill('http://127.0.0.1:2');
    await press(page, settings.field('Token'));
    await page.keyboard.type('typed');
    await expect(settings.field('Token')).toHaveValue('typed');
    // A token is of an address.
    await address.fill('http://127.0.0.1:3');
    await address.press('Enter');
    await expect(settings.field('Token')).toHaveValue('');

    await content.getByRole('button', { name: 'Add Symbiont runtime' }).click();
    await expect(content).toContainText('no token is kept for this address');
    await address.fill('http://127.0.0.1:4');
    await press(page, settings.field('Token'));
    await page.keyboard.type('typed');
    await expect(settings.field('Token')).toHaveValue('typed');
    await address.fill('http://127.0.0.1:5');
    await address.press('Tab');
    await expect(settings.field('Token')).toBeFocused();
    await expect(settings.field('Token')).toHaveValue('');
  });
});

test('“Try it” opens the profile as it stands: not recorded, not saved, and gone when it is closed', async ({
  airlock,
}) => {
  const { page, workspace, folders } = airlock;
  const settings = await openEditor(airlock);
  const program = settings.field('Program');
  await program.fill('/bin/sh -c "echo tried; cat"');
  // The field is left by pressing the button: what stands in it counts.
  await settings.content.getByRole('button', { name: 'Try it' }).click();
  const pane = workspace.activePane;
  await pane.expectLine('tried');
  await expect(workspace.activeTab).toHaveAccessibleName(/Try: Shell/);
  await expect(pane.header).toContainText('not recorded');
  await pane.press('Control+d');
  await expect(pane.ending).toContainText('Exit code 0.');
  await expect(pane.ending.getByRole('button', { name: 'Transcript' })).toBeHidden();
  await pane.ending.getByRole('button', { name: 'Try again' }).click();
  await pane.expectState('running');
  await pane.press('Control+d');
  await pane.expectState('ended');
  await pane.ending.getByRole('button', { name: 'Back to the profile' }).click();
  await expect(settings.content.getByRole('heading', { name: 'Profiles' })).toBeVisible();
  await expect(workspace.tabs).toHaveCount(0);
  const kept = await readdir(join(folders.data, 'transcripts'));
  expect(kept.filter((name) => !name.startsWith('index.'))).toEqual([]);
  await page.getByRole('button', { name: 'New tab with profile' }).click();
  await expect(page.getByRole('menuitem', { name: /Try:/ })).toHaveCount(0);
});

test('an image is chosen by keyboard, or pulled: with progress, given up, refused, and done', async ({
  airlock,
  docker,
}) => {
  const { page } = airlock;
  const day = 24 * 3_600_000;
  docker.images.push(
    { name: 'debian:12', bytes: 117_000_000, createdAt: Date.now() - 3 * day },
    { name: 'busy\u202ebox:1', bytes: 4_000_000, createdAt: Date.now() - 40 * day },
  );
  const settings = await openEditor(airlock);
  await settings.content.getByRole('radio', { name: /^Container/ }).press('Space');
  await settings.field('Docker endpoint').fill(docker.endpoint);
  await settings.field('Docker endpoint').press('Enter');
  const check = settings.content.locator('.engine-check');
  await expect(check).toContainText('Image (container.image) must name an image');

  const choose = settings.content.getByRole('button', { name: 'Choose an image' });
  await choose.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Images of this endpoint' });
  await expect(picker.getByRole('option')).toHaveCount(2);
  await expect(picker.getByRole('option').first()).toHaveText(/debian:12.*111.6 MiB · 3 days ago/);
  await expect(picker.getByRole('option').last()).toContainText('U+202E');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.type('debian');
  await page.keyboard.press('Enter');
  await expect(picker).toBeHidden();
  await expect(settings.field('Image')).toHaveValue('debian:12');
  await expect(check).toContainText('ready');

  const pull = async (name: string) => {
    await choose.press('Enter');
    await expect(picker.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(name);
    await expect(picker.getByRole('option', { name: `Pull ${name}` })).toBeVisible();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
  };
  await pull('alpine:3.20');
  const progress = settings.content.getByRole('progressbar', { name: 'Pulling alpine:3.20' });
  await expect(progress).toBeVisible();
  await expect(settings.content).toContainText('1 MiB of 4 MiB');
  expect(await accessibilityFaults(page)).toEqual([]);
  // It goes on while something else is looked at.
  await settings.section('Keys');
  await settings.section('Profiles');
  await settings.content.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(progress).toBeHidden();
  await expect.poll(() => docker.abandoned).toBe(1);
  await expect(settings.field('Image')).toHaveValue('debian:12');

  await pull('gone:1');
  await expect.poll(() => docker.pulled).toEqual(['alpine:3.20', 'gone:1']);
  docker.failPull('gone:1', 'manifest unknown');
  await expect(settings.content.getByRole('alert')).toContainText('manifest unknown');
  await settings.content.getByRole('button', { name: 'Dismiss' }).click();

  await pull('alpine:3.20');
  await expect.poll(() => docker.pulled).toHaveLength(3);
  docker.finishPull('alpine:3.20');
  await expect(settings.field('Image')).toHaveValue('alpine:3.20');
  await expect(page.locator('[data-live-region]')).toContainText('alpine:3.20 is there.');
  await expect(check).toContainText('ready');
});

test('an engine that takes long is said to, and nothing moves under the pointer while it is asked', async ({
  airlock,
  docker,
}) => {
  docker.images.push({ name: 'debian:12', bytes: 117_000_000, createdAt: Date.now() });
  const settings = await openEditor(airlock);
  await settings.content.getByRole('radio', { name: /^Container/ }).press('Space');
  for (const [label, text] of [
    ['Docker endpoint', docker.endpoint],
    ['Image', 'debian:12'],
  ] as const) {
    await settings.field(label).fill(text);
    await settings.field(label).press('Enter');
  }
  const check = settings.content.locator('.engine-check');
  await expect(check).toContainText('ready');
  const height = (await check.boundingBox())?.height;

  docker.hold();
  await settings.content.getByRole('button', { name: 'Check the engine again' }).click();
  await expect(check.getByText('Asking the engine')).toBeVisible();
  await expect(check.getByText('ready')).toBeHidden();
  expect((await check.boundingBox())?.height).toBe(height);
  docker.letGo();
  await expect(check.getByText('ready')).toBeVisible();
  await expect(check.getByText('Asking the engine')).toBeHidden();
  expect((await check.boundingBox())?.height).toBe(height);
});

test('a running container is chosen by keyboard; a daemon that does not answer is said so', async ({
  airlock,
  docker,
}) => {
  const { page } = airlock;
  docker.containers.push(
    { name: 'web-1', image: 'nginx:1.27', status: 'Up 3 hours' },
    { name: 'db-1', image: 'postgres:17', status: 'Up 2 days (healthy)' },
    // Another session's own, which is not offered.
    { name: 'airlock-1', image: 'debian:12', status: 'Up 1 second', labels: { [LABELS.session]: 's' } },
  );
  const settings = await openEditor(airlock);
  await settings.content.getByRole('radio', { name: /^Running container/ }).press('Space');
  const endpoint = settings.field('Docker endpoint');
  await endpoint.fill('unix:///nowhere/docker.sock');
  await endpoint.press('Enter');
  const choose = settings.content.getByRole('button', { name: 'Choose a container' });
  await choose.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Running containers of this endpoint' });
  await expect(picker.getByRole('alert')).toContainText('Nothing answers at unix:///nowhere/docker.sock');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(picker).toBeHidden();

  await endpoint.fill(docker.endpoint);
  await endpoint.press('Enter');
  await expect(settings.content.locator('.engine-check')).not.toContainText('nowhere');
  await choose.press('Enter');
  await expect(picker.getByRole('option')).toHaveText([/db-1.*healthy/, /web-1.*nginx:1.27 · Up 3 hours/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(settings.field('Container')).toHaveValue('web-1');
  await expect(settings.content.locator('.engine-check')).toContainText('Container web-1');
  await page.getByRole('button', { name: 'New tab with profile' }).click();
  await expect(page.getByRole('menuitem', { name: 'Shell' })).toContainText('Inside container web-1');
});

test('a machine is chosen by keyboard, started, stopped after a question, made and deleted', async ({
  airlock,
  smolvm,
}) => {
  const { page } = airlock;
  smolvm.machines = [
    machine('build'),
    machine('dev', { state: 'stopped' }),
    machine('forked', { branchable: true }),
  ];
  const settings = await openEditor(airlock);
  await settings.content.getByRole('radio', { name: /^smolvm/ }).press('Space');
  await settings.field('Address').fill(smolvm.address);
  await settings.field('Address').press('Enter');

  const choose = settings.content.getByRole('button', { name: 'Choose a machine' });
  // Once the profile has the address.
  await expect(choose).toBeEnabled();
  await choose.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Machines of this server' });
  await expect(picker.getByRole('option')).toHaveCount(3);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.type('dev');
  await expect(picker.getByRole('option')).toHaveText(/dev.*stopped.*no network/);
  await page.keyboard.press('Enter');
  await expect(picker).toBeHidden();
  await expect(settings.field('Machine')).toHaveValue('dev');
  const check = settings.content.locator('.engine-check');
  await expect(check).toContainText('startMachine');

  const card = settings.content.getByRole('region', { name: 'Machine dev' });
  await card.getByRole('button', { name: 'Start' }).press('Enter');
  await expect(card).toHaveAttribute('data-machine-state', 'running');
  await expect(check).toContainText('the machine "dev" runs');
  await card.getByRole('button', { name: 'Stop…' }).press('Enter');
  await expect(card).toContainText('Stop “dev” and everything that runs in it?');
  await expect(card.getByRole('button', { name: 'Keep' })).toBeFocused();
  await card.getByRole('button', { name: 'Stop machine' }).click();
  await expect(card).toHaveAttribute('data-machine-state', 'stopped');
  // What the check has to say may move what stands below it.
  await expect(check).toContainText('startMachine');

  await settings.content.getByRole('button', { name: 'New machine…' }).click();
  const form = settings.content.getByRole('region', { name: 'New machine' });
  const create = form.getByRole('button', { name: 'Create machine' });
  await expect(create).toBeDisabled();
  await form.getByLabel('Name of the machine').fill('fresh');
  await form.getByLabel('Image of the machine').fill('docker.io/library/debian:12');
  await form.getByLabel('Image of the machine').press('Enter');
  await form.getByText('Network of the machine').click();
  await expect(form).toContainText('in this session and in every other one');
  expect(await accessibilityFaults(page)).toEqual([]);
  await create.click();
  await expect(settings.field('Machine')).toHaveValue('fresh');
  expect(smolvm.machines.find(({ name }) => name === 'fresh')).toMatchObject({ network: true });
  const fresh = settings.content.getByRole('region', { name: 'Machine fresh' });
  await fresh.getByRole('button', { name: 'Delete…' }).click();
  await fresh.getByRole('button', { name: 'Delete machine' }).click();
  await expect(fresh).toBeHidden();
  expect(smolvm.machines.map(({ name }) => name)).not.toContain('fresh');
});

test('another server’s machine is not shown as this one’s, and none that was to be made there is chosen', async ({
  airlock,
  smolvm,
}) => {
  smolvm.machines = [machine('dev')];
  const connections: Socket[] = [];
  const silent = createServer((connection) => connections.push(connection));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const settings = await openEditor(airlock);
  await settings.content.getByRole('radio', { name: /^smolvm/ }).press('Space');
  const address = settings.field('Address');
  await address.fill(smolvm.address);
  await address.press('Enter');
  await settings.field('Machine').fill('dev');
  await settings.field('Machine').press('Enter');
  const card = settings.content.getByRole('region', { name: 'Machine dev' });
  await card.getByRole('button', { name: 'Delete…' }).click();
  await expect(card).toContainText('Delete “dev” and its disks for good?');
  await settings.content.getByRole('button', { name: 'New machine…' }).click();
  const form = settings.content.getByRole('region', { name: 'New machine' });
  await expect(form).toBeVisible();
  await address.fill(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  await address.press('Enter');
  await expect(card).toBeHidden();
  await expect(form).toBeHidden();
  // It has not answered yet, nor been given up.
  await expect.poll(() => connections.some(({ readyState }) => readyState === 'open')).toBe(true);
  for (const connection of connections) connection.destroy();
  silent.close();
});

test('a token goes to the host and is not shown again; the machines appear when it is right', async ({
  airlock,
  smolvm,
}) => {
  const { page, folders } = airlock;
  smolvm.token = 'vm-1.s3cr3t';
  const settings = await openEditor(airlock);
  await settings.content.getByRole('radio', { name: /^smolvm/ }).press('Space');
  await settings.field('Address').fill(smolvm.address);
  await settings.field('Address').press('Enter');
  await settings.field('Machine').fill('dev');
  await settings.field('Machine').press('Enter');
  const check = settings.content.locator('.engine-check');
  await expect(check).toContainText('Save the token');
  await settings.field('Token').fill(smolvm.token);
  await settings.content.getByRole('button', { name: 'Save token' }).click();
  await expect(settings.content.getByText('A token is kept for this address.')).toBeVisible();
  await expect(check).not.toContainText('Save the token');
  expect(await page.content()).not.toContain(smolvm.token);
  expect(await readFile(join(folders.data, 'settings.json'), 'utf8')).not.toContain(smolvm.token);
});

test.describe('a session on a machine', () => {
  test.use({
    settings: async ({ smolvm }, use) => {
      await use({
        profiles: [
          {
            id: 'shell',
            name: 'Dev machine',
            engine: 'smolvm',
            command: ['/bin/sh'],
            smolvm: { address: smolvm.address, machine: 'dev' },
          },
        ],
      });
    },
  });

  test.describe('and one on another', () => {
    test.use({
      settings: async ({ smolvm }, use) => {
        const { address } = smolvm;
        const profiles = ['dev', 'build'].map((machine) => ({
          ...{ id: machine, name: `Machine ${machine}`, engine: 'smolvm' as const, command: ['/bin/sh'] },
          smolvm: { address, machine },
        }));
        await use({ profiles, defaultProfile: 'dev' });
      },
    });

    test('are both told of when their panes were closed and their ends are not known (ST-25)', async ({
      airlock,
      smolvm,
    }) => {
      const { page, workspace } = airlock;
      smolvm.machines = [machine('dev'), machine('build')];
      smolvm.program = (terminal) => terminal.send(output('$ '));
      for (const name of ['Machine dev', 'Machine build']) {
        const pane = await workspace.openTabWithProfile(name);
        await pane.expectPrompt();
      }
      for (let open = 2; open > 0; open -= 1) {
        await workspace.command('Close tab');
        await expect(workspace.activePane.strip('close')).toContainText(
          'Whether the program ends is not known',
        );
        await page.keyboard.press('Enter');
        await expect(workspace.tabs).toHaveCount(open - 1);
      }
      const alerts = page.getByRole('alert');
      await expect(alerts).toHaveCount(2);
      const told = (name: string) => alerts.filter({ hasText: `“Machine ${name}” was closed` });
      await expect(told('dev')).toContainText('say so in the profile');
      await told('build').getByRole('button', { name: 'Dismiss' }).click();
      await expect(told('build')).toBeHidden();
      await expect(told('dev')).toBeVisible();
    });
  });

  test('has no /out: publishing says so and what to do instead, and offers nothing that cannot help', async ({
    airlock,
    smolvm,
  }) => {
    const { page, workspace } = airlock;
    smolvm.program = (terminal) => terminal.send(output('$ '));
    const pane = await workspace.openFirstShell();
    await expect(pane.header).toContainText('smolvm');
    await page.keyboard.press('Alt+Shift+P');
    const dialog = page.getByRole('dialog', { name: 'Publish a file' });
    await expect(dialog.getByRole('status')).toContainText('A smolvm machine has no /out');
    await expect(dialog.getByRole('status')).toContainText('make it in a shell on Bubblewrap');
    await expect(dialog.getByRole('button')).toHaveText(['Close']);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
  });

  test('whose end nobody knows is said so, and blocks the machine until a person has looked (rule 10)', async ({
    airlock,
    smolvm,
  }) => {
    const { page, workspace } = airlock;
    smolvm.program = (terminal) => terminal.send(output('$ '));
    const pane = await workspace.openFirstShell();
    await expect(pane.header).toContainText('smolvm');
    (await smolvm.terminal()).reset();
    await expect(pane.ending).toContainText('not known');

    const settings = await openEditor(airlock);
    const unresolved = settings.content.getByRole('region', { name: 'Unresolved session of dev' });
    await expect(unresolved).toContainText('How a session on “dev” ended is not known.');
    const check = settings.content.locator('.engine-check');
    await expect(check).toContainText('blocked');
    const card = settings.content.getByRole('region', { name: 'Machine dev' });
    await expect(card.getByRole('button', { name: 'Stop…' })).toBeDisabled();
    expect(await accessibilityFaults(page)).toEqual([]);
    await settings.section('Engines');
    await expect(settings.content.locator('[data-engine=smolvm]')).toContainText('ended is not known');
    await settings.section('Profiles');
    await unresolved.getByRole('button', { name: 'I have looked: it is resolved' }).press('Enter');
    await expect(unresolved).toBeHidden();
    await expect(check).toContainText('the machine "dev" runs');
    await expect(card.getByRole('button', { name: 'Stop…' })).toBeEnabled();
  });
});
