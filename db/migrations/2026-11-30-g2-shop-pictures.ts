import type { Kysely } from "kysely";

const OWN_PICTURE = /^\/(shop-images\/[a-z0-9][a-z0-9-]*\.svg|shop-photos\/[0-9a-f]{32}\.webp)$/;
const SAMPLE = "/shop-images/ridge-road-copies.svg";

/** Shops whose picture lies elsewhere show one of the store's own until their staff upload another. */
export async function up(db: Kysely<{ shops: { id: string; image: string } }>): Promise<void> {
  const shops = await db.selectFrom("shops").select(["id", "image"]).execute();
  for (const { id, image } of shops) {
    if (image === "" || OWN_PICTURE.test(image)) continue;
    await db.updateTable("shops").set({ image: SAMPLE }).where("id", "=", id).execute();
  }
}
