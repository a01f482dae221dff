import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  const schema = db.schema;

  await create(
    schema
      .createTable("users")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("email", "text", (c) => c.notNull().unique())
      .addColumn("phone", "text", (c) => c.unique())
      .addColumn("full_name", "text", (c) => c.notNull())
      .addColumn("password_hash", "text", (c) => c.notNull())
      .addColumn("role", "text", (c) => c.notNull().check(sql`role in ('customer', 'owner', 'admin')`))
      .addColumn("verified_at", "text")
      .addColumn("terms_accepted_at", "text")
      .addColumn("created_at", "text", (c) => c.notNull()),
  );

  await create(
    schema
      .createTable("sessions")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("expires_at", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("sessions_user").on("sessions").column("user_id").execute();
  await schema.createIndex("sessions_expiry").on("sessions").column("expires_at").execute();

  await create(
    schema
      .createTable("one_time_codes")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("purpose", "text", (c) => c.notNull().check(sql`purpose in ('verify', 'login')`))
      .addColumn("code_hash", "text", (c) => c.notNull())
      .addColumn("tries_left", "integer", (c) => c.notNull().check(sql`tries_left >= 0`))
      .addColumn("expires_at", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("one_time_codes_key", ["user_id", "purpose"]),
  );

  await create(
    schema
      .createTable("password_resets")
      .addColumn("token_hash", "text", (c) => c.notNull().primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("expires_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("password_resets_user").on("password_resets").column("user_id").execute();

  await create(
    schema
      .createTable("shops")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("location", "text", (c) => c.notNull())
      .addColumn("college", "text", (c) => c.notNull())
      .addColumn("image", "text", (c) => c.notNull())
      .addColumn("rating_tenths", "integer", (c) => c.notNull().check(sql`rating_tenths between 0 and 50`))
      .addColumn("per_page_paise", "integer", (c) => c.notNull().check(sql`per_page_paise >= 0`))
      .addColumn("email", "text", (c) => c.notNull())
      .addColumn("contact_number", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("shops_name").on("shops").column("name").execute();

  await create(
    schema
      .createTable("shop_options")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("shop_id", "text", (c) => c.notNull().references("shops.id").onDelete("cascade"))
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("price_paise", "integer", (c) => c.notNull().check(sql`price_paise >= 0`))
      .addColumn("basis", "text", (c) => c.notNull().check(sql`basis in ('page', 'sheet', 'copy', 'order')`))
      .addColumn("sides", "integer", (c) => c.notNull().check(sql`sides in (1, 2)`))
      .addColumn("position", "integer", (c) => c.notNull())
      .addColumn("active", "integer", (c) => c.notNull().check(sql`active in (0, 1)`))
      .addUniqueConstraint("shop_options_name", ["shop_id", "kind", "name"]),
  );

  await create(
    schema
      .createTable("orders")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("number", "text", (c) => c.notNull().unique())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
      .addColumn("shop_id", "text", (c) => c.notNull().references("shops.id"))
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("shop_name", "text", (c) => c.notNull())
      .addColumn("shop_location", "text", (c) => c.notNull())
      .addColumn("shop_email", "text", (c) => c.notNull())
      .addColumn("shop_contact_number", "text", (c) => c.notNull())
      .addColumn("pages", "integer", (c) => c.notNull().check(sql`pages > 0`))
      .addColumn("copies", "integer", (c) => c.notNull().check(sql`copies > 0`))
      .addColumn("sheets", "integer", (c) => c.notNull())
      .addColumn("message", "text", (c) => c.notNull())
      .addColumn("user_email", "text", (c) => c.notNull())
      .addColumn("address", "text")
      .addColumn("sub_total_paise", "integer", (c) => c.notNull())
      .addColumn("tax_paise", "integer", (c) => c.notNull())
      .addColumn("delivery_fee_paise", "integer", (c) => c.notNull())
      .addColumn("total_paise", "integer", (c) => c.notNull())
      .addColumn("idempotency_key", "text")
      .addColumn("request_hash", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull())
      .addUniqueConstraint("orders_idempotency", ["user_id", "idempotency_key"]),
  );
  await schema.createIndex("orders_shop").on("orders").columns(["shop_id", "created_at"]).execute();

  await create(
    schema
      .createTable("files")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("owner_id", "text", (c) => c.notNull().references("users.id"))
      .addColumn("storage_key", "text", (c) => c.notNull().unique())
      .addColumn("original_filename", "text", (c) => c.notNull())
      .addColumn("format", "text", (c) => c.notNull())
      .addColumn("bytes", "integer", (c) => c.notNull())
      .addColumn("pages", "integer", (c) => c.notNull().check(sql`pages > 0`))
      .addColumn("sha256", "text", (c) => c.notNull())
      .addColumn("order_id", "text", (c) => c.references("orders.id"))
      .addColumn("created_at", "text", (c) => c.notNull())
      .addColumn("deleted_at", "text")
      .addColumn("erased_at", "text"),
  );
  await schema.createIndex("files_owner").on("files").column("owner_id").execute();
  await schema.createIndex("files_order").on("files").column("order_id").execute();
  await schema
    .createIndex("files_unordered")
    .on("files")
    .column("created_at")
    .where(sql.ref("order_id"), "is", null)
    .where(sql.ref("deleted_at"), "is", null)
    .execute();
  await schema
    .createIndex("files_to_erase")
    .on("files")
    .column("deleted_at")
    .where(sql.ref("deleted_at"), "is not", null)
    .where(sql.ref("erased_at"), "is", null)
    .execute();

  await create(
    schema
      .createTable("order_lines")
      .addColumn("order_id", "text", (c) => c.notNull().references("orders.id").onDelete("cascade"))
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("option_id", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("unit_paise", "integer", (c) => c.notNull())
      .addColumn("basis", "text", (c) => c.notNull())
      .addColumn("quantity", "integer", (c) => c.notNull())
      .addColumn("amount_paise", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("order_lines_key", ["order_id", "kind"]),
  );

  await create(
    schema
      .createTable("order_files")
      .addColumn("order_id", "text", (c) => c.notNull().references("orders.id").onDelete("cascade"))
      .addColumn("position", "integer", (c) => c.notNull())
      .addColumn("file_id", "text", (c) => c.notNull().references("files.id"))
      .addPrimaryKeyConstraint("order_files_key", ["order_id", "position"]),
  );

  await create(
    schema
      .createTable("order_events")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("order_id", "text", (c) => c.notNull().references("orders.id").onDelete("cascade"))
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("by_user_id", "text", (c) => c.references("users.id"))
      .addColumn("created_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("order_events_order").on("order_events").column("order_id").execute();

  await create(
    schema
      .createTable("outbox")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("recipient", "text", (c) => c.notNull())
      .addColumn("reply_to", "text")
      .addColumn("subject", "text", (c) => c.notNull())
      .addColumn("text_body", "text", (c) => c.notNull())
      .addColumn("html_body", "text", (c) => c.notNull())
      .addColumn("secret", "integer", (c) => c.notNull().check(sql`secret in (0, 1)`))
      .addColumn("attempts", "integer", (c) => c.notNull())
      .addColumn("due_at", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull())
      .addColumn("sent_at", "text")
      .addColumn("failed_at", "text")
      .addColumn("last_error", "text"),
  );
  await schema
    .createIndex("outbox_due")
    .on("outbox")
    .column("due_at")
    .where(sql.ref("sent_at"), "is", null)
    .execute();

  await create(
    schema
      .createTable("contact_messages")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("full_name", "text", (c) => c.notNull())
      .addColumn("email", "text", (c) => c.notNull())
      .addColumn("subject", "text", (c) => c.notNull())
      .addColumn("message", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull()),
  );

  await create(
    schema
      .createTable("store_facts")
      .addColumn("name", "text", (c) => c.notNull().primaryKey())
      .addColumn("value", "text", (c) => c.notNull()),
  );
}
