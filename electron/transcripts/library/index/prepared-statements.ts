import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements of one connection by their text, each prepared once. */
export function preparedStatements(database: DatabaseSync): (text: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
}
