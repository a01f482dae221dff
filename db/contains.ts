import { type SqlBool, sql } from "kysely";

/** Whether a column holds `text` anywhere in it; its `%` and `_` mean themselves. */
export function contains(column: string, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
