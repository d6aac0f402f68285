import {
  APPROVAL_KEY_META,
  type ApprovalPageAnswer,
  type AskHost,
} from '../../shared/governed/approval-page.ts';
import { TabSignIn } from '../connection/tab-sign-in.ts';
import type { PageConnection } from './connect.ts';

/** Its key does not approve; pages of other origins cannot read it. */
const TAB = new TabSignIn('airlock.approval');

const NO_KEY =
  'This page is not signed in. Open the address that the host printed, or ask it for a new one. A window for one ' +
  'approval cannot be loaded again: close it, and open it anew from the decision.';
const UNREACHABLE = { tag: 'unreachable', text: 'The host cannot be reached. Is it still running?' } as const;

export function connectHttp(): PageConnection {
  const windowKey = takeWindowKey();
  const keyOf = () => windowKey ?? TAB.key ?? '';
  const post = <T>(verb: string, body: unknown) => postWith<T>(keyOf(), verb, body);
  const ask: AskHost = (verb, params) => post(verb, params);
  return {
    isWindow: windowKey !== null,
    entered: windowKey === null ? enter() : Promise.resolve({ kind: 'in' }),
    ask,
    async ownWindow() {
      const answer = await post<{ address: string }>('window', {});
      return answer.ok ? answer.value.address : null;
    },
    leave() {
      if (windowKey !== null) window.close();
    },
    onWish(listener) {
      const look = () => {
        const id = window.location.hash.slice(1);
        if (id !== '') listener(id);
      };
      window.addEventListener('hashchange', look);
      look();
    },
  };
}

/**
 * The key that approves: in the document of a window of its own, and from then on in this page's memory alone. Null in a
 * frame, and in a tab that was opened any other way.
 */
function takeWindowKey(): string | null {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${APPROVAL_KEY_META}"]`);
  meta?.remove();
  if (window.top !== window) return null;
  if (window.location.search !== '')
    history.replaceState(null, '', window.location.pathname + window.location.hash);
  return meta?.content ?? null;
}

/**
 * A launch address makes the host know this tab's key, and is exchanged for the address in the main page where the tab goes
 * on; it has arrived there when this page is in a frame. Only a tab of its own takes a token: a page that embeds this one could
 * put any into the address of its frame.
 */
async function enter(): ReturnType<() => PageConnection['entered']> {
  const launch = window.top === window ? TAB.launch() : null;
  if (launch !== null) {
    const answer = await postWith<{ next: string }>('', 'sign-in', launch);
    if (answer.ok) {
      TAB.keep(launch.key);
      window.location.replace(answer.value.next);
      return null;
    }
    if (answer.error.tag !== 'unreachable') TAB.launched();
    return { kind: 'out', text: answer.error.text };
  }
  TAB.launched();
  return TAB.key === null ? { kind: 'out', text: NO_KEY } : { kind: 'in' };
}

type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | Extract<ApprovalPageAnswer<'list'>, { ok: false }>;

async function postWith<T>(key: string, verb: string, body: unknown): Promise<Answer<T>> {
  try {
    const response = await fetch(`/api/${verb}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${key}`,
      },
      body: JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    });
    return (await response.json()) as Answer<T>;
  } catch {
    return { ok: false, error: UNREACHABLE };
  }
}
