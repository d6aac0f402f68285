import { taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok } from '../../../shared/result.ts';
import { LINK_OPEN_MIN_INTERVAL_MS } from '../../../shared/terminal/limits.ts';
import { checkLink } from '../../../shared/terminal/link-policy.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';

/** The page has asked the person; the host, which does not trust the page, judges the link again (B14). */
export function linkHandlers({ platform }: Pick<HostServices, 'platform'>): Pick<Handlers, 'link.open'> {
  let lastOpened = Number.NEGATIVE_INFINITY;
  return {
    async 'link.open'({ url }) {
      const verdict = checkLink(url);
      if (!verdict.ok) return fail(taggedError('link-refused', verdict.reason));
      if (platform.openExternal === undefined) return ok({ openedBy: 'client', url: verdict.href });
      const now = performance.now();
      if (now - lastOpened < LINK_OPEN_MIN_INTERVAL_MS) {
        return fail(taggedError('link-refused', 'A link was opened a moment ago; one at a time.'));
      }
      lastOpened = now;
      await platform.openExternal(verdict.href);
      return ok({ openedBy: 'host', url: verdict.href });
    },
  };
}
