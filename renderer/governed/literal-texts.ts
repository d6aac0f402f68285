const META = /[.[\](){}*+?^$]/;

/**
 * The texts that a pattern stands for when it is nothing but plain texts with `|` between them: `save-report`,
 * `rates|count`. Empty for every other pattern. For filling in what can only be one thing; the host alone decides what
 * matches.
 */
export function literalTexts(pattern: string): string[] {
  const texts = [''];
  for (let at = 0; at < pattern.length; at += 1) {
    let character = pattern.charAt(at);
    if (META.test(character)) return [];
    if (character === '|') {
      texts.push('');
      continue;
    }
    if (character === '\\') {
      at += 1;
      character = pattern.charAt(at);
      // Letters and digits behind a backslash are classes, anchors or code points.
      if (!/^[!-/:-@[-`{-~]$/.test(character)) return [];
    }
    texts[texts.length - 1] += character;
  }
  return texts.includes('') ? [] : texts;
}
