// The import rules of ARCHITECTURE.md ("Folders"): the folder name says where code may run.
const from = (path) => ({ path: `^${path}`, pathNot: '\\.test\\.tsx?$' });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'shared-is-pure',
      comment: 'shared/ is pure TypeScript: no node:, electron, DOM library or React.',
      severity: 'error',
      from: from('shared/'),
      to: { pathNot: ['^shared/', '^node_modules/zod/'] },
    },
    {
      name: 'renderer-is-unprivileged',
      comment: 'renderer/ never reaches Node, Electron or the privileged side.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: ['^electron/', '^node_modules/electron/', '^node_modules/ws/', '^e2e/'] },
    },
    {
      name: 'renderer-has-no-node',
      severity: 'error',
      from: from('renderer/'),
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'privileged-side-has-no-ui',
      severity: 'error',
      from: { path: '^electron/' },
      to: { path: ['^renderer/', '^node_modules/(react|@xterm/xterm)/'] },
    },
    {
      name: 'electron-only-in-desktop',
      comment: 'Only electron/desktop/, main.ts and the preloads import electron.',
      severity: 'error',
      from: { path: '^electron/', pathNot: '^electron/(desktop/|main\\.ts|(approval-)?preload\\.ts)' },
      to: { path: ['^node_modules/electron/', '^electron/desktop/'] },
    },
    {
      name: 'engines-know-no-session',
      comment: 'sandbox/ engines import neither session/ nor anything above it.',
      severity: 'error',
      from: from('electron/sandbox/'),
      to: { path: '^electron/(session|connection|server|desktop|settings)/' },
    },
    {
      name: 'engines-know-no-other-engine',
      severity: 'error',
      comment:
        'What several engines use is in sandbox/ itself, in pty/ (bubblewrap) or in docker/ (containers).',
      from: { path: '^electron/sandbox/([^/]+)/', pathNot: ['\\.test\\.ts$', '/testing/'] },
      to: {
        path: '^electron/sandbox/[^/]+/',
        pathNot: ['^electron/sandbox/$1/', '^electron/sandbox/pty/', '^electron/sandbox/docker/'],
      },
    },
    {
      name: 'session-knows-no-transport',
      severity: 'error',
      from: from('electron/session/'),
      to: { path: '^electron/(connection|server|desktop|settings)/' },
    },
    {
      name: 'governed-knows-no-transport',
      severity: 'error',
      comment: 'What decides about commands, approvals and files must not depend on how a client reaches it.',
      from: from('electron/(governed|approvals|publication|audit|transcripts/(cast|recording))/'),
      to: { path: '^electron/(connection|server|desktop)/' },
    },
    {
      name: 'product-imports-no-tests',
      severity: 'error',
      from: { path: '^(electron|renderer|shared)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: ['^(e2e|bench|scripts)/', '\\.test\\.tsx?$'] },
    },
    {
      name: 'state-holds-no-terminal',
      severity: 'error',
      from: { path: '^renderer/state/' },
      to: { path: '^node_modules/@xterm/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules/.cache)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
