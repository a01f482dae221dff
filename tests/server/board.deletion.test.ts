import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { eraseDeleted } from "#server/files/files.service.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { moveTo, type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { isOnDisk, makeUnremovable } from "../factories/stored-files.ts";
import { followUp } from "../setup/follow-up.ts";
import { tempFolder } from "../setup/temporary.ts";
import { startTestStore, tempStore, testStore } from "../setup/test-store.ts";

// A failing removal is logged as an error, as expected.
const store = testStore({ LOG_LEVEL: "silent" });
let shopId: string;
let owner: StaffPerson;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  owner = await signedInOwner(store, [shopId]);
});

test("the files of an order are deleted for everyone once the prints have left the shop", async () => {
  const order = await placeOrder(store, shopId);
  expect(await isOnDisk(store, order.fileId)).toBe(true);
  store.clock.advance({ minutes: 3 });
  await moveTo(owner.visitor, order.id, "dispatched");

  await until(async () => !(await isOnDisk(store, order.fileId)));
  const printedAt = store.deps.now().toISOString();
  await until(async () => (await fileIn(owner, order)).erasedAt !== null);
  expect(await fileIn(owner, order)).toMatchObject({
    id: order.fileId,
    name: "notes.pdf",
    pages: 3,
    bytes: expect.any(Number),
    deletedAt: printedAt,
    deletedBy: owner.person.fullName,
    erasedAt: printedAt,
    eraseFailedAt: null,
  });
  for (const visitor of [owner.visitor, order.visitor]) {
    const answer = await visitor.get(`/files/${order.fileId}`);
    expect([answer.status, answer.body]).toEqual([404, "This file has been deleted"]);
  }
});

test("the files are kept while an order is printing", async () => {
  const order = await placeOrder(store, shopId);
  await moveTo(owner.visitor, order.id, "printing");
  expect(await fileIn(owner, order)).toMatchObject({ deletedAt: null, deletedBy: null, erasedAt: null });
  expect(await isOnDisk(store, order.fileId)).toBe(true);
});

test("a failed deletion is shown with its start time and retried until the file is gone", async () => {
  const order = await placeOrder(store, shopId);
  const release = await makeUnremovable(store, order.fileId);
  await moveTo(owner.visitor, order.id, "dispatched");
  const failedAt = store.deps.now().toISOString();
  await until(async () => (await fileIn(owner, order)).eraseFailedAt !== null);

  store.clock.advance({ minutes: 10 });
  const remove = vi.spyOn(store.deps.files, "remove");
  onTestFinished(() => remove.mockRestore());
  await followUp(store, "eraseFiles");
  await expect.poll(() => remove.mock.calls).toHaveLength(1);
  await eraseDeleted(store.deps);
  expect(remove).toHaveBeenCalledTimes(2);
  expect(await fileIn(owner, order)).toMatchObject({ eraseFailedAt: failedAt, erasedAt: null });
  expect((await owner.visitor.get(`/files/${order.fileId}`)).status).toBe(404);

  await release();
  await followUp(store, "eraseFiles");
  await until(async () => (await fileIn(owner, order)).erasedAt !== null);
  expect(await fileIn(owner, order)).toMatchObject({
    deletedAt: failedAt,
    erasedAt: store.deps.now().toISOString(),
    eraseFailedAt: null,
  });
  expect(await isOnDisk(store, order.fileId)).toBe(false);
});

test("a deletion left over when the server stopped is done at the next start", async () => {
  const env = { DATA_DIR: await tempFolder(), LOG_LEVEL: "silent" };
  const before = await startTestStore(env);
  const order = await placeOrder(before, (await shopIds(before))[0]);
  const release = await makeUnremovable(before, order.fileId);
  const admin = await signedInAdmin(before);
  await moveTo(admin.visitor, order.id, "dispatched");
  await until(async () => (await fileIn(admin, order)).eraseFailedAt !== null);
  await before.stop();
  await release();

  const after = await tempStore(env);

  await until(async () => !(await isOnDisk(after, order.fileId)));
});

test("the files of an order can be read by staff of its shop, not by other staff or students", async () => {
  const order = await placeOrder(store, shopId);
  const [, otherShopId] = await shopIds(store);
  const admin = await signedInAdmin(store);
  const stranger = await signedInOwner(store, [otherShopId]);
  const another = await placeOrder(store, shopId);
  const statusFor = async ({ visitor }: Pick<StaffPerson, "visitor">) =>
    (await visitor.get(`/files/${order.fileId}`)).status;

  expect(await statusFor(order)).toBe(200);
  expect(await statusFor(owner)).toBe(200);
  expect(await statusFor(admin)).toBe(200);
  expect(await statusFor(stranger)).toBe(404);
  expect(await statusFor(another)).toBe(404);
  expect(await statusFor({ visitor: store.visitor() })).toBe(404);
});

test("staff cannot read uploads that are not part of an order", async () => {
  const { visitor } = await placeOrder(store, shopId);
  const { body } = await visitor.upload(await pdfOfPages(1));
  const path = new URL(body.secure_url).pathname;
  expect((await visitor.get(path)).status).toBe(200);
  expect((await owner.visitor.get(path)).status).toBe(404);
});

async function fileIn(staff: StaffPerson, order: PlacedOrder) {
  const { body } = await staff.visitor.query("board.order", { orderId: order.id });
  return body.result.data.files[0];
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  await expect.poll(isTrue, { interval: 20 }).toBe(true);
}
