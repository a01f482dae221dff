import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

/** What students do with their accounts: saved addresses, named sessions, a confirmed change of phone, deletion. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  const schema = db.schema;

  await schema.alterTable("users").addColumn("deleted_at", "text").execute();

  await create(
    schema
      .createTable("addresses")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("fullname", "text", (c) => c.notNull())
      .addColumn("flatno", "text", (c) => c.notNull())
      .addColumn("road_no", "text", (c) => c.notNull())
      .addColumn("country", "text", (c) => c.notNull())
      .addColumn("is_default", "integer", (c) => c.notNull().check(sql`is_default in (0, 1)`))
      .addColumn("created_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("addresses_user").on("addresses").columns(["user_id", "created_at"]).execute();
  await schema
    .createIndex("addresses_default")
    .unique()
    .on("addresses")
    .column("user_id")
    .where(sql.ref("is_default"), "=", sql`1`)
    .execute();

  for (const column of ["public_id", "device", "last_seen_at"]) {
    await schema
      .alterTable("sessions")
      .addColumn(column, "text", (c) => c.notNull().defaultTo(""))
      .execute();
  }
  await nameSessions(db as Kysely<StandingSessions>);
  await schema.createIndex("sessions_public_id").unique().on("sessions").column("public_id").execute();

  // SQLite cannot change a check, so the table is made anew; its key needs a name of its own while both are there.
  await create(
    schema
      .createTable("new_codes")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("purpose", "text", (c) => c.notNull().check(sql`purpose in ('verify', 'login', 'phone')`))
      .addColumn("code_hash", "text", (c) => c.notNull())
      .addColumn("tries_left", "integer", (c) => c.notNull().check(sql`tries_left >= 0`))
      .addColumn("expires_at", "text", (c) => c.notNull())
      .addColumn("new_phone", "text")
      .addPrimaryKeyConstraint("one_time_codes_owner", ["user_id", "purpose"]),
  );
  await sql`
    insert into new_codes (user_id, purpose, code_hash, tries_left, expires_at)
    select user_id, purpose, code_hash, tries_left, expires_at from one_time_codes`.execute(db);
  await schema.dropTable("one_time_codes").execute();
  await schema.alterTable("new_codes").renameTo("one_time_codes").execute();
}

interface StandingSessions {
  sessions: { id: string; public_id: string; last_seen_at: string; created_at: string };
}

async function nameSessions(db: Kysely<StandingSessions>): Promise<void> {
  const sessions = await db.selectFrom("sessions").select(["id", "created_at"]).execute();
  for (const { id, created_at } of sessions) {
    await db
      .updateTable("sessions")
      .set({ public_id: crypto.randomUUID(), last_seen_at: created_at })
      .where("id", "=", id)
      .execute();
  }
}
