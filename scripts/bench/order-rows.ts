import Sqlite from "better-sqlite3";

export type Row = Record<string, string | number | null>;

/** What one order wrote. */
export interface OrderRows {
  order: Row;
  /** The rows of other tables that name it by `order_id`; not those that it only changed. */
  beside: Record<string, Row[]>;
  mails: Row[];
}

/** Files are there before their order, and are only given to it. */
const ONLY_CHANGED = "files";
const MAILS_OF_ORDER = 2;

/** Reads from a store's database what its newest order wrote. */
export function readNewestOrder(databasePath: string): OrderRows {
  const db = new Sqlite(databasePath, { readonly: true });
  const all = (sql: string, ...values: unknown[]) => db.prepare(sql).all(...values) as Row[];
  const [order] = all("select * from orders order by created_at desc limit 1");
  if (!order) throw new Error("There is no order");
  const tables = all(
    `select tables.name from pragma_table_list as tables, pragma_table_info(tables.name) as columns
     where columns.name = 'order_id' and tables.name <> ?`,
    ONLY_CHANGED,
  );
  const beside = tables
    .map(({ name }) => [name, all(`select * from ${name} where order_id = ?`, order.id)] as const)
    .filter(([_name, rows]) => rows.length > 0);
  const mails = all(
    "select * from outbox where kind like 'order-%' order by created_at desc limit ?",
    MAILS_OF_ORDER,
  );
  db.close();
  return { order, beside: Object.fromEntries(beside), mails };
}
