import { ENGINE_ITEMS_MAX } from '../../../shared/protocol/engine-requests.ts';
import { taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok } from '../../../shared/result.ts';
import { askingEngine } from '../asking-engine.ts';
import { ImagePulls } from '../image-pulls.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

type ContainerHandlers = Pick<
  Handlers,
  'containers.images' | 'containers.running' | 'containers.pull' | 'containers.cancel-pull'
>;

/** What the daemons have that a profile can name. */
export function containerHandlers({ containers }: Pick<HostServices, 'containers'>): ContainerHandlers {
  if (containers === null) return NONE;
  const pulls = new ImagePulls(containers);
  return {
    async 'containers.images'(endpoint) {
      const listed = await askingEngine(containers.images(endpoint));
      if (!listed.ok) return listed;
      const images = listed.value.toSorted((a, b) => b.createdAt - a.createdAt);
      return ok({ images: images.slice(0, ENGINE_ITEMS_MAX), more: beyond(images) });
    },

    async 'containers.running'(endpoint) {
      const listed = await askingEngine(containers.running(endpoint));
      if (!listed.ok) return listed;
      const all = listed.value.toSorted((a, b) => a.name.localeCompare(b.name));
      return ok({ containers: all.slice(0, ENGINE_ITEMS_MAX), more: beyond(all) });
    },

    'containers.pull': ({ pullId, image, ...endpoint }, client) =>
      pulls.pull({ pullId, image, endpoint }, client),

    'containers.cancel-pull'({ pullId }, client) {
      pulls.cancel(pullId, client);
      return ok({});
    },
  };
}

const noEngine = () => fail(taggedError('engine-unavailable', 'This host has no container engine.'));
const NONE: ContainerHandlers = {
  'containers.images': noEngine,
  'containers.running': noEngine,
  'containers.pull': noEngine,
  'containers.cancel-pull': noEngine,
};

/** How many a list leaves out. */
function beyond(items: readonly unknown[]): number {
  return Math.max(0, items.length - ENGINE_ITEMS_MAX);
}
