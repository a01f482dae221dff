import type { Db } from "#db/open.ts";

export type StoreRows = Awaited<ReturnType<typeof readStoreRows>>;

/** The rows that the checks need from the database after a run. */
export async function readStoreRows(db: Db) {
  return {
    orders: await db
      .selectFrom("orders")
      .select([
        "id",
        "number",
        "shop_id",
        "user_email",
        "idempotency_key",
        "state",
        "fulfilment",
        "search_text",
      ])
      .execute(),
    lines: await db.selectFrom("order_lines").select("order_id").execute(),
    orderFiles: await db
      .selectFrom("order_files")
      .select(["order_id", "file_id"])
      .orderBy("position")
      .execute(),
    events: await db
      .selectFrom("order_events")
      .select(["order_id", "state"])
      .orderBy("created_at")
      .orderBy("id")
      .execute(),
    log: await db.selectFrom("live_events").select(["seq", "order_id", "kind"]).orderBy("seq").execute(),
    audit: await db.selectFrom("audit_log").select("subject_id").execute(),
    files: await db
      .selectFrom("files")
      .select(["id", "storage_key", "sha256", "order_id", "deleted_at", "erased_at"])
      .execute(),
    mails: await db
      .selectFrom("outbox")
      .select(["id", "kind", "subject", "content", "sent_at", "failed_at", "last_error"])
      .execute(),
    verified: await db.selectFrom("users").select("email").where("verified_at", "is not", null).execute(),
    figures: await db
      .selectFrom("daily_stats")
      .select(({ fn }) => [
        "shop_id",
        fn.sum<number>("orders").as("orders"),
        fn.sum<number>("cancelled").as("cancelled"),
      ])
      .groupBy("shop_id")
      .execute(),
  };
}

/** Whether no file is left to erase and no mail to send, except those leased by a server when it died. */
export async function isSettled(db: Db): Promise<boolean> {
  const unerased = await db
    .selectFrom("files")
    .select("id")
    .where("deleted_at", "is not", null)
    .where("erased_at", "is", null)
    .where("leased_until", "is", null)
    .limit(1)
    .executeTakeFirst();
  const now = new Date().toISOString();
  const unsent = await db
    .selectFrom("outbox")
    .select("id")
    .where("sent_at", "is", null)
    .where("failed_at", "is", null)
    .where("due_at", "<=", now)
    .where((eb) => eb.or([eb("leased_until", "is", null), eb("leased_until", "<=", now)]))
    .limit(1)
    .executeTakeFirst();
  return !unerased && !unsent;
}
