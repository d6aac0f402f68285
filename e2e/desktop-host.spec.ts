/** What only the desktop host promises. The other specs run on it as they are. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { thisHost } from '../electron/session/host-identity.ts';
import { readLedgers } from '../electron/session/testing/ledgers.ts';
import { type LaunchedElectron, launchElectron } from './electron/launch-electron.ts';
import { failingDoubleStart, type LaunchedDouble, launchDesktopDouble } from './electron-double/launch.ts';
import type { LaunchedDesktop } from './electron-double/launched-desktop.ts';
import { test as base, expect } from './fixtures.ts';
import { descendantsOf, isAlive, type ProcessIdentity } from './harness/processes.ts';
import { ManifestPicker } from './pages/manifest-picker.ts';
import type { SettingsPage } from './pages/settings-page.ts';
import { TranscriptsPage } from './pages/transcripts-page.ts';
import { Workspace } from './pages/workspace.ts';

const FORBIDDEN = 'https://forbidden.example/';

const test = base.extend<{ desktop: LaunchedDesktop }>({
  desktop: async ({ target, browsers, folders }, use) => {
    const options = { dataDir: folders.data };
    const desktop =
      target === 'electron'
        ? await launchElectron(options)
        : await launchDesktopDouble(options, await browsers.reachable());
    await expectConnected(desktop.page);
    await use(desktop);
    await desktop.close();
  },
});

/** The page of a window without sessions offers one as soon as its host has let it in. */
async function expectConnected(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Open a shell' })).toBeVisible();
}

async function openProfiles(page: Page): Promise<SettingsPage> {
  const settings = await new Workspace(page).openSettings();
  await settings.section('Profiles');
  return settings;
}

/** The shells in sandboxes. A bash outside is one that starts bwrap; a bwrap without one is the engine's probe. */
function shells(desktop: LaunchedDesktop): ProcessIdentity[] {
  const sandboxes = descendantsOf(desktop.pid).filter(({ name }) => name === 'bwrap');
  const inside = sandboxes.flatMap(({ pid }) => descendantsOf(pid).filter(({ name }) => name === 'bash'));
  return [...new Map(inside.map((shell) => [shell.pid, shell])).values()];
}

/** Opens a shell from the menu and resolves with its process in the sandbox. */
async function openShell(desktop: LaunchedDesktop): Promise<ProcessIdentity[]> {
  const before = shells(desktop).map(({ pid }) => pid);
  await desktop.clickMenu('File', 'New tab');
  const added = () => shells(desktop).filter(({ pid }) => !before.includes(pid));
  await expect.poll(() => added().length, { message: 'a shell is running' }).toBeGreaterThan(0);
  return added();
}

/** Records of hosts that ended without having released everything; a clean end removes its own. */
function leftInLedger(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'sessions'));
}

async function expectGone(processes: ProcessIdentity[]): Promise<void> {
  await expect.poll(() => processes.filter(isAlive)).toEqual([]);
}

/** What a hostile page would try, and the directive of the policy that refuses it. */
const DIRECTIVES = {
  'inline script': 'script-src-elem',
  'foreign script': 'script-src-elem',
  'inline handler': 'script-src-attr',
  frame: 'frame-src',
  request: 'connect-src',
  image: 'img-src',
  plugin: 'object-src',
  worker: 'worker-src',
};

/** Runs in the page; resolves with the violated directive, or with null when nothing was refused. */
function violationOf(page: Page, attempt: string): Promise<string | null> {
  return page.evaluate(
    (code) =>
      new Promise<string | null>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
          once: true,
        });
        const attempts: Record<string, () => void> = {
          'inline script': () => append('script', { textContent: 'globalThis.inlineRan = true' }),
          'foreign script': () => append('script', { src: 'https://forbidden.example/x.js' }),
          'inline handler': () => {
            const button = append('button', {});
            button.setAttribute('onclick', 'globalThis.inlineRan = true');
            button.click();
          },
          frame: () => append('iframe', { src: 'https://forbidden.example/' }),
          request: () => void fetch('https://forbidden.example/').catch(() => {}),
          image: () => append('img', { src: 'https://forbidden.example/x.png' }),
          plugin: () => append('object', { data: 'https://forbidden.example/x' }),
          worker: () => void new Worker(URL.createObjectURL(new Blob(['']))),
        };
        function append<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, properties: object) {
          const element = Object.assign(document.createElement(tag), properties);
          document.body.append(element);
          return element;
        }
        try {
          attempts[code]?.();
        } catch {
          // Refused by an exception as well.
        }
        setTimeout(() => resolve(null), 20_000);
      }),
    attempt,
  );
}

test('the page has what it needs and nothing else', async ({ desktop }) => {
  const { page } = desktop;
  await test.step('has nothing of Node or Electron, and no global of the preload', async () => {
    const found = await page.evaluate(() =>
      [
        'require',
        'module',
        'process',
        'Buffer',
        'global',
        'ipcRenderer',
        'electron',
        '__fromMain',
        'airlock',
      ].filter((name) => name in globalThis),
    );
    expect(found).toEqual([]);
  });

  await test.step('carries the security headers', async () => {
    const headers = await page.evaluate(async () => [...(await fetch(location.href)).headers]);
    const of = new Map(headers);
    expect(of.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(of.get('content-security-policy')).not.toContain('unsafe-eval');
    expect(of.get('x-content-type-options')).toBe('nosniff');
    expect(of.get('referrer-policy')).toBe('no-referrer');
  });

  await test.step('cannot run, load or ask for what its policy does not name', async () => {
    const refused: Record<string, string | null> = {};
    for (const attempt of Object.keys(DIRECTIVES)) refused[attempt] = await violationOf(page, attempt);
    expect(refused).toEqual(DIRECTIVES);
    expect(await page.evaluate(() => 'inlineRan' in globalThis)).toBe(false);
  });

  await test.step('gets no file but its own', async () => {
    const statuses = await page.evaluate(async () => {
      const paths = ['/index.html', '/', '/../electron/main.js', '/%2e%2e/electron/main.js', '/package.json'];
      return Promise.all(paths.map(async (path) => (await fetch(path)).status));
    });
    expect(statuses).toEqual([200, 404, 404, 404, 404]);
  });

  await test.step('is denied every permission but the clipboard', async () => {
    const states = await page.evaluate(async () => {
      const names = ['notifications', 'geolocation', 'camera', 'microphone', 'midi', 'clipboard-read'];
      const states = names.map(async (name) => {
        const { state } = await navigator.permissions.query({ name } as unknown as PermissionDescriptor);
        return [name, state];
      });
      return Object.fromEntries(await Promise.all(states)) as Record<string, string>;
    });
    expect(states).toEqual({
      notifications: 'denied',
      geolocation: 'denied',
      camera: 'denied',
      microphone: 'denied',
      midi: 'denied',
      'clipboard-read': 'granted',
    });
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied');
    const pasted = await page.evaluate(async () => {
      await navigator.clipboard.writeText('copied é');
      return navigator.clipboard.readText();
    });
    expect(pasted).toBe('copied é');
  });
});

test.describe('navigation', () => {
  const attempts = {
    'to another site': () => window.location.assign('https://forbidden.example/'),
    'to a file': () => window.location.assign('file:///etc/passwd'),
    'to a data address': () => window.location.assign('data:text/html,x'),
    'to another file of the app': () => window.location.assign('/assets/'),
    'by a link': () => {
      const link = Object.assign(document.createElement('a'), { href: 'https://forbidden.example/' });
      document.body.append(link);
      link.click();
    },
    'by a form': () => {
      const form = Object.assign(document.createElement('form'), { action: 'https://forbidden.example/' });
      document.body.append(form);
      form.submit();
    },
  };

  test('is refused, whichever way the page tries, and opens no window', async ({ desktop }) => {
    const { page, context } = desktop;
    const address = page.url();
    await page.evaluate(() => Object.assign(globalThis, { stillHere: true }));
    for (const [name, attempt] of Object.entries(attempts)) {
      await page.evaluate(attempt).catch(() => {});
      // Main answers this after it has answered the navigation.
      await page.evaluate(() => fetch(location.href).then((response) => response.text()));
      expect(page.url(), name).toBe(address);
      expect(await page.evaluate(() => 'stillHere' in globalThis), name).toBe(true);
    }

    const before = context.pages().length;
    expect(await page.evaluate((url) => window.open(url) === null, FORBIDDEN)).toBe(true);
    await page.evaluate((href) => {
      const link = Object.assign(document.createElement('a'), { href, target: '_blank' });
      document.body.append(link);
      link.click();
    }, FORBIDDEN);
    await page.evaluate(() => fetch(location.href).then((response) => response.text()));
    expect(context.pages()).toHaveLength(before);
  });
});

test.describe('the port', () => {
  test('is handed over once for a document, and only when the page asks', async ({ desktop }) => {
    const further = await desktop.page.evaluate(async () => {
      let ports = 0;
      window.addEventListener('message', (event) => {
        ports += event.ports.length;
      });
      for (let n = 0; n < 3; n += 1) window.postMessage('airlock:ready', location.origin);
      // A round through main, twice: what was asked before it has been answered.
      for (let n = 0; n < 2; n += 1) await (await fetch(location.href)).text();
      return ports;
    });
    expect(further).toBe(0);

    const ofFrame = await desktop.page.evaluate(async () => {
      let ports = 0;
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const count = (event: MessageEvent) => {
        ports += event.ports.length;
      };
      window.addEventListener('message', count);
      frame.contentWindow?.addEventListener('message', count);
      frame.contentWindow?.postMessage('airlock:ready', '*');
      for (let n = 0; n < 2; n += 1) await (await fetch(location.href)).text();
      return ports;
    });
    expect(ofFrame, 'a frame within the page has no preload to ask').toBe(0);
  });

  test('main gives it to no other frame', async ({ desktop, target }) => {
    test.skip(target === 'electron', 'Chromium lets no such frame exist; only the double can send as one');
    const double = desktop as LaunchedDouble;
    const own = { origin: 'app://airlock', url: 'app://airlock/index.html', isMainFrame: true };
    for (const frame of [
      { ...own, isMainFrame: false },
      { ...own, origin: 'https://forbidden.example', url: FORBIDDEN },
      { ...own, url: 'about:blank' },
    ]) {
      await double.forgeIpc('airlock:connect', frame);
    }
    expect(await double.calls('forged.reply')).toEqual([]);
    // The same message from the right frame is answered, so the ones above reached the check.
    await double.forgeIpc('airlock:connect', own);
    await expect.poll(() => double.calls('forged.reply')).toHaveLength(1);
  });
});

test.describe('windows', () => {
  test('ST-23: a page that is loaded again has lost its sessions and gets a new connection', async ({
    desktop,
  }) => {
    const first = await openShell(desktop);
    await desktop.page.reload();
    await expectGone(first);
    await expectConnected(desktop.page);
    await openShell(desktop);
  });

  test('ST-23: a page that crashes has lost its sessions, and the window loads it again', async ({
    desktop,
  }) => {
    const first = await openShell(desktop);
    await desktop.crashPage();
    await expectGone(first);
    await openShell(desktop);
  });

  test('a command for a window that is still being opened waits for it', async ({ desktop }) => {
    await desktop.clickMenu('File', 'New window');
    await openShell(desktop);
    await expectConnected(desktop.page);
  });

  test('a page that has lost its connection connects again by loading again', async ({ desktop, target }) => {
    test.skip(target === 'electron', 'only the double can ask for a port in the place of a page');
    const own = { origin: 'app://airlock', url: 'app://airlock/index.html', isMainFrame: true };
    await (desktop as LaunchedDouble).forgeIpc('airlock:connect', own);
    // Here a page is not told of the end of a port: it asks, now rather than later.
    await desktop.page.evaluate(() => window.dispatchEvent(new Event('online')));
    await desktop.page.getByRole('button', { name: 'Connect again' }).click();
    await expectConnected(desktop.page);
    await openShell(desktop);
  });

  test('have a connection each; closing one asks and ends its own sessions only', async ({ desktop }) => {
    const first = await openShell(desktop);
    await desktop.clickMenu('File', 'New window');
    await expect.poll(() => desktop.windows().length).toBe(2);
    await expectConnected(desktop.windows()[1] as Page);
    const second = await openShell(desktop);

    await desktop.closeWindow();
    await expect.poll(() => desktop.calls('dialog.messageBox')).toHaveLength(1);
    expect(second.every(isAlive)).toBe(true);

    await desktop.answerMessageBox('Close and End Sessions');
    await desktop.closeWindow();
    await expectGone(second);
    await expect.poll(() => desktop.windows().length).toBe(1);
    expect(first.every(isAlive)).toBe(true);
  });

  test('a window without sessions closes unasked, and the last one ends the application', async ({
    desktop,
  }) => {
    await desktop.closeWindow();
    expect(await desktop.exited).toBe(0);
  });

  test('closing the last one is agreed to once, and releases its sessions', async ({ desktop, folders }) => {
    const shell = await openShell(desktop);
    await desktop.answerMessageBox('Close and End Sessions');
    await desktop.closeWindow();
    expect(await desktop.exited).toBe(0);
    expect(shell.filter(isAlive)).toEqual([]);
    expect(leftInLedger(folders.data)).toEqual([]);
  });

  test('are created sandboxed, isolated and unthrottled, with their state kept, and no key reaches the menu', async ({
    desktop,
    target,
  }) => {
    test.skip(target === 'electron', 'what the options bring about is tested there instead');
    const [created] = await desktop.calls('window.created');
    expect(created?.args[0]).toMatchObject({
      name: 'window-1',
      windowStatePersistence: true,
      show: false,
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
        backgroundThrottling: false,
      },
    });
    expect(await desktop.calls('app.enableSandbox')).toHaveLength(1);
    expect((await desktop.calls('webContents.setIgnoreMenuShortcuts')).map(({ args }) => args)).toEqual([
      [true],
    ]);
  });
});

test('a window comes back where it was', async ({ desktop, target, folders }) => {
  test.skip(target !== 'electron', 'Electron itself keeps the state; the double has no window system');
  const place = { x: 60, y: 80, width: 900, height: 600 };
  await (desktop as LaunchedElectron).app.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
    place,
  );
  await desktop.closeWindow();
  await desktop.exited;
  const again = await launchElectron({ dataDir: folders.data });
  await expect
    .poll(() => again.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds()))
    .toEqual(place);
  await again.close();
});

test.describe('one instance', () => {
  test('a second start shows the window of the first', async ({ desktop, target }) => {
    if (target === 'double') await (desktop as LaunchedDouble).minimizeWindow();
    expect(await desktop.startAgain()).toBe(0);
    if (target === 'double') await expect.poll(() => desktop.calls('window.restore')).toHaveLength(1);
    expect(desktop.windows()).toHaveLength(1);
  });

  test('a second start with --new-window opens one in the first', async ({ desktop }) => {
    expect(await desktop.startAgain(['--new-window'])).toBe(0);
    await expect.poll(() => desktop.windows().length).toBe(2);
  });
});

test.describe('quitting', () => {
  test('asks while sessions run, and keeps them when it is cancelled', async ({ desktop }) => {
    const shell = await openShell(desktop);
    await desktop.quit();
    await expect.poll(() => desktop.calls('dialog.messageBox')).toHaveLength(1);
    const [asked] = await desktop.calls('dialog.messageBox');
    expect(asked?.args[0]).toMatchObject({
      message: 'Quit Airlock and end a running session?',
      buttons: ['Quit and End Sessions', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    });
    expect(shell.every(isAlive)).toBe(true);
    expect(desktop.page.isClosed()).toBe(false);
  });

  test('asks while governed sessions run', async ({ desktop, folders }) => {
    const picker = await new ManifestPicker(desktop.page).open();
    await picker.choose('report_writer', folders.project);
    await desktop.quit();
    await expect.poll(() => desktop.calls('dialog.messageBox')).toHaveLength(1);
  });

  test('ST-24: releases every session before the process ends', async ({ desktop, folders }) => {
    const opened = [...(await openShell(desktop)), ...(await openShell(desktop))];
    await desktop.answerMessageBox('Quit and End Sessions');
    await desktop.quit();
    expect(await desktop.exited).toBe(0);
    expect(opened.filter(isAlive)).toEqual([]);
    expect(leftInLedger(folders.data)).toEqual([]);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`ST-24: ${signal} asks nothing and releases every session`, async ({ desktop, folders }) => {
      const shell = await openShell(desktop);
      process.kill(desktop.pid, signal);
      expect(await desktop.exited).toBe(0);
      expect(shell.filter(isAlive)).toEqual([]);
      expect(leftInLedger(folders.data)).toEqual([]);
    });
  }

  test('a start that comes meanwhile is made when the process has ended, and opens no window in it', async ({
    desktop,
    target,
  }) => {
    test.skip(target === 'electron', 'nobody would end the Airlock that it starts');
    const quit = desktop.quit();
    await (desktop as LaunchedDouble).laterStart('/usr/bin/airlock', '--new-window');
    await quit;
    expect(await desktop.exited).toBe(0);
    const next = await desktop.calls('app.relaunch');
    expect(next.map(({ args }) => args[0])).toEqual([
      { execPath: '/usr/bin/airlock', args: ['--new-window'] },
    ]);
    expect(await desktop.calls('window.created')).toHaveLength(1);
  });

  test('a step of closing that fails does not keep the process', async ({ desktop, folders }) => {
    // What only the end of the audit log needs: its lock, which is removed as a file.
    const lock = join(folders.data, 'audit', 'lock.json');
    await expect.poll(() => existsSync(lock)).toBe(true);
    await rm(lock);
    await mkdir(lock);
    await desktop.quit();
    expect(await desktop.exited).toBe(0);
    expect(desktop.stderr()).toContain('lock.json');
  });

  test('ST-26: nothing survives a main process that is killed', async ({ desktop, folders }) => {
    const shell = await openShell(desktop);
    process.kill(desktop.pid, 'SIGKILL');
    await expectGone(shell);
    expect(leftInLedger(folders.data)).toHaveLength(1);
  });
});

test('ST-25: what an earlier run may have left is on the page until a person has read it', async ({
  target,
  browsers,
  folders,
}) => {
  test.skip(target === 'electron', 'what is shown is of the page, and the same there');
  await mkdir(join(folders.data, 'sessions'), { recursive: true });
  const deadHost = { ...thisHost(), startTime: '1' };
  const left = { event: 'intent', session: 'left', engine: 'container', profile: 'box', at: '' };
  await writeFile(
    join(folders.data, 'sessions', 'left.jsonl'),
    `${JSON.stringify(deadHost)}\n${JSON.stringify(left)}\n`,
  );
  const desktop = await launchDesktopDouble({ dataDir: folders.data }, await browsers.reachable());
  const alert = desktop.page.getByRole('alert').filter({ hasText: 'of an earlier run needs attention' });
  await expect(alert).toContainText('A container of it is removed when its daemon is used next.');
  await alert.getByRole('button', { name: 'Dismiss' }).click();
  await expect(alert).toBeHidden();
  await desktop.page.reload();
  await expectConnected(desktop.page);
  await expect.poll(() => readLedgers(join(folders.data, 'sessions')).at(-1)?.event).toBe('host-lost');
  await expect(alert).toBeHidden();
  await desktop.close();
});

test.describe('the desktop around it', () => {
  test('the menu runs commands of the page', async ({ desktop }) => {
    await desktop.clickMenu('View', 'Commands');
    await expect(desktop.page.getByRole('dialog')).toBeVisible();
  });

  test('a project folder is chosen in the system’s dialog', async ({ desktop }) => {
    await desktop.clickMenu('File', 'Open a project folder…');
    await expect.poll(() => desktop.calls('dialog.open')).toHaveLength(1);
    const { content } = await openProfiles(desktop.page);
    await content.getByRole('button', { name: 'Choose the scratch folder' }).click();
    await expect.poll(() => desktop.calls('dialog.open')).toHaveLength(2);
    const asked = await desktop.calls('dialog.open');
    expect(asked.map(({ args }) => args[0])).toMatchObject([
      { title: 'Project folder' },
      { title: 'Scratch folder' },
    ]);
  });

  test('a window keeps the background of its theme, and follows the system', async ({ desktop, target }) => {
    test.skip(target === 'electron', 'no system theme to change there');
    await (desktop as LaunchedDouble).setSystemDark(true);
    await (desktop as LaunchedDouble).setSystemDark(false);
    const colours = (await desktop.calls('window.setBackgroundColor')).map(({ args }) => args[0]);
    expect(colours.slice(-2)).toEqual(['#0e1013', '#f4f5f7']);
  });
});

test.describe('starts that fail', () => {
  test('without Chromium’s own sandbox Airlock does not start', async ({ target, browsers, folders }) => {
    test.skip(target === 'electron', 'the dialog that says so waits for a person');
    const options = { dataDir: folders.data, args: ['--no-sandbox'] };
    const { code, stderr } = await failingDoubleStart(options, await browsers.reachable());
    expect(code).toBe(1);
    expect(stderr).toContain('without its own sandbox');
  });

  test('a data folder that cannot be made is named', async ({ target, browsers }) => {
    test.skip(target === 'electron', 'the dialog that says so waits for a person');
    const options = { dataDir: '/dev/null/airlock' };
    const { code, stderr } = await failingDoubleStart(options, await browsers.reachable());
    expect(code).toBe(1);
    expect(stderr).toContain('/dev/null/airlock');
  });
});

test.describe('the view for decisions', () => {
  test.beforeEach(({ target }) => {
    test.skip(target === 'electron', 'what is asked of views is recorded by the double');
  });

  async function askToSave(desktop: LaunchedDesktop, project: string): Promise<Page> {
    await mkdir(join(project, 'data'));
    await writeFile(join(project, 'data/rates.csv'), '');
    const picker = await new ManifestPicker(desktop.page).open();
    const pane = await picker.choose('report_writer', project);
    await pane.call('look', 'count');
    await pane.command('save').click();
    await pane.button('Ask, then publish and end').click();
    return decisionPage(desktop);
  }

  async function crash(page: Page): Promise<void> {
    const devtools = await page.context().newCDPSession(page);
    void devtools.send('Page.crash').catch(() => {});
    await expect.poll(() => page.isClosed()).toBe(true);
  }

  async function decisionPage(desktop: LaunchedDesktop): Promise<Page> {
    const found = () =>
      desktop.context.pages().find((page) => page.url().startsWith('https://airlock.approval.'));
    await expect.poll(() => found() !== undefined).toBe(true);
    const page = found() as Page;
    await expect(page.getByText('save-report').first()).toBeVisible();
    return page;
  }

  test('goes with the page that has crashed', async ({ desktop, folders }) => {
    await askToSave(desktop, folders.project);
    const shown = async () => (await desktop.calls('view.setVisible')).at(-1)?.args[0];
    await expect.poll(shown).toBe(true);
    await desktop.crashPage();
    await expect.poll(shown).toBe(false);
  });

  test('gives way to every dialog of the page, and comes back', async ({ desktop, folders }) => {
    await askToSave(desktop, folders.project);
    const { page } = desktop;
    const shown = async () => (await desktop.calls('view.setVisible')).at(-1)?.args[0];
    await expect.poll(shown).toBe(true);
    const transcripts = await new TranscriptsPage(page).open();
    await transcripts.rows.first().click();
    for (const open of [
      () => new ManifestPicker(page).open(),
      () => transcripts.replay.getByRole('button', { name: 'Export…' }).click(),
    ]) {
      await open();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expect.poll(shown).toBe(false);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect.poll(shown).toBe(true);
    }
  });

  test('is opened again when its own page has crashed, with the request', async ({ desktop, folders }) => {
    const decision = await askToSave(desktop, folders.project);
    await crash(decision);
    await expect.poll(async () => (await desktop.calls('view.created')).length).toBe(2);
    await decisionPage(desktop);
  });

  test('is left to a person when it crashes again, who can bring it back', async ({ desktop, folders }) => {
    await askToSave(desktop, folders.project);
    const gone = desktop.page.getByRole('alert').filter({ hasText: 'has stopped working again' });
    for (const opened of [1, 2]) {
      await expect.poll(async () => (await desktop.calls('view.created')).length).toBe(opened);
      await expect(gone).toBeHidden();
      await crash(await decisionPage(desktop));
    }
    await expect(gone).toBeVisible();
    expect(await desktop.calls('view.created')).toHaveLength(2);
    await gone.getByRole('button', { name: 'Show it again' }).click();
    await expect(gone).toBeHidden();
    await decisionPage(desktop);
  });
});

test('a decision is told by the system while no window is in front, and nobody can decide there', async ({
  desktop,
  folders,
  target,
}) => {
  test.skip(target === 'electron', 'what the system shows of a notification cannot be asked of Electron');
  const { page } = desktop;
  await mkdir(join(folders.project, 'data'));
  await writeFile(join(folders.project, 'data/rates.csv'), '');
  const picker = await new ManifestPicker(page).open();
  const pane = await picker.choose('report_writer', folders.project);
  await pane.call('look', 'count');
  await pane.command('save').click();
  await (desktop as LaunchedDouble).minimizeWindow();
  await pane.button('Ask, then publish and end').click();
  await expect.poll(() => desktop.calls('notification.show')).toHaveLength(1);
  const [call] = await desktop.calls('notification.show');
  expect(call?.args).toEqual([
    { title: 'Airlock: a decision is open', body: 'report_writer.save: save-report' },
  ]);
  await expect(pane.held).toBeVisible();
});
