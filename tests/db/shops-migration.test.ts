import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, migrate } from "#db/migrate.ts";
import { type Db, openDatabase } from "#db/open.ts";
import { findAuditLines } from "#server/audit/audit.queries.ts";
import { nameKey } from "#shared/fold-text.ts";
import { type PostgresServer, startPostgres } from "../setup/postgres-server.ts";
import { tempDatabaseUrl } from "../setup/temp-database.ts";

const AT = "2026-11-21T09:30:00.000Z";

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** A database as it was before shops had names and pictures of their own. */
async function oldDatabase(kind: string): Promise<Db> {
  const { db, close } = await openDatabase(
    kind === "SQLite" ? await tempDatabaseUrl() : await newPostgresDatabase(),
  );
  onTestFinished(close);
  const before = Object.entries(MIGRATIONS).filter(([name]) => name < "2026-11-30-g2-shop-pictures");
  await migrate(db, Object.fromEntries(before));
  return db;
}

async function newPostgresDatabase(): Promise<string> {
  const { db, close } = await openDatabase(postgres.url("postgres"));
  const name = `old_${randomUUID().replaceAll("-", "")}`;
  await sql`create database ${sql.id(name)}`.execute(db);
  await close();
  return postgres.url(name);
}

describe.each(["SQLite", "PostgreSQL"])("on %s", (kind) => {
  test("a shop whose picture lies elsewhere has none until its owner uploads one, and the audit log keeps the old address", async () => {
    const db = await oldDatabase(kind);
    const own = "/shop-photos/0123456789abcdef0123456789abcdef.webp";
    const images = {
      uploaded: own,
      sample: "/shop-images/red-soil-prints.svg",
      outside: "https://elsewhere.example/x.png",
      backslash: "/\\elsewhere.example/x.png",
      call: "/api/v1/prints/shopslocation",
    };
    for (const [id, image] of Object.entries(images)) await writeShop(db, { id, name: id, image });

    await migrate(db);

    const rows = await db.selectFrom("shops").select(["id", "image"]).execute();
    expect(Object.fromEntries(rows.map(({ id, image }) => [id, image]))).toEqual({
      uploaded: own,
      sample: images.sample,
      outside: "",
      backslash: "",
      call: "",
    });
    expect(await auditLines(db)).toEqual(
      (["backslash", "call", "outside"] as const).map((id) => ({
        ...CHANGED_BY_UPGRADE,
        subject_id: id,
        subject_name: id,
        shop_id: id,
        before: JSON.stringify({ shopImage: images[id] }),
        after: '{"shopImage":""}',
      })),
    );
    expect(await foundLines(db, "upgrade of the store elsewhere.example/x.png changed a shop")).toEqual([
      "backslash",
      "outside",
    ]);
  });

  test("of shops that are read as the same the oldest keeps its name, and the others get a number", async () => {
    const db = await oldDatabase(kind);
    const names = [
      "Ridge Road Copies",
      "RIDGE ROAD COPIES",
      "Ridge-Road Cópies",
      "Ridge Road Copies (2)",
      "Other",
    ];
    for (const [index, name] of names.entries()) await writeShop(db, { id: `shop-${index}`, name });

    await migrate(db);

    const rows = await db.selectFrom("shops").select(["id", "name", "location"]).orderBy("id").execute();
    expect(rows.map(({ name }) => name)).toEqual([
      "Ridge Road Copies",
      "RIDGE ROAD COPIES (2)",
      "Ridge-Road Cópies (3)",
      "Ridge Road Copies (2) (2)",
      "Other",
    ]);
    const kept = await db.selectFrom("shop_names").selectAll().orderBy("shop_id").execute();
    expect(kept).toEqual(
      rows.map(({ id, name, location }) => ({
        shop_id: id,
        name_key: nameKey(name),
        location_key: nameKey(location),
        released_at: null,
      })),
    );
    const renamed = [1, 2, 3].map((index) => ({ from: names[index], to: rows[index]?.name }));
    expect(await auditLines(db)).toEqual(
      renamed.map(({ from, to }, index) => ({
        ...CHANGED_BY_UPGRADE,
        subject_id: `shop-${index + 1}`,
        subject_name: to,
        shop_id: `shop-${index + 1}`,
        before: JSON.stringify({ shopName: from }),
        after: JSON.stringify({ shopName: to }),
      })),
    );
    expect(await foundLines(db, "changed a shop ridge-road cópies (3)")).toEqual(["shop-2"]);
  });
});

const CHANGED_BY_UPGRADE = {
  action: "shop.change",
  by_name: "The upgrade of the store",
  by_user_id: "upgrade",
  by_email: "",
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
};

function auditLines(db: Db) {
  return db
    .selectFrom("audit_log")
    .select(["created_at", "by_user_id", "by_name", "by_email", "action", "subject_id", "subject_name"])
    .select(["shop_id", "before", "after"])
    .orderBy("subject_id")
    .execute();
}

/** The shops of the lines that a search in the console finds. */
async function foundLines(db: Db, search: string): Promise<string[]> {
  const terms = search.split(" ");
  const { rows } = await findAuditLines(db, { shops: "all", terms }, { after: undefined, limit: 10 });
  return rows.map(({ shopId }) => shopId ?? "").sort();
}

async function writeShop(
  db: Db,
  { id, name, image = "/shop-images/red-soil-prints.svg" }: { id: string; name: string; image?: string },
): Promise<void> {
  await sql`
    insert into shops (id, name, location, college, image, rating_tenths, per_page_paise, email, contact_number, created_at)
    values (${id}, ${name}, 'Gate 2', '', ${image}, 45, 100, 'shop@campus.example', '', ${AT})`.execute(db);
}
