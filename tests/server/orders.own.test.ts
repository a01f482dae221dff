import { afterAll, beforeAll, expect, test } from "vitest";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { copyOrder, moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { makeUnremovable } from "../factories/stored-files.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { followUp } from "../setup/follow-up.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
let shopId: string;
let staff: ApiClient;
beforeAll(async () => {
  // A failing removal is logged as an error, as expected.
  store = await startTestStore({ LOG_LEVEL: "silent" });
  [shopId] = await shopIds(store);
  staff = (await signedInAdmin(store)).visitor;
});
afterAll(() => store.stop());

async function mine({ visitor }: Pick<PlacedOrder, "visitor">, cursor?: unknown) {
  return (await visitor.query("orders.mine", { cursor })).body.result.data;
}

test("a student sees only their own orders, newest first", async () => {
  const first = await placeOrder(store, shopId);
  await placeOrder(store, shopId);
  store.clock.advance({ minutes: 1 });
  const second = await placeAnother(first.visitor, first.student, shopId);

  const { rows, next } = await mine(first);
  expect(rows.map(({ number }: PlacedOrder) => number)).toEqual([second.number, first.number]);
  expect(next).toBeNull();
  expect(rows[0]).toMatchObject({
    state: "placed",
    pages: 3,
    copies: 2,
    cancelReason: null,
    files: { count: 1, status: "kept" },
  });
});

test("the student is told that the files are deleted only once they are", async () => {
  const order = await placeOrder(store, shopId);
  const release = await makeUnremovable(store, order.fileId);
  await moveTo(staff, order.id, "dispatched");
  expect((await mine(order)).rows[0]).toMatchObject({
    state: "dispatched",
    files: { count: 1, status: "deleting" },
  });

  await release();
  await followUp(store, "eraseFiles");
  const at = store.deps.now().toISOString();
  await expect
    .poll(async () => (await mine(order)).rows[0].files)
    .toEqual({ count: 1, status: "deleted", at });
});

test("the student can read why the shop cancelled", async () => {
  const order = await placeOrder(store, shopId);
  await staff.mutate("board.cancel", { orderId: order.id, from: "placed", reason: "The toner is empty" });
  expect((await mine(order)).rows[0]).toMatchObject({
    state: "cancelled",
    cancelReason: "The toner is empty",
  });
});

test("many orders are paged", async () => {
  const order = await placeOrder(store, shopId);
  const moments = Array.from({ length: LIST_ROWS + 10 }, (_, day) => ({
    placedAt: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
  }));
  await copyOrder(store, order, moments);

  const first = await mine(order);
  const second = await mine(order, first.next);
  const all = [...first.rows, ...second.rows].map(({ id }: { id: string }) => id);
  expect([first.rows.length, second.rows.length, new Set(all).size]).toEqual([LIST_ROWS, 11, LIST_ROWS + 11]);
  expect(second.next).toBeNull();
});
