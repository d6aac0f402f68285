import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes/lib/addon-unicode-graphemes.mjs';
import { joinGraphemesWith } from '../../../../shared/terminal/bounded-graphemes.ts';

const JOINS = 1;
const WIDTH_SHIFT = 1;
const WIDTH_MASK = 3;

type Provider = Parameters<Parameters<typeof joinGraphemesWith>[1]['unicode']['register']>[0];

/** Columns that characters take, as Airlock's terminals count them: what joins the character before takes none. */
export class ColumnCounter {
  readonly #provider = graphemes();
  #preceding = 0;

  /** Something else than a character came between. */
  reset(): void {
    this.#preceding = 0;
  }

  /** Columns that the cursor goes on by. */
  count(codepoint: number): number {
    const properties = this.#provider.charProperties(codepoint, this.#preceding);
    const joined = (properties & JOINS) === 0 ? 0 : widthOf(this.#preceding);
    this.#preceding = properties;
    return Math.max(0, widthOf(properties) - joined);
  }
}

function widthOf(properties: number): number {
  return (properties >> WIDTH_SHIFT) & WIDTH_MASK;
}

function graphemes(): Provider {
  let registered: Provider | undefined;
  const unicode = {
    activeVersion: '',
    register(provider: Provider) {
      registered = provider;
    },
  };
  joinGraphemesWith(new UnicodeGraphemesAddon(), { unicode });
  if (registered === undefined) throw new Error('The graphemes add-on registered nothing.');
  return registered;
}
