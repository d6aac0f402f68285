import { ok } from '../../../../shared/result.ts';
import type { TokenKeeper } from '../machines.ts';

/** Tokens of this test, each for one profile at one address. */
export class MemoryTokens implements TokenKeeper {
  readonly #tokens = new Map<string, { readonly address: string; readonly token: string }>();

  read(profileId: string, address: string) {
    const kept = this.#tokens.get(profileId);
    return ok(kept?.address === address ? kept.token : null);
  }

  save(profileId: string, address: string, token: string) {
    this.#tokens.set(profileId, { address, token });
    return ok(null);
  }

  remove(profileId: string) {
    this.#tokens.delete(profileId);
    return ok(null);
  }
}
