import { CATALOGUE } from '../commands/catalogue.ts';
import type { KeyProblem } from '../commands/key-map.ts';

/** Problems that concern one command. */
export function problemsOf(id: string, problems: readonly KeyProblem[]): KeyProblem[] {
  return problems.filter((problem) =>
    problem.kind === 'conflict' ? problem.commands.includes(id) : problem.command === id,
  );
}

/** A problem of the whole key map, as a sentence. */
export function problemWords(problem: KeyProblem): string {
  switch (problem.kind) {
    case 'conflict': {
      const titles = problem.commands.map(quotedTitle).join(' and ');
      return `${titles} have the same key, ${problem.chord}. It runs ${quotedTitle(problem.winner)}.`;
    }
    case 'refused':
      return `${quotedTitle(problem.command)}: ${problem.reason}`;
    case 'unreadable':
      return `${quotedTitle(problem.command)}: “${problem.chord}” is not a key that Airlock can read.`;
    case 'unknown-command':
      return `There is no command “${problem.command}”. Its key is ignored.`;
  }
}

/** The same beside the command `id`. */
export function rowProblemWords(problem: KeyProblem, id: string): string {
  if (problem.kind !== 'conflict') return problemWords(problem);
  if (problem.winner !== id) return `This key runs ${quotedTitle(problem.winner)} instead.`;
  const others = problem.commands.filter((other) => other !== id);
  return `Also the key of ${others.map(quotedTitle).join(' and ')}.`;
}

function quotedTitle(id: string): string {
  return `“${CATALOGUE.find((command) => command.id === id)?.title ?? id}”`;
}
