import { sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import * as m20261121 from "./migrations/2026-11-21-store.ts";
import * as m20261122a from "./migrations/2026-11-22-a-people.ts";
import * as m20261122b from "./migrations/2026-11-22-b-shops.ts";
import * as m20261122c from "./migrations/2026-11-22-c-queue.ts";
import * as m20261122e from "./migrations/2026-11-22-e-mail-lists.ts";
import * as m20261123b from "./migrations/2026-11-23-b-figures.ts";
import * as m20261123c from "./migrations/2026-11-23-c-accounts.ts";
import * as m20261123d from "./migrations/2026-11-23-d-order-mails.ts";
import * as m20261123e from "./migrations/2026-11-23-e-pay-pickup.ts";
import * as m20261123f from "./migrations/2026-11-23-f-pages.ts";
import * as m20261123f2 from "./migrations/2026-11-23-f2-colour-checks.ts";
import * as m20261124a from "./migrations/2026-11-24-a-personal-data.ts";
import * as m20261125b from "./migrations/2026-11-25-b-ratings.ts";
import * as m20261125c from "./migrations/2026-11-25-c-reprints.ts";
import * as m20261126a from "./migrations/2026-11-26-a-limits.ts";
import * as m20261127a from "./migrations/2026-11-27-a-live.ts";
import * as m20261127f from "./migrations/2026-11-27-f-shop-photos.ts";
import * as m20261128a from "./migrations/2026-11-28-a-catalogue.ts";
import * as m20261128b from "./migrations/2026-11-28-b-indexes.ts";
import * as m20261128k from "./migrations/2026-11-28-k-file-work.ts";
import type { Db } from "./open.ts";

/** Every migration, oldest first. A migration that has been released is never changed. */
export const MIGRATIONS: Record<string, Migration> = {
  "2026-11-21-store": m20261121,
  "2026-11-22-a-people": m20261122a,
  "2026-11-22-b-shops": m20261122b,
  "2026-11-22-c-queue": m20261122c,
  "2026-11-22-e-mail-lists": m20261122e,
  "2026-11-23-b-figures": m20261123b,
  "2026-11-23-c-accounts": m20261123c,
  "2026-11-23-d-order-mails": m20261123d,
  "2026-11-23-e-pay-pickup": m20261123e,
  "2026-11-23-f-pages": m20261123f,
  "2026-11-23-f2-colour-checks": m20261123f2,
  "2026-11-24-a-personal-data": m20261124a,
  "2026-11-25-b-ratings": m20261125b,
  "2026-11-25-c-reprints": m20261125c,
  "2026-11-26-a-limits": m20261126a,
  "2026-11-27-a-live": m20261127a,
  "2026-11-27-f-shop-photos": m20261127f,
  "2026-11-28-a-catalogue": m20261128a,
  "2026-11-28-b-indexes": m20261128b,
  "2026-11-28-k-file-work": m20261128k,
};

/**
 * Brings the schema up to date, all pending migrations in one transaction, and answers their names. Throws what the
 * failing one threw, and then none of them has left a trace.
 */
export async function migrate(db: Db, migrations = MIGRATIONS): Promise<string[]> {
  await refuseNewer(db, migrations);
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
async function refuseNewer(db: Db, migrations: Record<string, Migration>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  const unknown = rows.find(({ name }) => !(name in migrations));
  if (unknown)
    throw new Error(`The database is newer than this code: it has had the migration ${unknown.name}`);
}
