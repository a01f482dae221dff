import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

/**
 * The figures of each day, so that nobody adds up a hundred thousand orders to see them: by shop, and by shop and
 * option. As a shop `*` stands for all of them together. Days are Indian ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();

  await create(
    db.schema
      .createTable("daily_figures")
      .addColumn("shop_id", "text", (c) => c.notNull())
      .addColumn("day", "text", (c) => c.notNull())
      .addColumn("orders", "integer", (c) => c.notNull())
      .addColumn("pages", "integer", (c) => c.notNull())
      .addColumn("sheets", "integer", (c) => c.notNull())
      .addColumn("revenue_paise", "integer", (c) => c.notNull())
      .addColumn("cancelled", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("daily_figures_key", ["shop_id", "day"]),
  );
  await create(
    db.schema
      .createTable("daily_option_figures")
      .addColumn("shop_id", "text", (c) => c.notNull())
      .addColumn("day", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("orders", "integer", (c) => c.notNull())
      .addColumn("pages", "integer", (c) => c.notNull())
      .addColumn("sheets", "integer", (c) => c.notNull())
      .addColumn("amount_paise", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("daily_option_figures_key", ["shop_id", "day", "kind", "name"]),
  );
  await countStandingOrders(db, isSqlite);
}

async function countStandingOrders(db: Kysely<unknown>, isSqlite: boolean): Promise<void> {
  const day = isSqlite
    ? sql`date(created_at, '+330 minutes')`
    : sql`to_char(created_at::timestamptz at time zone 'Asia/Kolkata', 'YYYY-MM-DD')`;
  const isCounted = sql`state <> 'cancelled'`;
  const sum = (column: string) => sql`sum(case when ${isCounted} then ${sql.raw(column)} else 0 end)`;
  for (const shop of [sql`shop_id`, sql`'*'`]) {
    await sql`
      insert into daily_figures (shop_id, day, orders, pages, sheets, revenue_paise, cancelled)
      select ${shop}, ${day}, ${sum("1")}, ${sum("pages * copies")}, ${sum("sheets")}, ${sum("total_paise")},
        sum(case when ${isCounted} then 0 else 1 end)
      from orders group by 1, 2`.execute(db);
    await sql`
      insert into daily_option_figures (shop_id, day, kind, name, orders, pages, sheets, amount_paise)
      select ${shop}, ${day}, kind, name, count(*), sum(pages * copies), sum(sheets), sum(amount_paise)
      from orders join order_lines on order_id = orders.id where ${isCounted}
      group by 1, 2, 3, 4`.execute(db);
  }
}
