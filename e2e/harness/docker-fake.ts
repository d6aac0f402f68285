import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const ID = '3f2a9c'.padEnd(64, '0');

/**
 * A Docker Engine API on a Unix socket that has images and running containers in lists and starts nothing. A pull tells
 * one step and then waits until the test finishes it, or its client leaves.
 */
export class DockerFake {
  readonly images: { name: string; bytes: number; createdAt: number }[] = [];
  readonly containers: { name: string; image: string; status: string; labels?: Record<string, string> }[] =
    [];
  /** Names of images that were asked for, in order. */
  readonly pulled: string[] = [];
  /** Pulls whose client left. */
  abandoned = 0;
  readonly #server: Server;
  readonly #path: string;
  #held: (() => void)[] | null = null;
  readonly #pulls = new Map<string, ServerResponse>();

  private constructor(path: string) {
    this.#path = path;
    this.#server = createServer((request, response) => {
      if (this.#held === null) this.#answer(request, response);
      else this.#held.push(() => this.#answer(request, response));
    });
  }

  static async listen(path: string): Promise<DockerFake> {
    const fake = new DockerFake(path);
    fake.#server.listen(path);
    await once(fake.#server, 'listening');
    return fake;
  }

  get endpoint(): string {
    return `unix://${this.#path}`;
  }

  /** The daemon has got the image. */
  finishPull(name: string): void {
    this.images.push({ name, bytes: 4_300_000, createdAt: Date.now() });
    this.#pulls
      .get(name)
      ?.end(`${JSON.stringify({ status: `Status: Downloaded newer image for ${name}` })}\n`);
  }

  /** The daemon cannot get it, and says why. */
  failPull(name: string, error: string): void {
    this.#pulls.get(name)?.end(`${JSON.stringify({ error })}\n`);
  }

  /** Answers nothing any more, until it is let go. */
  hold(): void {
    this.#held ??= [];
  }

  letGo(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const answer of held) answer();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://fake');
    const path = url.pathname.replace(/^\/v\d+\.\d+/, '');
    if (path === '/images/create') {
      this.#pull(url.searchParams, response);
      return;
    }
    if (path === '/_ping') {
      response.writeHead(200, { 'Api-Version': '1.47', Server: 'Docker/27.1.0 (linux)' }).end('OK');
      return;
    }
    const answer = this.#look(path);
    response.writeHead(answer === null ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? { message: `no such thing: ${path}` }));
  }

  #look(path: string): unknown {
    const [, kind, name = ''] = /^\/(images|containers)\/(.+)\/json$/.exec(path) ?? [];
    const decoded = decodeURIComponent(name);
    if (kind === 'images') {
      const found = this.images.some((image) => image.name === decoded);
      return found ? { Id: `sha256:${ID}`, Os: 'linux', Config: null } : null;
    }
    if (kind === 'containers') {
      const found = this.containers.some((container) => container.name === decoded);
      return found
        ? { Id: ID, Name: `/${decoded}`, State: { Running: true }, Config: {}, HostConfig: {} }
        : null;
    }
    switch (path) {
      case '/version':
        return { Version: '27.1.0', ApiVersion: '1.47', MinAPIVersion: '1.24', Components: [] };
      case '/info':
        return { OSType: 'linux', MemoryLimit: true, PidsLimit: true, CpuCfsQuota: true, CgroupVersion: '2' };
      case '/images/json':
        return this.images.map(({ name, bytes, createdAt }) => ({
          Id: `sha256:${ID}`,
          RepoTags: [name],
          Created: Math.round(createdAt / 1_000),
          Size: bytes,
        }));
      case '/containers/json':
        return this.containers.map(({ name, image, status, labels }, index) => ({
          Id: `${index}`.padStart(64, 'a'),
          Names: [`/${name}`],
          Image: image,
          State: 'running',
          Status: status,
          Labels: labels ?? {},
        }));
      default:
        return null;
    }
  }

  #pull(query: URLSearchParams, response: ServerResponse): void {
    const [image, tag] = [query.get('fromImage') ?? '', query.get('tag')];
    const name = tag ? `${image}:${tag}` : image;
    this.pulled.push(name);
    this.#pulls.set(name, response);
    response.on('close', () => {
      if (!response.writableFinished) this.abandoned += 1;
    });
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const progressDetail = { current: 1_048_576, total: 4_194_304 };
    response.write(`${JSON.stringify({ status: 'Downloading', id: 'c1ec31eb5944', progressDetail })}\n`);
  }
}
