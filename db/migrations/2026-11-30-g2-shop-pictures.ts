import type { Kysely } from "kysely";

const OWN_PICTURE = /^\/(shop-images\/[a-z0-9][a-z0-9-]*\.svg|shop-photos\/[0-9a-f]{32}\.webp)$/;
const UPGRADE = "The upgrade of the store";

interface AuditedDatabase {
  shops: { id: string; name: string; image: string };
  audit_log: Record<string, string>;
}

/** Shops whose picture lies elsewhere show none until their staff upload one; the audit log tells its address. */
export async function up(db: Kysely<AuditedDatabase>): Promise<void> {
  const shops = await db.selectFrom("shops").select(["id", "name", "image"]).execute();
  for (const { id, name, image } of shops) {
    if (image === "" || OWN_PICTURE.test(image)) continue;
    await db.updateTable("shops").set({ image: "" }).where("id", "=", id).execute();
    await audit(db, { id, name }, { before: { shopImage: image }, after: { shopImage: "" } });
  }
}

/** Writes down what the upgrade changed of a shop, as the store wrote such lines on the day of this migration. */
async function audit(
  db: Kysely<AuditedDatabase>,
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
