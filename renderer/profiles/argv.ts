/**
 * A program and its arguments as one line, and back. Arguments with blanks or quotes are put in quotes, with \ before
 * a quote or a backslash inside. Nothing is expanded: this is a way of writing a list, not a shell.
 */
export function formatArgv(argv: readonly string[]): string {
  return argv.map(quoteArgument).join(' ');
}

/** Null when a quote is left open. */
export function parseArgv(line: string): string[] | null {
  const argv: string[] = [];
  let argument: string | null = null;
  let quote: string | null = null;
  for (let i = 0; i < line.length; i += 1) {
    const character = line.charAt(i);
    const next = line.charAt(i + 1);
    if (character === '\\' && quote !== "'" && (next === '"' || next === "'" || next === '\\')) {
      argument = (argument ?? '') + next;
      i += 1;
    } else if (quote !== null) {
      if (character === quote) quote = null;
      else argument += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      argument ??= '';
    } else if (/\s/.test(character)) {
      if (argument !== null) argv.push(argument);
      argument = null;
    } else {
      argument = (argument ?? '') + character;
    }
  }
  if (quote !== null) return null;
  if (argument !== null) argv.push(argument);
  return argv;
}

function quoteArgument(argument: string): string {
  if (argument !== '' && !/[\s"'\\]/.test(argument)) return argument;
  return `"${argument.replaceAll(/["\\]/g, '\\$&')}"`;
}
