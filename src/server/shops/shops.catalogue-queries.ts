import type { Db } from "#db/open.ts";

/** The number that every change of a shop, its price list or its ratings raises. */
export async function findCatalogueVersion(db: Db): Promise<number> {
  const { version } = await db.selectFrom("catalogue").select("version").executeTakeFirstOrThrow();
  return version;
}
