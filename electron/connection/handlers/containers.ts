import { ok } from '../../../shared/result.ts';
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
  const pulls = new ImagePulls(containers);
  return {
    async 'containers.images'(endpoint) {
      const listed = await askingEngine(containers.images(endpoint));
      return listed.ok ? ok({ images: [...listed.value.items], more: listed.value.more }) : listed;
    },

    async 'containers.running'(endpoint) {
      const listed = await askingEngine(containers.running(endpoint));
      return listed.ok ? ok({ containers: [...listed.value.items], more: listed.value.more }) : listed;
    },

    'containers.pull': ({ pullId, image, ...endpoint }, client) =>
      pulls.pull({ pullId, image, endpoint }, client),

    'containers.cancel-pull'({ pullId }, client) {
      pulls.cancel(pullId, client);
      return ok({});
    },
  };
}
