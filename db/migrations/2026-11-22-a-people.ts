import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  const schema = db.schema;

  await create(
    schema
      .createTable("shop_staff")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("shop_id", "text", (c) => c.notNull().references("shops.id").onDelete("cascade"))
      .addColumn("created_at", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("shop_staff_key", ["user_id", "shop_id"]),
  );
  await schema.createIndex("shop_staff_shop").on("shop_staff").column("shop_id").execute();

  await create(
    schema
      .createTable("staff_invitations")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("email", "text", (c) => c.notNull().unique())
      .addColumn("role", "text", (c) => c.notNull().check(sql`role in ('owner', 'admin')`))
      .addColumn("token_hash", "text", (c) => c.notNull().unique())
      .addColumn("invited_by", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("created_at", "text", (c) => c.notNull())
      .addColumn("expires_at", "text", (c) => c.notNull()),
  );
  await create(
    schema
      .createTable("staff_invitation_shops")
      .addColumn("invitation_id", "text", (c) =>
        c.notNull().references("staff_invitations.id").onDelete("cascade"),
      )
      .addColumn("shop_id", "text", (c) => c.notNull().references("shops.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("staff_invitation_shops_key", ["invitation_id", "shop_id"]),
  );

  await create(
    schema
      .createTable("audit_log")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("created_at", "text", (c) => c.notNull())
      .addColumn("by_user_id", "text", (c) => c.notNull())
      .addColumn("by_name", "text", (c) => c.notNull())
      .addColumn("by_email", "text", (c) => c.notNull())
      .addColumn("action", "text", (c) => c.notNull())
      .addColumn("subject_id", "text", (c) => c.notNull())
      .addColumn("subject_name", "text", (c) => c.notNull())
      .addColumn("shop_id", "text")
      .addColumn("before", "text")
      .addColumn("after", "text")
      .addColumn("search_text", "text", (c) => c.notNull()),
  );
  await schema.createIndex("audit_log_time").on("audit_log").columns(["created_at", "id"]).execute();
  await schema.createIndex("audit_log_shop").on("audit_log").columns(["shop_id", "created_at"]).execute();
  await refuseChanges(db, isSqlite);

  await schema
    .alterTable("contact_messages")
    .addColumn("state", "text", (c) =>
      c.notNull().defaultTo("new").check(sql`state in ('new', 'read', 'answered')`),
    )
    .execute();
  await schema
    .alterTable("contact_messages")
    .addColumn("state_by", "text", (c) => c.references("users.id"))
    .execute();
  await schema.alterTable("contact_messages").addColumn("state_at", "text").execute();
  await schema
    .createIndex("contact_messages_time")
    .on("contact_messages")
    .columns(["created_at", "id"])
    .execute();
  await schema.createIndex("outbox_time").on("outbox").columns(["created_at", "id"]).execute();
}

/** What is in the audit log stays as it was written, whoever asks. */
async function refuseChanges(db: Kysely<unknown>, isSqlite: boolean): Promise<void> {
  if (isSqlite) {
    for (const change of ["update", "delete"]) {
      await sql`
        create trigger ${sql.id(`audit_log_no_${change}`)} before ${sql.raw(change)} on audit_log
        begin select raise(abort, 'the audit log only grows'); end`.execute(db);
    }
    return;
  }
  await sql`
    create function audit_log_refuse() returns trigger language plpgsql as
    $$ begin raise exception 'the audit log only grows'; end $$`.execute(db);
  await sql`
    create trigger audit_log_no_change before update or delete or truncate on audit_log
    for each statement execute function audit_log_refuse()`.execute(db);
}
