import type { Attributes } from './internals.ts';

const MODE = 0x3000000;
const PALETTE_16 = 0x1000000;
const PALETTE_256 = 0x2000000;
const RGB = 0x3000000;
const STYLE = 0x1c000000;
const STYLE_SHIFT = 26;

/** Flags of `fg` and `bg`, with the code that sets each. */
const FG_FLAGS: readonly [flag: number, code: string][] = [
  [0x8000000, '1'],
  [0x20000000, '5'],
  [0x4000000, '7'],
  [0x40000000, '8'],
  [0x80000000, '9'],
];
const BG_FLAGS: readonly [flag: number, code: string][] = [
  [0x8000000, '2'],
  [0x4000000, '3'],
  [0x40000000, '53'],
];
const UNDERLINE = 0x10000000;
const HAS_EXTENDED = 0x10000000;
const PROTECTED = 0x20000000;
/** What can be seen of a cell without a character, besides its background: inverse, underlined, struck through, overlined. */
const SEEN_WHEN_EMPTY = { fg: 0x4000000 | UNDERLINE | 0x80000000, bg: 0x40000000 } as const;

export const PLAIN: Attributes = { fg: 0, bg: 0, extended: { _ext: 0, urlId: 0 } };

/** What brings a terminal from any attributes to these, the link aside. */
export function attributeSequence({ fg, bg, extended }: Attributes): string {
  let codes = '';
  for (const [flag, code] of FG_FLAGS) if ((fg & flag) !== 0) codes += `;${code}`;
  for (const [flag, code] of BG_FLAGS) if ((bg & flag) !== 0) codes += `;${code}`;
  codes += colour(fg, 30, 90, '38') + colour(bg, 40, 100, '48');
  if ((fg & UNDERLINE) !== 0) codes += `;4:${(extended._ext & STYLE) >> STYLE_SHIFT || 1}`;
  codes += underlineColour(extended._ext);
  const isProtected = (bg & PROTECTED) !== 0;
  return `\x1b[${codes === '' ? '' : `0${codes}`}m${isProtected ? '\x1b[1"q' : ''}`;
}

function colour(value: number, base: number, bright: number, long: string): string {
  const index = value & 0xff;
  switch (value & MODE) {
    case PALETTE_16:
      return `;${index < 8 ? base + index : bright + index - 8}`;
    case PALETTE_256:
      return `;${long};5;${index}`;
    case RGB:
      return `;${long};2;${(value >>> 16) & 0xff};${(value >>> 8) & 0xff};${index}`;
    default:
      return '';
  }
}

function underlineColour(value: number): string {
  if ((value & MODE) === 0) return '';
  if ((value & MODE) === RGB)
    return `;58:2::${(value >>> 16) & 0xff}:${(value >>> 8) & 0xff}:${value & 0xff}`;
  return `;58:5:${value & 0xff}`;
}

/** Equal for attributes that a terminal draws, keeps and hands on alike; xterm leaves remains of old colours in unused bits. */
export function attributeKey({ fg, bg, extended }: Attributes): string {
  const flags = `${colourBits(fg)}.${colourBits(bg & ~HAS_EXTENDED)}`;
  const underlined = (fg & UNDERLINE) !== 0 ? (extended._ext & STYLE) >> STYLE_SHIFT || 1 : 0;
  return `${flags}.${underlined}.${colourBits(extended._ext & (MODE | 0xffffff))}`;
}

function colourBits(value: number): number {
  const mode = value & MODE;
  const unused = mode === RGB ? 0 : mode === 0 ? 0xffffff : 0xffff00;
  return (value & ~unused) >>> 0;
}

/** What an empty cell shows of its attributes. */
export function emptyAttributes(cell: Attributes): Attributes {
  if (isSeenWhenEmpty(cell)) return cell;
  return { ...PLAIN, bg: cell.bg & (MODE | 0xffffff) };
}

/** Whether an empty cell shows more than a background: erasing cannot make it. */
export function isSeenWhenEmpty({ fg, bg }: Attributes): boolean {
  return (fg & SEEN_WHEN_EMPTY.fg) !== 0 || (bg & SEEN_WHEN_EMPTY.bg) !== 0;
}

/** Of a cell: xterm keeps the rarer ones apart. */
export function hasExtended(bg: number): boolean {
  return (bg & HAS_EXTENDED) !== 0;
}
