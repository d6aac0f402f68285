import { isAbsolute } from 'node:path';
import { PUBLICATIONS_LISTED_MAX } from '../../../shared/governed/limits.ts';
import type { Publication } from '../../../shared/governed/receipt.ts';
import { type TaggedError, taggedError } from '../../../shared/protocol/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { checkAudit, checkPublication } from '../../audit/check-audit.ts';
import { systemClock } from '../../governed/controller/clock.ts';
import type { GovernedHost } from '../../governed/governed-host.ts';
import { ShellPublication } from '../../governed/shell-publication.ts';
import { listOutFiles } from '../../publication/out-files.ts';
import type { Session } from '../../session/session.ts';
import type { Handlers } from '../router.ts';
import type { HostServices } from '../services.ts';
import { withGoverned } from './governed.ts';

type PublicationHandlers = Pick<
  Handlers,
  | 'publications.list'
  | 'publication.begin'
  | 'publication.retry'
  | 'publication.verify'
  | 'publication.reveal'
  | 'audit.verify'
  | 'outfiles.list'
>;

const NO_OUT = taggedError('no-out-folder', 'This session has no /out folder to publish from.');
const OUT_GONE = taggedError('no-out-folder', 'This session has ended, and its /out folder with it.');
const UNKNOWN = taggedError('publication-unknown', 'There is no such publication.');
const RELATIVE = taggedError('invalid-parameters', 'Not accepted: destination must be an absolute path.');

/** What leaves sandboxes, its receipts, and their checks. */
export function publicationHandlers({
  approvals,
  governed,
  recordings,
  platform,
  description,
}: Pick<
  HostServices,
  'approvals' | 'governed' | 'recordings' | 'platform' | 'description'
>): PublicationHandlers {
  const publishing = (host: GovernedHost) =>
    new ShellPublication(host.publications, approvals, systemClock, (id) => recordings.placeOf(id));
  return {
    'publications.list': () =>
      withGoverned(governed, (host) =>
        ok({ publications: host.publications.list().slice(0, PUBLICATIONS_LISTED_MAX) }),
      ),

    'publication.begin': ({ sessionId, path, destination }, sessions) =>
      withGoverned(governed, async (host) => {
        const session = sessions.find(sessionId);
        if (!session.ok) return session;
        if (!isAbsolute(destination)) return fail(RELATIVE);
        return whilePrompted(session.value, (signal) =>
          publishing(host).begin(session.value, path, destination, signal),
        );
      }),

    'publication.retry': ({ id, destination }) =>
      withGoverned(governed, async (host) => {
        if (!isAbsolute(destination)) return fail(RELATIVE);
        return publishing(host).retry(id, destination, new AbortController().signal);
      }),

    'publication.verify': ({ id }) =>
      withGoverned(governed, async (host) => {
        const found = host.publications.list().find((one) => idOf(one) === id);
        return found === undefined ? fail(UNKNOWN) : ok(await checkPublication(description.dataDir, found));
      }),

    'publication.reveal': ({ id }) =>
      withGoverned(governed, (host) => {
        if (platform.revealFile === undefined)
          return fail(taggedError('not-available-here', 'This host has no file manager to show it in.'));
        const found = host.publications.list().find((one) => idOf(one) === id);
        if (found === undefined) return fail(UNKNOWN);
        platform.revealFile(found.state === 'published' ? found.receipt.destination : found.kept);
        return ok({});
      }),

    'audit.verify': async () => ok(await checkAudit(description.dataDir)),

    async 'outfiles.list'({ sessionId }, sessions) {
      const session = sessions.find(sessionId);
      if (!session.ok) return session;
      if (session.value.outFolder === null) return fail(NO_OUT);
      return listOutFiles(session.value.outFolder).then(ok, () => fail(OUT_GONE));
    },
  };
}

function idOf(publication: Publication): string {
  return publication.state === 'published' ? publication.receipt.id : publication.id;
}

/** ST-18: while a decision is open the shell's traffic is held; its end takes the question away. */
async function whilePrompted<T>(
  session: Session,
  ask: (signal: AbortSignal) => Promise<Result<T, TaggedError>>,
): Promise<Result<T, TaggedError>> {
  const abort = new AbortController();
  const diversion = session.divert('prompt', () => abort.abort());
  if (!diversion.ok) return diversion;
  try {
    return await ask(abort.signal);
  } finally {
    diversion.value.dispose();
  }
}
