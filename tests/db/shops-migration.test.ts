import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, migrate } from "#db/migrate.ts";
import { type Db, openDatabase } from "#db/open.ts";
import { nameKey } from "#shared/fold-text.ts";
import { tempDatabaseUrl } from "../setup/temp-database.ts";

const AT = "2026-11-21T09:30:00.000Z";

/** A database as it was before shops had names and pictures of their own. */
async function oldDatabase(): Promise<Db> {
  const { db, close } = await openDatabase(await tempDatabaseUrl());
  onTestFinished(close);
  const before = Object.entries(MIGRATIONS).filter(([name]) => name < "2026-11-30-g2-shop-pictures");
  await migrate(db, Object.fromEntries(before));
  return db;
}

test("a shop whose picture lies elsewhere gets one of the store's; its own ones stay", async () => {
  const db = await oldDatabase();
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
    outside: "/shop-images/ridge-road-copies.svg",
    backslash: "/shop-images/ridge-road-copies.svg",
    call: "/shop-images/ridge-road-copies.svg",
  });
});

test("of shops that are read as the same the oldest keeps its name, and the others get a number", async () => {
  const db = await oldDatabase();
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
});

async function writeShop(
  db: Db,
  { id, name, image = "/shop-images/red-soil-prints.svg" }: { id: string; name: string; image?: string },
): Promise<void> {
  await sql`
    insert into shops (id, name, location, college, image, rating_tenths, per_page_paise, email, contact_number, created_at)
    values (${id}, ${name}, 'Gate 2', '', ${image}, 45, 100, 'shop@campus.example', '', ${AT})`.execute(db);
}
