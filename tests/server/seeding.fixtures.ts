import type { TestStore } from "../setup/test-store.ts";

/** All that a shops file can change. */
export const everything = async ({ deps: { readDb } }: TestStore) => ({
  shops: await readDb.selectFrom("shops").selectAll().execute(),
  options: await readDb.selectFrom("shop_options").selectAll().execute(),
  priceLists: await readDb.selectFrom("price_lists").selectAll().execute(),
  audit: await readDb.selectFrom("audit_log").select("id").execute(),
});
