import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

/** Which mails about their orders students do without, and which mail of an order went to its student already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  const schema = db.schema;

  await create(
    schema
      .createTable("mail_refusals")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("kind", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("mail_refusals_key", ["user_id", "kind"]),
  );
  await create(
    schema
      .createTable("order_mails")
      .addColumn("order_id", "text", (c) => c.notNull().references("orders.id").onDelete("cascade"))
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("order_mails_key", ["order_id", "state"]),
  );
}
