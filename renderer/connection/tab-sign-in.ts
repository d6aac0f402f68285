import { SIGN_IN } from '../../shared/terminal/limits.ts';

/** What a launch address brings: its one-time token, and the key that the host will know once it has taken the token. */
export interface Launch {
  readonly token: string;
  readonly key: string;
}

/**
 * What signs a tab in, in the tab's own storage, which no other port or tab can read. The tab draws its key itself and keeps
 * it before the host hears of it, so that it stays signed in whenever it is loaded again, also before the host has answered.
 */
export class TabSignIn {
  readonly #keyItem: string;
  readonly #launchItem: string;

  /** `name` begins the names of the items. */
  constructor(name: string) {
    this.#keyItem = `${name}.key`;
    this.#launchItem = `${name}.launch`;
  }

  /** The key that the host knows; null before there is one. */
  get key(): string | null {
    return sessionStorage.getItem(this.#keyItem);
  }

  /** What this tab was launched with and is not done with. A token is taken out of the page's address at once. */
  launch(): Launch | null {
    const token = tokenOf(window.location.hash);
    if (token !== null) {
      history.replaceState(null, '', window.location.pathname + window.location.search);
      sessionStorage.setItem(this.#launchItem, JSON.stringify({ token, key: freshKey() } satisfies Launch));
    }
    const kept = sessionStorage.getItem(this.#launchItem);
    return kept === null ? null : JSON.parse(kept);
  }

  /** The host knows this key. */
  keep(key: string): void {
    sessionStorage.setItem(this.#keyItem, key);
  }

  /** A key that is no longer good would only be refused again. */
  forget(): void {
    sessionStorage.removeItem(this.#keyItem);
  }

  /** The launch is over: the tab is in, or its token was none. */
  launched(): void {
    sessionStorage.removeItem(this.#launchItem);
  }
}

/** The token in an address such as `http://127.0.0.1:4242/#token=…`, or null. */
export function tokenOf(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token');
}

function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SIGN_IN.secretBytes));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
