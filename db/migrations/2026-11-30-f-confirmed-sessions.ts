import { type Kysely, sql } from "kysely";

/** Sessions remember when their person last proved who they are; the login itself did so until now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("sessions").addColumn("confirmed_at", "text").execute();
  await sql`update sessions set confirmed_at = created_at`.execute(db);
}
