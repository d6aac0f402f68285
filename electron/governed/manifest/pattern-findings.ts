import type { PatternSyntax, RustPattern } from './rust-pattern.ts';

/** M8: refused in every argument of the types marked *, and so in every command text (M10). */
export const METACHARACTERS = ';|&$`(){}[]<>!\n\r\0';

/** Of those, the ones that start, end, join or redirect commands in a shell. */
const OPERATORS = ';|&$`<>\n\r';

/** What one place of a pattern can match: an inclusive range of code points. */
type Range = readonly [first: number, last: number];

type Node =
  | { readonly kind: 'empty' }
  /** One character, any of the ranges. */
  | { readonly kind: 'one-of'; readonly ranges: readonly Range[] }
  | { readonly kind: 'all'; readonly nodes: readonly Node[] }
  | { readonly kind: 'any'; readonly nodes: readonly Node[] };

/**
 * The shell operators that a class of the pattern lets through: `.*`, `[^ ]`, `\S`. Operators that stand in the pattern as
 * themselves are the author's decision and not counted (B23).
 */
export function operatorsLetThrough(pattern: RustPattern): string[] {
  const found = new Set<string>();
  eachNode(treeOf(pattern.syntax), (node) => {
    if (node.kind !== 'one-of' || size(node.ranges) < 2) return;
    for (const operator of OPERATORS) if (contains(node.ranges, operator)) found.add(operator);
  });
  return [...found];
}

/** A character that every matching text has although M8 refuses it; null when there is none. */
export function metacharacterRequired(pattern: RustPattern): string | null {
  const required = (node: Node): string | null => {
    if (node.kind === 'all') return node.nodes.map(required).find((found) => found !== null) ?? null;
    if (node.kind === 'any') {
      const found = node.nodes.map(required);
      return found.every((one) => one !== null) ? (found[0] ?? null) : null;
    }
    if (node.kind === 'empty') return null;
    const refused = [...METACHARACTERS].filter((char) => contains(node.ranges, char));
    return refused.length === size(node.ranges) ? (refused[0] ?? null) : null;
  };
  return required(treeOf(pattern.syntax));
}

/** True when every matching text begins or ends with white space: no trimmed line can match such a pattern (1.2). */
export function needsOuterSpace(pattern: RustPattern): boolean {
  const tree = treeOf(pattern.syntax);
  return edgeIsSpace(tree, 'first') === 'yes' || edgeIsSpace(tree, 'last') === 'yes';
}

type Edge = 'yes' | 'no' | 'empty';

function edgeIsSpace(node: Node, side: 'first' | 'last'): Edge {
  if (node.kind === 'empty') return 'empty';
  if (node.kind === 'one-of') {
    return node.ranges.length > 0 && node.ranges.every(isSpaceRange) ? 'yes' : 'no';
  }
  const edges = node.nodes.map((child) => edgeIsSpace(child, side));
  if (node.kind === 'all') {
    const ordered = side === 'first' ? edges : edges.reverse();
    return ordered.find((edge) => edge !== 'empty') ?? 'empty';
  }
  return edges.length > 0 && edges.every((edge) => edge === 'yes') ? 'yes' : 'no';
}

/** Tab to CR, space, NEL, no-break space, and the spaces from U+1680 on: what `trim` removes. */
const SPACE_RANGES: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

function isSpaceRange([first, last]: Range): boolean {
  return SPACE_RANGES.some(([low, high]) => first >= low && last <= high);
}

function treeOf(syntax: PatternSyntax): Node {
  const kind = syntax.kind;
  switch (kind['@variant']) {
    case 'Literal':
      return { kind: 'all', nodes: literal(kind['@values'][0]['@values'][0]) };
    case 'Class':
      return { kind: 'one-of', ranges: classRanges(kind['@values'][0]['@values'][0]) };
    case 'Capture':
      return treeOf(kind['@values'][0].sub);
    case 'Concat':
      return { kind: 'all', nodes: kind['@values'][0].map(treeOf) };
    case 'Alternation':
      return { kind: 'any', nodes: kind['@values'][0].map(treeOf) };
    case 'Repetition': {
      const { min, sub } = kind['@values'][0];
      return min === 0 ? { kind: 'any', nodes: [{ kind: 'empty' }, treeOf(sub)] } : treeOf(sub);
    }
    default:
      return { kind: 'empty' }; // Empty, and the assertions, which match no character.
  }
}

function literal(bytes: ArrayLike<number> | Record<string, number>): Node[] {
  const text = Buffer.from(Object.values(bytes)).toString('utf8');
  return [...text].map((char) => {
    const code = char.codePointAt(0) ?? 0;
    return { kind: 'one-of', ranges: [[code, code]] };
  });
}

/** Of Unicode classes the ends are characters, of byte classes numbers. */
function classRanges(chars: {
  ranges: readonly { start: string | number; end: string | number }[];
}): Range[] {
  const code = (end: string | number) => (typeof end === 'number' ? end : (end.codePointAt(0) ?? 0));
  return chars.ranges.map(({ start, end }) => [code(start), code(end)]);
}

function contains(ranges: readonly Range[], char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return ranges.some(([first, last]) => code >= first && code <= last);
}

function size(ranges: readonly Range[]): number {
  return ranges.reduce((total, [first, last]) => total + last - first + 1, 0);
}

function eachNode(node: Node, visit: (node: Node) => void): void {
  visit(node);
  if (node.kind === 'all' || node.kind === 'any') for (const child of node.nodes) eachNode(child, visit);
}
