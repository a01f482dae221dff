import { sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import { type Db, isOnPostgres } from "./open.ts";

/** Every migration, oldest first. A migration that has been released is never changed. */
export const MIGRATIONS: Record<string, Migration> = {
  "2026-11-21-store": whenNeeded(() => import("./migrations/2026-11-21-store.ts")),
  "2026-11-22-a-people": whenNeeded(() => import("./migrations/2026-11-22-a-people.ts")),
  "2026-11-22-b-shops": whenNeeded(() => import("./migrations/2026-11-22-b-shops.ts")),
  "2026-11-22-c-queue": whenNeeded(() => import("./migrations/2026-11-22-c-queue.ts")),
  "2026-11-22-e-mail-lists": whenNeeded(() => import("./migrations/2026-11-22-e-mail-lists.ts")),
  "2026-11-23-b-figures": whenNeeded(() => import("./migrations/2026-11-23-b-figures.ts")),
  "2026-11-23-c-accounts": whenNeeded(() => import("./migrations/2026-11-23-c-accounts.ts")),
  "2026-11-23-d-order-mails": whenNeeded(() => import("./migrations/2026-11-23-d-order-mails.ts")),
  "2026-11-23-e-pay-pickup": whenNeeded(() => import("./migrations/2026-11-23-e-pay-pickup.ts")),
  "2026-11-23-f-pages": whenNeeded(() => import("./migrations/2026-11-23-f-pages.ts")),
  "2026-11-23-f2-colour-checks": whenNeeded(() => import("./migrations/2026-11-23-f2-colour-checks.ts")),
  "2026-11-24-a-personal-data": whenNeeded(() => import("./migrations/2026-11-24-a-personal-data.ts")),
  "2026-11-25-b-ratings": whenNeeded(() => import("./migrations/2026-11-25-b-ratings.ts")),
  "2026-11-25-c-reprints": whenNeeded(() => import("./migrations/2026-11-25-c-reprints.ts")),
  "2026-11-26-a-limits": whenNeeded(() => import("./migrations/2026-11-26-a-limits.ts")),
  "2026-11-27-a-live": whenNeeded(() => import("./migrations/2026-11-27-a-live.ts")),
  "2026-11-27-f-shop-photos": whenNeeded(() => import("./migrations/2026-11-27-f-shop-photos.ts")),
  "2026-11-28-a-catalogue": whenNeeded(() => import("./migrations/2026-11-28-a-catalogue.ts")),
  "2026-11-28-b-indexes": whenNeeded(() => import("./migrations/2026-11-28-b-indexes.ts")),
  "2026-11-28-k-file-work": whenNeeded(() => import("./migrations/2026-11-28-k-file-work.ts")),
  "2026-11-28-l-audit-actions": whenNeeded(() => import("./migrations/2026-11-28-l-audit-actions.ts")),
  "2026-11-29-a-mail-contents": whenNeeded(() => import("./migrations/2026-11-29-a-mail-contents.ts")),
  "2026-11-29-b-search": whenNeeded(() => import("./migrations/2026-11-29-b-search.ts")),
  "2026-11-29-c-figures": whenNeeded(() => import("./migrations/2026-11-29-c-figures.ts")),
  "2026-11-29-d-board": whenNeeded(() => import("./migrations/2026-11-29-d-board.ts")),
  "2026-11-29-e-delivered": whenNeeded(() => import("./migrations/2026-11-29-e-delivered.ts")),
  "2026-11-29-f-farewells": whenNeeded(() => import("./migrations/2026-11-29-f-farewells.ts")),
  "2026-11-29-g-shop-boards": whenNeeded(() => import("./migrations/2026-11-29-g-shop-boards.ts")),
  "2026-11-30-c-file-names": whenNeeded(() => import("./migrations/2026-11-30-c-file-names.ts")),
  "2026-11-30-c2-upload-room": whenNeeded(() => import("./migrations/2026-11-30-c2-upload-room.ts")),
  "2026-11-30-e-device-tries": whenNeeded(() => import("./migrations/2026-11-30-e-device-tries.ts")),
  "2026-11-30-h-leases": whenNeeded(() => import("./migrations/2026-11-30-h-leases.ts")),
  "2026-11-30-f-confirmed-sessions": whenNeeded(
    () => import("./migrations/2026-11-30-f-confirmed-sessions.ts"),
  ),
  "2026-11-30-f-second-factors": whenNeeded(() => import("./migrations/2026-11-30-f-second-factors.ts")),
  "2026-11-30-g-counter": whenNeeded(() => import("./migrations/2026-11-30-g-counter.ts")),
  "2026-11-30-h-print-grace": whenNeeded(() => import("./migrations/2026-11-30-h-print-grace.ts")),
  "2026-11-30-g2-shop-pictures": whenNeeded(() => import("./migrations/2026-11-30-g2-shop-pictures.ts")),
  "2026-11-30-g3-shop-names": whenNeeded(() => import("./migrations/2026-11-30-g3-shop-names.ts")),
  "2026-11-30-g4-payment-addresses": whenNeeded(
    () => import("./migrations/2026-11-30-g4-payment-addresses.ts"),
  ),
  "2026-11-30-n-all-unordered": whenNeeded(() => import("./migrations/2026-11-30-n-all-unordered.ts")),
  "2026-11-30-s-audit-emails": whenNeeded(() => import("./migrations/2026-11-30-s-audit-emails.ts")),
};

/**
 * Brings the schema up to date, all pending migrations in one transaction, and answers their names. Throws what the
 * failing one threw, and then none of them has left a trace.
 */
export async function migrate(db: Db, migrations = MIGRATIONS): Promise<string[]> {
  const applied = await namesOfApplied(db);
  refuseNewer(applied, migrations);
  if (Object.keys(migrations).every((name) => applied.includes(name))) return [];
  const migrator = new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations: async () => migrations },
    // Those of one day were written side by side, and one may reach a store after another that stands behind it.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

/** A database that newer code has migrated may hold what this code would break. */
function refuseNewer(applied: string[], migrations: Record<string, Migration>): void {
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown) throw new Error(`The database is newer than this code: it has had the migration ${unknown}`);
}

/** Asks for the one table that tells: Kysely would read the columns of all of them. */
async function namesOfApplied(db: Db): Promise<string[]> {
  const name = DEFAULT_MIGRATION_TABLE;
  const search = isOnPostgres(db)
    ? sql<{ found: string | null }>`select to_regclass(${name}) as found`
    : sql<{ found: string | null }>`select max(name) as found from sqlite_master where name = ${name}`;
  const [table] = (await search.execute(db)).rows;
  if (!table?.found) return [];
  const applied = await sql<{ name: string }>`select name from ${sql.table(name)}`.execute(db);
  return applied.rows.map((row) => row.name);
}

/** A store that is up to date starts without reading the code of any. */
function whenNeeded(load: () => Promise<Migration>): Migration {
  return { up: async (db) => (await load()).up(db) };
}
