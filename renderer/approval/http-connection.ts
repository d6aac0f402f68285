import type { ApprovalPageAnswer, AskHost } from '../../shared/governed/approval-page.ts';
import type { PageConnection } from './connect.ts';

/** Where this origin keeps its key: the tab's storage, which pages of other origins cannot read. */
const KEY_ITEM = 'airlock.approval.key';

const NO_KEY = 'This tab is not signed in. Open the address that the host printed, or ask it for a new one.';
const UNREACHABLE = { tag: 'unreachable', text: 'The host cannot be reached. Is it still running?' } as const;

export function connectHttp(): PageConnection {
  return {
    entered: enter(),
    ask,
    async ownWindow() {
      const answer = await post<{ address: string }>('window', {});
      return answer.ok ? answer.value.address : null;
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
 * A launch address is exchanged for a key, which stays here, and for the address in the main page where the tab goes on.
 * Only a tab of its own takes a token: a page that embeds this one could put any into the address of its frame.
 */
async function enter(): ReturnType<() => PageConnection['entered']> {
  const parameters = new URLSearchParams(window.location.hash.slice(1));
  const launch = parameters.get('token');
  const alone = parameters.get('window');
  const token = launch ?? alone;
  if (token !== null && window.top === window) {
    history.replaceState(null, '', window.location.pathname);
    const answer = await post<{ key: string; next: string | null }>('sign-in', {
      token,
      alone: launch === null,
    });
    if (!answer.ok) return { kind: 'out', text: answer.error.text };
    sessionStorage.setItem(KEY_ITEM, answer.value.key);
    if (answer.value.next === null) return { kind: 'in' };
    window.location.replace(answer.value.next);
    return null;
  }
  return sessionStorage.getItem(KEY_ITEM) === null ? { kind: 'out', text: NO_KEY } : { kind: 'in' };
}

const ask: AskHost = (verb, params) => post(verb, params);

type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | Extract<ApprovalPageAnswer<'list'>, { ok: false }>;

async function post<T>(verb: string, body: unknown): Promise<Answer<T>> {
  try {
    const response = await fetch(`/api/${verb}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${sessionStorage.getItem(KEY_ITEM) ?? ''}`,
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
