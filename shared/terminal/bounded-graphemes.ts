import { CELL_JOINS_MAX } from './limits.ts';

/** What xterm asks about the width of characters and about which of them share a cell. */
interface WidthProvider {
  readonly version: string;
  wcwidth(codepoint: number): 0 | 1 | 2;
  charProperties(codepoint: number, preceding: number): number;
}
/** Of xterm, headless or not. */
interface TerminalWithUnicode {
  readonly unicode: { register(provider: WidthProvider): void; activeVersion: string };
}
/** xterm's add-on for grapheme clusters: it hands its providers to whatever it is activated on. */
interface GraphemesAddon {
  activate(terminal: never): void;
}

const GRAPHEMES = '15-graphemes';
const BOUNDED = 'airlock-graphemes';
/** xterm's coding of a character's properties: whether it joins the one before, its width, its kind. */
const JOINS = 1;
const KIND_SHIFT = 3;
/** Not joined, one column wide, of no special kind: what xterm's provider says of a letter. */
const PLAIN_NARROW = 1 << 1;

/**
 * Grapheme clusters of xterm's add-on with a bound on what joins into one cell. Without it a program can put a million
 * combining marks into one cell, and drawing that hangs the page with every other session in it (B30). What is over the
 * bound stands in a cell of its own.
 */
export function joinGraphemesWith(addon: GraphemesAddon, { unicode }: TerminalWithUnicode): void {
  const graphemes = providersOf(addon).find(({ version }) => version === GRAPHEMES);
  if (graphemes === undefined) throw new Error('The graphemes add-on has no grapheme provider.');
  unicode.register(bounded(graphemes));
  unicode.activeVersion = BOUNDED;
}

function bounded(graphemes: WidthProvider): WidthProvider {
  let joins = 0;
  return {
    version: BOUNDED,
    wcwidth: (codepoint) => graphemes.wcwidth(codepoint),
    charProperties(codepoint, preceding) {
      // Printable ASCII after nothing special, which is most output: what xterm's provider would say, without asking it.
      if (codepoint >= 0x20 && codepoint < 0x7f && preceding >> KIND_SHIFT === 0) {
        joins = 0;
        return PLAIN_NARROW;
      }
      const properties = graphemes.charProperties(codepoint, preceding);
      if ((properties & JOINS) === 0) {
        joins = 0;
        return properties;
      }
      joins += 1;
      if (joins <= CELL_JOINS_MAX) return properties;
      joins = 0;
      return PLAIN_NARROW;
    },
  };
}

function providersOf(addon: GraphemesAddon): WidthProvider[] {
  const providers: WidthProvider[] = [];
  const unicode = {
    register: (provider: WidthProvider) => providers.push(provider),
    activeVersion: '',
  };
  addon.activate({ unicode } as never);
  return providers;
}
