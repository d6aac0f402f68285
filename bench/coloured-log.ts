const LEVELS = [
  '\x1b[32mINFO \x1b[0m',
  '\x1b[1;33mWARN \x1b[0m',
  '\x1b[31mERROR\x1b[0m',
  '\x1b[2mDEBUG\x1b[0m',
] as const;
const WORDS =
  'build cache resolved module graph worker started request finished retry token bundle linked naïve café 端末 → ✓'.split(
    ' ',
  );
/** Programs that use true colour use a theme, not a random colour per word. */
const TRUE_COLOURS = ['76;194;168', '240;178;73', '242;112;95', '122;162;247'] as const;

/** Numerical Recipes' linear congruential generator: the same log in every run. */
function generator(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/**
 * A build log as programs really colour it: 16-colour, 256-colour and true-colour attributes, resets, some text
 * outside ASCII, lines of 40 to 160 columns. At least `bytes` long, whole lines, LF ends.
 */
export function colouredLog(bytes: number): Buffer {
  const pick = generator(30);
  const lines: string[] = [];
  // The log repeats after 4096 lines: long enough that nothing caches it, quick to make.
  for (let line = 0; line < 4096; line += 1) {
    const level = LEVELS[pick(20) === 0 ? 2 : pick(LEVELS.length)] as string;
    const words = Array.from({ length: 4 + pick(14) }, () => {
      const word = WORDS[pick(WORDS.length)] as string;
      const style = pick(8);
      if (style === 0) return `\x1b[38;5;${33 + 6 * pick(8)}m${word}\x1b[39m`;
      if (style === 1) return `\x1b[38;2;${TRUE_COLOURS[pick(TRUE_COLOURS.length)]}m${word}\x1b[0m`;
      return word;
    });
    const time = `12:${10 + pick(50)}:${10 + pick(50)}.${100 + pick(900)}`;
    lines.push(`\x1b[90m${time}\x1b[0m ${level} \x1b[36mpkg/${pick(90)}\x1b[0m ${words.join(' ')}\n`);
  }
  const period = Buffer.from(lines.join(''));
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / period.length) }, () => period));
}

/** What a PTY makes of `bytes` on the way out: each LF becomes CR LF (ONLCR). */
export function asTerminalOutput(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}
