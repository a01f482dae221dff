import { type Kysely, SqliteAdapter, sql } from "kysely";

const UPGRADE = "The upgrade of the store";

interface ShopRow {
  id: string;
  name: string;
  location: string;
}

interface NamesDatabase {
  shops: ShopRow & { created_at: string };
  shop_names: { name_key: string; location_key: string; shop_id: string };
  audit_log: Record<string, string>;
}

/**
 * Names and places of shops as people read them, each shop's own. Of shops that are read as the same the oldest keeps its
 * name; the others get a number behind theirs, such as "Ridge Road Copies (2)", and the audit log says so.
 */
export async function up(db: Kysely<NamesDatabase>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const table = db.schema
    .createTable("shop_names")
    .addColumn("name_key", "text", (c) => c.notNull())
    .addColumn("location_key", "text", (c) => c.notNull())
    .addColumn("shop_id", "text", (c) => c.notNull().references("shops.id").onDelete("cascade"))
    .addColumn("released_at", "text")
    .addPrimaryKeyConstraint("shop_names_key", ["name_key", "location_key"]);
  await (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  await db.schema.createIndex("shop_names_shop").on("shop_names").column("shop_id").execute();

  const shops = await db
    .selectFrom("shops")
    .select(["id", "name", "location"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  for (const shop of shops) {
    let { name } = shop;
    for (let number = 2; !(await claim(db, { ...shop, name })); number++) {
      name = `${shop.name.slice(0, 190)} (${number})`;
    }
    if (name === shop.name) continue;
    await db.updateTable("shops").set({ name }).where("id", "=", shop.id).execute();
    const sides = { before: { shopName: shop.name }, after: { shopName: name } };
    await audit(db, { id: shop.id, name }, sides);
  }
}

async function claim(db: Kysely<NamesDatabase>, { id, name, location }: ShopRow): Promise<boolean> {
  const claimed = await db
    .insertInto("shop_names")
    .values({ name_key: nameKey(name), location_key: nameKey(location), shop_id: id })
    .onConflict((conflict) => conflict.columns(["name_key", "location_key"]).doNothing())
    .returning("shop_id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Writes down what the upgrade changed of a shop, as the store wrote such lines on the day of this migration. */
async function audit(
  db: Kysely<NamesDatabase>,
  { id, name }: { id: string; name: string },
  sides: { before: object; after: object },
): Promise<void> {
  const before = JSON.stringify(sides.before);
  const after = JSON.stringify(sides.after);
  await db
    .insertInto("audit_log")
    .values({
      id: crypto.randomUUID(),
      created_at: new Date().toISOString(),
      by_user_id: "upgrade",
      by_name: UPGRADE,
      by_email: "",
      action: "shop.change",
      subject_id: id,
      subject_name: name,
      shop_id: id,
      before,
      after,
      search_text: [UPGRADE, "Changed a shop", name, before, after]
        .join(" ")
        .normalize("NFKC")
        .toLowerCase()
        .replace(/\s+/g, " "),
    })
    .execute();
}

/** As the store read names on the day of this migration. */
function nameKey(text: string): string {
  return text
    .replaceAll("&", " and ")
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g, "")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "")
    .replace(/[i1]/g, "l")
    .replace(/0/g, "o")
    .replace(/rn/g, "m")
    .replace(/vv/g, "w");
}
