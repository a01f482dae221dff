import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Has PostgreSQL tell every server that the queue's log has grown. On SQLite there is one server, which knows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`
    create function tell_queue_log() returns trigger language plpgsql as $$
    begin
      perform pg_notify('queue_log', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger queue_head_grew after update on queue_head
    for each statement execute function tell_queue_log()`.execute(db);
}
