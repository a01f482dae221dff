const names = new Map<string, string>();

/**
 * Has this SQL parsed and planned once for each connection to PostgreSQL. Not where it takes all columns, `*`: once a
 * later migration has added one, PostgreSQL refuses what it has planned before.
 */
export function nameStatement(sql: string): void {
  if (!sql.includes("*") && !names.has(sql)) names.set(sql, `query-${names.size + 1}`);
}

/** The name under which this SQL is kept by PostgreSQL; undefined where it is not. */
export function statementName(sql: string): string | undefined {
  return names.get(sql);
}
