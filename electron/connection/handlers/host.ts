import { ok } from '../../../shared/result.ts';
import { RECOVERY_NOTICES_MAX } from '../../../shared/terminal/limits.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

type HostHandlers = Pick<Handlers, 'host.describe' | 'host.recovery' | 'host.recovery-noted'>;

export function hostHandlers({
  description,
  recovery,
}: Pick<HostServices, 'description' | 'recovery'>): HostHandlers {
  const notices = async () => ok({ notices: (await recovery.list()).slice(0, RECOVERY_NOTICES_MAX) });
  return {
    'host.describe': () => ok(description),
    'host.recovery': notices,
    async 'host.recovery-noted'({ id }) {
      await recovery.note(id);
      return notices();
    },
  };
}
