import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import type { Db } from "#db/database.ts";
import { deleteUnordered } from "#server/files/files.service.ts";
import { deleteShortLivedMails } from "#server/mail/mail.service.ts";
import { uploadPages } from "../factories/orders.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { signedInStudent } from "../factories/students.ts";
import { recordQueries } from "../setup/query-plans.ts";
import { tempStore } from "../setup/test-store.ts";

test("deleting short-lived mails does not scan the outbox", async () => {
  const recorded = recordQueries();
  const { deps } = await tempStore();
  await deleteShortLivedMails(deps);
  expect(await planOf(deps.db, recorded, /^delete from "outbox"/)).toContain("outbox_short_lived");
});

test("due mails are claimed in the order of an index, without those that were sent or have failed", async () => {
  const recorded = recordQueries();
  const { deps } = await tempStore();
  const claim = /^with "due"/;
  await expect.poll(() => [...recorded.queries.values()].some(({ sql }) => claim.test(sql))).toBe(true);
  const plan = await planOf(deps.db, recorded, claim);
  expect(plan).toContain("outbox USING INDEX outbox_due");
  expect(plan).not.toContain("TEMP B-TREE");
});

test("an upload adds up what is not ordered, without the files that were erased long ago", async () => {
  const recorded = recordQueries();
  const store = await tempStore();
  const { visitor } = await signedInStudent(store);
  await uploadPages(visitor, 1);
  const plan = await planOf(
    store.deps.db,
    recorded,
    /sum.*"files" where "order_id" is null and "deleted_at"/,
  );
  expect(plan).toContain("files_unordered_bytes");
});

test("forgetting what was never ordered looks at no file of an order", async () => {
  const recorded = recordQueries();
  const { deps } = await tempStore();
  await deleteUnordered(deps);
  expect(await planOf(deps.db, recorded, /^delete from "files"/)).toContain("files_forgettable");
});

test("the time that a shop promises is computed without its orders of earlier days", async () => {
  const recorded = recordQueries();
  const store = await tempStore();
  await placeOrder(store, "red-soil-prints");
  expect(await planOf(store.deps.db, recorded, /"sure_orders"/)).toContain("orders_open_shop");
});

/** How the database answers the recorded query whose text matches. */
async function planOf(db: Db, { queries }: ReturnType<typeof recordQueries>, text: RegExp): Promise<string> {
  const query = [...queries.values()].find(({ sql }) => text.test(sql));
  if (!query) throw new Error(`No query was recorded that matches ${text}`);
  const explain = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]);
  const { rows } = await db.executeQuery<{ detail: string }>(explain);
  return rows.map(({ detail }) => detail).join();
}
