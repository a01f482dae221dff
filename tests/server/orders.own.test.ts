import { beforeAll, expect, test } from "vitest";
import { fileNamesText } from "#client/features/orders/order-texts.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { orderFor, seenByStudent, uploadPages } from "../factories/orders.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { copyOrder, moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { makeUnremovable } from "../factories/stored-files.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { followUp } from "../setup/follow-up.ts";
import { testStore } from "../setup/test-store.ts";

// A failing removal is logged as an error, as expected.
const store = testStore({ LOG_LEVEL: "silent" });
let shopId: string;
let staff: ApiClient;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  staff = (await signedInAdmin(store)).visitor;
});

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
    fulfilment: "delivery",
    pages: 3,
    copies: 2,
    createdAt: store.deps.now().toISOString(),
    cancelReason: null,
    files: { count: 1, status: "kept", deleteAt: null },
  });
  const shown = await seenByStudent(second.visitor, second.id);
  expect(rows[0]).toMatchObject({ id: second.id, shopName: shown.shop.name, totalPaise: shown.totalPaise });
});

test("each order names its first two files in printing order", async () => {
  const { visitor } = await signedInStudent(store);
  const filesUrl: string[] = [];
  for (const name of ["b.pdf", "a.pdf", "c.pdf", "d.pdf"]) {
    filesUrl.push((await visitor.upload(await pdfOfPages(1), name)).body.secure_url);
  }
  for (const chosen of [filesUrl.slice(0, 1), filesUrl.slice(1)]) {
    const order = await orderFor(visitor, { shopId, pages: chosen.length, filesUrl: chosen });
    store.clock.advance({ seconds: 1 });
    expect((await visitor.post("/api/v1/prints/printorder", order)).status).toBe(200);
  }
  const { rows } = await mine({ visitor });
  expect(rows.map((row: { fileNames: string[] }) => row.fileNames)).toEqual([["a.pdf", "c.pdf"], ["b.pdf"]]);
  expect(
    [1, 2, 3, 4].map((count) =>
      fileNamesText({
        fileNames: ["a.pdf", "c.pdf"].slice(0, count),
        files: { count, status: "kept", deleteAt: null },
      }),
    ),
  ).toEqual(["a.pdf", "a.pdf, c.pdf", "a.pdf, c.pdf and 1 more file", "a.pdf, c.pdf and 2 more files"]);
});

test("of two files the student is told that they are deleted once both are, and when the later was", async () => {
  const { visitor } = await signedInStudent(store);
  const filesUrl = [await uploadPages(visitor, 1), await uploadPages(visitor, 2)];
  const request = await orderFor(visitor, { shopId, pages: 3, filesUrl });
  const { _id: id } = (await visitor.post("/api/v1/prints/printorder", request)).body.data;
  const statuses = async () => [
    (await mine({ visitor })).rows[0].files,
    (await seenByStudent(visitor, id)).fileStatus,
  ];
  const [first, second] = filesUrl.map((url) => url.split("/").at(-1) ?? "");
  const mark = (fileId: string | undefined, columns: { deleted_at?: string; erased_at?: string }) =>
    store.deps.db
      .updateTable("files")
      .set(columns)
      .where("id", "=", fileId ?? "")
      .execute();
  const [early, late] = ["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.000Z"];
  expect(await statuses()).toEqual(Array(2).fill({ count: 2, status: "kept", deleteAt: null }));
  await mark(first, { deleted_at: early });
  expect(await statuses()).toEqual(Array(2).fill({ count: 2, status: "deleting" }));
  await mark(second, { deleted_at: early, erased_at: late });
  expect(await statuses()).toEqual(Array(2).fill({ count: 2, status: "deleting" }));
  await mark(first, { erased_at: early });
  expect(await statuses()).toEqual(Array(2).fill({ count: 2, status: "deleted", at: late }));
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
  // Seven at a time have the same moment, so that a page ends between equals.
  const moments = Array.from({ length: LIST_ROWS + 10 }, (_, index) => ({
    placedAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 7))).toISOString(),
  }));
  await copyOrder(store, order, moments);

  const first = await mine(order);
  const second = await mine(order, first.next);
  const all = [...first.rows, ...second.rows].map(({ id }: { id: string }) => id);
  expect([first.rows.length, second.rows.length, new Set(all).size]).toEqual([LIST_ROWS, 11, LIST_ROWS + 11]);
  expect(second.next).toBeNull();
});
