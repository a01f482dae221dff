import { type Kysely, SqliteAdapter, sql } from "kysely";

const TABLES = ["shops", "shop_options"];

/** A number that every change of a shop or of a price list raises, whoever makes it, within its own transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const table = db.schema
    .createTable("catalogue")
    .addColumn("id", "integer", (c) => c.notNull().primaryKey().check(sql`id = 1`))
    .addColumn("version", "integer", (c) => c.notNull());
  await (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  await sql`insert into catalogue (id, version) values (1, 1)`.execute(db);
  await (isSqlite ? raiseOnSqlite(db) : raiseOnPostgres(db));
}

async function raiseOnSqlite(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES) {
    for (const change of ["insert", "update", "delete"]) {
      await sql`create trigger ${sql.id(`${table}_${change}_raises_catalogue`)} after ${sql.raw(change)} on ${sql.id(table)}
        begin update catalogue set version = version + 1; end`.execute(db);
    }
  }
}

async function raiseOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create function raise_catalogue() returns trigger language plpgsql as
    $$ begin update catalogue set version = version + 1; return null; end $$`.execute(db);
  for (const table of TABLES) {
    await sql`create trigger ${sql.id(`${table}_raises_catalogue`)} after insert or update or delete on ${sql.id(table)}
      for each statement execute function raise_catalogue()`.execute(db);
  }
}
