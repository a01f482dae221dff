import { type Kysely, sql } from "kysely";

/** A known device has tries of its own at a code, which strangers cannot use up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("one_time_codes")
    .addColumn("device_tries_left", "integer", (c) =>
      c.notNull().defaultTo(5).check(sql`device_tries_left >= 0`),
    )
    .execute();
}
