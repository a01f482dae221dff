import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

/** Second factors of staff: an authenticator app, passkeys and recovery codes; and logins that wait for one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  const schema = db.schema;

  await create(
    schema
      .createTable("totp_secrets")
      .addColumn("user_id", "text", (c) =>
        c.notNull().primaryKey().references("users.id").onDelete("cascade"),
      )
      .addColumn("secret", "text", (c) => c.notNull())
      .addColumn("last_step", "integer", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull()),
  );
  await create(
    schema
      .createTable("passkeys")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("public_key", "text", (c) => c.notNull())
      .addColumn("counter", "text", (c) => c.notNull())
      .addColumn("transports", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull())
      .addColumn("last_used_at", "text"),
  );
  await schema.createIndex("passkeys_user").on("passkeys").column("user_id").execute();
  await create(
    schema
      .createTable("recovery_codes")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("code_hash", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("recovery_codes_key", ["user_id", "code_hash"]),
  );
  await create(
    schema
      .createTable("pending_logins")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("expires_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("pending_logins_user").on("pending_logins").column("user_id").execute();
  await create(
    schema
      .createTable("passkey_challenges")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
      .addColumn("expires_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("passkey_challenges_user").on("passkey_challenges").column("user_id").execute();
  for (const table of ["pending_logins", "passkey_challenges"])
    await schema.createIndex(`${table}_expires`).on(table).column("expires_at").execute();
}
