import { type Kysely, SqliteAdapter, sql } from "kysely";

const TABLES = {
  daily_figures: {
    key: "shop_id, day",
    texts: ["shop_id", "day"],
    numbers: ["orders", "pages", "sheets", "revenue_paise", "cancelled"],
  },
  daily_option_figures: {
    key: "shop_id, day, kind, name",
    texts: ["shop_id", "day", "kind", "name"],
    numbers: ["orders", "pages", "sheets", "amount_paise"],
  },
};

/**
 * SQLite keeps the rows of the figures in the order of their keys, so that those of a shop lie side by side and adding to
 * one finds it at once. PostgreSQL has no such tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  for (const [table, { key, texts, numbers }] of Object.entries(TABLES)) {
    const columns = [
      ...texts.map((name) => `${name} text not null`),
      ...numbers.map((name) => `${name} integer not null`),
    ];
    const old = `${table}_before`;
    await db.schema.alterTable(table).renameTo(old).execute();
    await sql`create table ${sql.table(table)} (${sql.raw(columns.join(", "))}, primary key (${sql.raw(key)}))
      strict, without rowid`.execute(db);
    await sql`insert into ${sql.table(table)} select * from ${sql.table(old)} order by ${sql.raw(key)}`.execute(
      db,
    );
    await db.schema.dropTable(old).execute();
  }
}
