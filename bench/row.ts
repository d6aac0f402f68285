/** One line of the table. Everything is text by now; `met` is null where there is no target. */
export interface Row {
  readonly measure: string;
  readonly airlock: string;
  readonly plain: string;
  readonly reference: string;
  readonly target: string;
  readonly met: boolean | null;
  /** What peers gave on a quiet machine of this kind, not measured in this run. */
  readonly peers: string;
}

export function row(measure: string, cells: Partial<Omit<Row, 'measure'>>): Row {
  return { measure, airlock: '', plain: '', reference: '', target: '', met: null, peers: '', ...cells };
}
