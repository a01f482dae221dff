import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

/** The order queue of the staff console: its log, its search, its notes, and who deleted which file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  const schema = db.schema;
  // Words are compared byte by byte on both databases, so that a range of them is a prefix.
  const byteText = isSqlite ? sql`text` : sql`text collate "C"`;

  await create(
    schema
      .createTable("order_words")
      .addColumn("word", byteText, (c) => c.notNull())
      .addColumn("order_id", "text", (c) => c.notNull().references("orders.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("order_words_key", ["word", "order_id"]),
  );
  await schema.createIndex("order_words_order").on("order_words").columns(["order_id", "word"]).execute();

  await create(
    schema
      .createTable("order_notes")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("order_id", "text", (c) => c.notNull().references("orders.id").onDelete("cascade"))
      .addColumn("by_user_id", "text", (c) => c.notNull().references("users.id"))
      .addColumn("body", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("order_notes_order").on("order_notes").column("order_id").execute();

  await create(
    schema
      .createTable("queue_log")
      .addColumn("seq", "integer", (c) => c.notNull().primaryKey())
      .addColumn("order_id", "text", (c) => c.notNull())
      .addColumn("shop_id", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("queue_log_age").on("queue_log").column("created_at").execute();
  await create(
    schema
      .createTable("queue_head")
      .addColumn("id", "integer", (c) => c.notNull().primaryKey().check(sql`id = 1`))
      .addColumn("seq", "integer", (c) => c.notNull()),
  );
  await sql`insert into queue_head (id, seq) values (1, 0)`.execute(db);

  await schema.alterTable("order_events").addColumn("reason", "text").execute();
  await schema
    .alterTable("files")
    .addColumn("deleted_by", "text", (c) => c.references("users.id"))
    .execute();
  await schema.alterTable("files").addColumn("erase_failed_at", "text").execute();

  // Few orders are open at any time, so the indexes that the board lives on stay small however many are done.
  for (const [name, columns] of Object.entries(OPEN_INDEXES)) {
    await schema
      .createIndex(name)
      .on("orders")
      .columns(columns)
      .where(sql`state`, "not in", sql`('delivered', 'cancelled')`)
      .execute();
  }
  await schema.createIndex("orders_age").on("orders").columns(["created_at", "id"]).execute();
  await writeWords(db as Kysely<StandingOrders>);
}

const OPEN_INDEXES = {
  orders_open: ["created_at", "id", "state"],
  orders_open_shop: ["shop_id", "created_at", "id", "state"],
};

interface StandingOrders {
  orders: { id: string; number: string; user_id: string; user_email: string };
  users: { id: string; full_name: string; phone: string | null };
  order_words: { word: string; order_id: string };
}

/** Makes the orders that stand already findable. */
async function writeWords(db: Kysely<StandingOrders>): Promise<void> {
  const orders = await db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select(["orders.id", "number", "user_email", "full_name", "phone"])
    .execute();
  for (const order of orders) {
    const phone = order.phone ?? "";
    const local = order.user_email.split("@")[0] ?? "";
    const words = [order.number, order.number.slice(-4), phone, phone.slice(-4), order.user_email]
      .concat(order.full_name.split(/\s+/), local.split(/[^\p{L}\p{M}\p{N}]+/u))
      .map(fold)
      .filter((word) => word !== "");
    const values = [...new Set(words)].map((word) => ({ word, order_id: order.id }));
    await db.insertInto("order_words").values(values).execute();
  }
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}
