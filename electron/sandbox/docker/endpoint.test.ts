import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../engine.ts';
import { sshArguments } from './connect.ts';
import { commandAt, type DockerEndpoint, resolveEndpoint, startPodman } from './endpoint.ts';

const resolve = (endpoint: string, certificates: string | null = null, environment = {}) =>
  resolveEndpoint({ endpoint, certificates }, 'container', environment);

const refusal = (endpoint: string): EngineError => {
  try {
    resolve(endpoint);
  } catch (error) {
    if (error instanceof EngineError) return error;
  }
  throw new Error('It was taken.');
};

describe('a command for a person', () => {
  it.each([
    ['unix:///var/run/docker.sock', 'Docker', 'docker -H unix:///var/run/docker.sock pull x'],
    ['unix:///run/user/1000/docker.sock', 'Docker', 'docker -H unix:///run/user/1000/docker.sock pull x'],
    ['unix:///run/my folder/it’s', 'Docker', "docker -H 'unix:///run/my folder/it’s' pull x"],
    ['unix:///run/podman/podman.sock', 'Podman', 'podman --url unix:///run/podman/podman.sock pull x'],
    ['ssh://me@far', 'Docker', 'ssh me@far docker pull x'],
    ['ssh://far:2222', 'Podman', 'ssh -p 2222 far podman pull x'],
  ] as const)('reaches the daemon of the profile: %s of %s', (address, product, command) => {
    expect(commandAt(resolve(address), product, 'pull x')).toBe(command);
  });

  it.each(['Docker', 'Podman'] as const)('shows the certificates to %s by TLS', (product) => {
    const tls = { ca: Buffer.of(), cert: Buffer.of(), key: Buffer.of() };
    const place = { address: 'tcp://far:2376', host: 'far', port: 2376, certificates: '/my certs', tls };
    expect(commandAt({ kind: 'tcp', ...place }, product, 'ps')).toBe(
      "docker --tlsverify --tlscacert '/my certs/ca.pem' --tlscert '/my certs/cert.pem' --tlskey '/my certs/key.pem' -H tcp://far:2376 ps",
    );
  });
});

describe('Podman’s service', () => {
  it.each([
    [{ XDG_RUNTIME_DIR: '/run/user/1000' }, 1000, 'systemctl --user start podman.socket'],
    [{ XDG_RUNTIME_DIR: '/run/user/0' }, 0, 'sudo systemctl start podman.socket'],
    [{}, 1000, 'sudo systemctl start podman.socket'],
  ])('is started where a socket of it is looked for: %j as %d', (environment, uid, command) => {
    expect(startPodman(environment, uid)).toBe(command);
  });
});

describe('an endpoint', () => {
  it('is a socket, a host by ssh, or a host by TLS', () => {
    expect(resolve('unix:///run/x.sock')).toEqual({
      kind: 'unix',
      address: 'unix:///run/x.sock',
      path: '/run/x.sock',
    });
    expect(resolve('ssh://me@host.example:2222')).toMatchObject({
      kind: 'ssh',
      destination: 'me@host.example',
      port: 2222,
    });
    expect(resolve('ssh://host')).toMatchObject({ destination: 'host', port: null });
    expect(resolve('ssh://[fe80::1]')).toMatchObject({ destination: 'fe80::1' });
  });

  it.each([
    ['http://127.0.0.1:2375', 'Docker endpoint (container.endpoint) must be'],
    ['tcp://127.0.0.1', 'Docker endpoint (container.endpoint) must be'],
    ['tcp://127.0.0.1:2376', 'Certificates (container.certificates) must name'],
    ['tcp://127.0.0.1:99999', 'Certificates (container.certificates) must name'],
    ['unix://relative', 'Docker endpoint (container.endpoint) must be'],
    [`unix:///${'x'.repeat(107)}`, 'at most 107 bytes'],
    ['ssh://-oProxyCommand=x', 'Docker endpoint (container.endpoint) must be'],
    ['ssh://-x@host', 'Docker endpoint (container.endpoint) must be'],
    ['ssh://a b@host', 'Docker endpoint (container.endpoint) must be'],
    ['ssh://host;id', 'Docker endpoint (container.endpoint) must be'],
    ['ssh://host/path', 'Docker endpoint (container.endpoint) must be'],
    ['ssh://host:0', 'port from 1 to 65535'],
  ])('is not %s', (endpoint, words) => {
    const error = refusal(endpoint);
    expect(error.tag).toBe('profile-invalid');
    expect(error.message).toContain(words);
  });

  it('by TLS reads the certificates of its folder, and names the one that is missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'airlock-endpoint-'));
    try {
      for (const name of ['ca.pem', 'cert.pem']) writeFileSync(join(folder, name), name);
      expect(() => resolve('tcp://host:2376', folder)).toThrow(
        /Certificates \(container\.certificates\): .*key\.pem cannot be read/,
      );
      writeFileSync(join(folder, 'key.pem'), 'key');
      expect(resolve('tcp://host:2376', folder)).toMatchObject({
        kind: 'tcp',
        host: 'host',
        port: 2376,
        certificates: folder,
      });
      const environment = { DOCKER_HOST: 'tcp://other:1', DOCKER_CERT_PATH: folder };
      expect(resolve('', null, environment)).toMatchObject({ host: 'other', certificates: folder });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
    ['a device', (path: string) => symlinkSync('/dev/zero', path), 'it is not a regular file'],
    ['more than any certificate', (path: string) => writeFileSync(path, 'x'.repeat(300_000)), 'at most'],
  ])('by TLS does not wait for what is no file: %s', (_, make, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'airlock-endpoint-'));
    try {
      make(join(folder, 'ca.pem'));
      expect(() => resolve('tcp://host:2376', folder)).toThrow(words);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('that is left out is DOCKER_HOST, whose mistakes are its own', () => {
    expect(resolve('', null, { DOCKER_HOST: 'unix:///mine' })).toMatchObject({ path: '/mine' });
    expect(() => resolve('', null, { DOCKER_HOST: 'nonsense' })).toThrow(/^DOCKER_HOST must be/);
  });

  it('that is left out is a socket that is there, of Podman too', async () => {
    const runtime = mkdtempSync(join(tmpdir(), 'airlock-runtime-'));
    const server = createServer().listen(join(runtime, 'docker.sock'));
    try {
      await new Promise((listening) => server.once('listening', listening));
      const found = resolve('', null, { XDG_RUNTIME_DIR: runtime });
      expect(found.kind).toBe('unix');
      expect(['/var/run/docker.sock', join(runtime, 'docker.sock')]).toContain(
        (found as { path: string }).path,
      );
    } finally {
      server.close();
      rmSync(runtime, { recursive: true });
    }
  });
});

it('ssh asks nothing, knows the host already, gives a silent one up, and takes no word of the address for an option', () => {
  const endpoint = resolve('ssh://me@host:22') as Extract<DockerEndpoint, { kind: 'ssh' }>;
  const args = sshArguments(endpoint);
  expect(args).toContain('BatchMode=yes');
  expect(args).toContain('StrictHostKeyChecking=yes');
  // Each half a minute at most (B27).
  expect(args).toEqual(expect.arrayContaining(['ServerAliveInterval=10', 'ServerAliveCountMax=2']));
  const [, destination, command, ...rest] = args.slice(args.indexOf('--'));
  expect(destination).toBe('me@host');
  expect(command).toMatch(/^sh -c '[^']*docker system dial-stdio;[^']*podman system dial-stdio;[^']*'$/);
  expect(rest).toEqual([]);
});
