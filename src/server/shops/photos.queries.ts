import type { Db } from "#db/database.ts";
import type { ShopPhotoTable } from "#db/schema.ts";

type NewPhoto = Pick<ShopPhotoTable, "storage_key" | "image" | "kept_at">;

export async function insertPhoto(db: Db, photo: NewPhoto): Promise<void> {
  await db.insertInto("shop_photos").values(photo).execute();
}

/** Updates when the photo at this path was last uploaded; false when there is none. */
export async function touchPhoto(
  db: Db,
  { image, kept_at }: Omit<NewPhoto, "storage_key">,
): Promise<boolean> {
  const touched = await db
    .updateTable("shop_photos")
    .set({ kept_at })
    .where("image", "=", image)
    .where("deleted_at", "is", null)
    .returning("storage_key")
    .execute();
  return touched.length > 0;
}

/** The file store's key of the photo at this path. */
export async function findPhotoKey(db: Db, image: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("shop_photos")
    .select("storage_key")
    .where("image", "=", image)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row?.storage_key;
}

/** Whether a photo row has this key of the file store. */
export async function isShopPhoto(db: Db, key: string): Promise<boolean> {
  const row = await db
    .selectFrom("shop_photos")
    .select("image")
    .where("storage_key", "=", key)
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks photos as deleted that were uploaded before `before` and that no shop uses. */
export async function markUnusedPhotosDeleted(
  db: Db,
  { before, at }: { before: string; at: string },
): Promise<void> {
  await db
    .updateTable("shop_photos")
    .set({ deleted_at: at })
    .where("kept_at", "<", before)
    .where("deleted_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("shops").select("shops.id").whereRef("shops.image", "=", "shop_photos.image"))),
    )
    .execute();
}

/** Keys of photos marked as deleted, whose bytes are still to be removed. */
export async function findDeletedPhotos(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("shop_photos")
    .select("storage_key")
    .where("deleted_at", "is not", null)
    .execute();
  return rows.map(({ storage_key }) => storage_key);
}

export async function deletePhotoRow(db: Db, key: string): Promise<void> {
  await db.deleteFrom("shop_photos").where("storage_key", "=", key).execute();
}

/** The paths of uploaded photos that shops use. */
export async function findShownPhotos(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("shops")
    .select("image")
    .distinct()
    .where("image", "like", "/shop-photos/%")
    .execute();
  return rows.map(({ image }) => image);
}
