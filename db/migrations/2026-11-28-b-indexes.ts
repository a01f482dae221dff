import { type Kysely, type RawBuilder, sql } from "kysely";

/** What refers to a person: without these the database reads the whole table whenever an account is thrown away. */
const PEOPLE: [table: string, column: string][] = [
  ["order_events", "by_user_id"],
  ["order_payments", "by_user_id"],
  ["order_notes", "by_user_id"],
  ["orders", "paid_by"],
  ["files", "deleted_by"],
  ["reprints", "answered_by"],
  ["contact_messages", "state_by"],
];

/** Indexes for what had to be read from the first row to the last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of PEOPLE)
    await createIndex(db, `${table}_${column}`, {
      table,
      column,
      where: sql`${sql.ref(column)} is not null`,
    });
  await db.schema.createIndex("users_role").on("users").column("role").execute();
  await db.schema.createIndex("contact_messages_state").on("contact_messages").column("state").execute();
  await createIndex(db, "files_kept", {
    table: "files",
    column: "created_at",
    where: sql`erased_at is null`,
  });
  const table = "reprint_photos";
  await createIndex(db, "reprint_photos_kept", {
    table,
    column: "created_at",
    where: sql`deleted_at is null`,
  });
  await createIndex(db, "reprint_photos_unsent", {
    table,
    column: "created_at",
    where: sql`deleted_at is null and reprint_id is null`,
  });
  await createIndex(db, "reprint_photos_gone", {
    table,
    column: "deleted_at",
    where: sql`deleted_at is not null`,
  });
}

async function createIndex(
  db: Kysely<unknown>,
  name: string,
  { table, column, where }: { table: string; column: string; where: RawBuilder<unknown> },
): Promise<void> {
  await sql`create index ${sql.id(name)} on ${sql.id(table)} (${sql.ref(column)}) where ${where}`.execute(db);
}
