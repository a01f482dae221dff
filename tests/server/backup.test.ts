import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { FileTable } from "#db/schema.ts";
import { signFileUrl } from "#server/files/file-links.ts";
import { deleteUnusedReportPhotos } from "#server/orders/reprints/report-photos.service.ts";
import { DAY_MS } from "#shared/durations.ts";
import { copyDatabase, openToRead } from "../../scripts/backup/make-backup.ts";
import { copyShopPhotos, copyStoredFiles } from "../../scripts/backup/stored-files.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { transparentPicture } from "../factories/photos.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { deliveredOrder, reportError, sendPhoto } from "../factories/reprints.ts";
import { expectDone } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { isOnDisk, pathOf } from "../factories/stored-files.ts";
import { type Student, visitorAs } from "../factories/students.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { tempFolder } from "../setup/temporary.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { backUp, restore, shopWithPhoto } from "./backup.scripts.ts";
import { startTraffic, type Traffic } from "./backup.traffic.ts";

let store: TestStore;
let traffic: Traffic;
let shopId: string;
let photo: string;
/** A reported printing error with a photo. */
let report: { orderId: string; student: Student; photoId: string };
/** Made once, while students and staff were working. */
let backup: string;
/** The orders confirmed before the backup, and the progress before and after it. */
let earlier: string[];
let progress: { orders: number; printed: number }[];
/** The store restored from the backup. */
let restored: TestStore;
/** Its files. */
let files: FileTable[];
beforeAll(async () => {
  store = await startTestStore();
  ({ photo, shopId } = await shopWithPhoto(store));
  report = await reportWithPhoto(store, shopId);
  traffic = await startTraffic(store, shopId);
  await traffic.goesOn({ orders: 12, printed: 5 });
  earlier = [...traffic.orders.keys()];
  backup = `${store.dataDir}-backup`;
  progress = [traffic.progress()];
  await backUp(store.dataDir, backup);
  progress.push(traffic.progress());
  await traffic.goesOn({ orders: 6, printed: 1 });
  await traffic.stop();

  const dataDir = `${store.dataDir}-restored`;
  await restore(backup, dataDir);
  restored = await startTestStore({ DATA_DIR: dataDir });
  files = await restored.deps.readDb.selectFrom("files").selectAll().execute();
});
afterAll(async () => {
  for (const each of [restored, store]) await each?.stop();
  for (const made of ["backup", "restored"]) {
    await rm(`${store.dataDir}-${made}`, { recursive: true, force: true });
  }
});

test("orders were placed and printed while the backup ran", () => {
  const [before, after] = progress;
  expect(after?.orders).toBeGreaterThan(before?.orders ?? 0);
  expect(after?.printed).toBeGreaterThan(before?.printed ?? 0);
});

test("the restored store has every order confirmed before the backup, and none from long after", async () => {
  const orders = await restored.deps.readDb.selectFrom("orders").select("id").execute();
  const ids = new Set(orders.map(({ id }) => id));

  expect(earlier.filter((id) => !ids.has(id))).toEqual([]);
  expect(ids.size).toBeLessThan(traffic.orders.size);
  expect(
    files
      .map((file) => file.order_id)
      .filter((id) => id !== null)
      .toSorted(),
  ).toEqual([...ids].toSorted());
});

test("each order in the restored store has the file its student sent, or has been printed", async () => {
  const there = files.filter((file) => !file.deleted_at);
  const gone = files.filter((file) => file.deleted_at && file.order_id);
  expect(there.filter((file) => file.order_id).length).toBeGreaterThan(0);
  expect(gone.length).toBeGreaterThan(0);

  for (const { id, order_id, sha256 } of there) {
    expect(sha256Of(await readFile(pathOf(restored, id)))).toBe(sha256);
    expect(traffic.orders.get(order_id ?? "") ?? sha256).toBe(sha256);
  }
  const printed = new Set([...traffic.printed, report.orderId]);
  expect(gone.filter(({ order_id }) => !printed.has(order_id ?? ""))).toEqual([]);
});

test("a backup contains only files that its database refers to, readable by its owner only", async () => {
  const entries = await readdir(join(backup, "files"), { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);

  const there = files.filter((file) => !file.deleted_at);
  expect(names.toSorted()).toEqual([...there.map(({ id }) => id), report.photoId].toSorted());
  expect((await stat(backup)).mode & 0o777).toBe(0o700);
  expect((await stat(join(backup, "store.sqlite"))).mode & 0o777).toBe(0o600);
});

test("a restored store is readable by its owner only", async () => {
  const { dataDir } = restored.deps.config;
  for (const path of [dataDir, join(dataDir, "store.sqlite")])
    expect((await stat(path)).mode & 0o077).toBe(0);
});

test("in the restored store logins, mailed file links and photos work", async () => {
  const student = restored.visitor();
  const [known] = traffic.students;
  expect((await student.post("/api/v1/users/login", known)).status).toBe(200);
  expect(expectDone(await student.query("orders.mine", {})).rows.length).toBeGreaterThan(0);

  const file = files.find(({ order_id, deleted_at }) => order_id && !deleted_at);
  const link = new URL(signFileUrl(store.deps, file?.id ?? "", new Date(Date.now() + DAY_MS)));
  const answer = await restored.visitor().fetch(link.pathname + link.search);
  expect(answer.status).toBe(200);
  expect(await readPages(new Uint8Array(await answer.arrayBuffer()))).toHaveLength(file?.pages ?? 0);

  const reporter = await visitorAs(restored, report.student);
  const photos = [photo, photo.replace(".webp", "-480.webp"), `/reprint-photos/${report.photoId}`];
  for (const path of photos) expect([path, (await reporter.fetch(path)).status]).toEqual([path, 200]);
});

test("a file deleted during the backup is not in the backup", async () => {
  const [order, other] = [await placeOrder(store, shopId), await placeOrder(store, shopId)];
  const { public_id: unordered } = (await other.visitor.upload(new Uint8Array(plainPdf(1)))).body;
  const { id: photoId } = expectDone(await sendPhoto(other.visitor, await smallPhoto()));
  const folder = await tempFolder();
  const live = openToRead(join(store.dataDir, "store.sqlite"));
  const copy = copyDatabase(live, join(folder, "store.sqlite"));
  onTestFinished(() => {
    for (const database of [live, copy]) database.close();
  });

  const madeAt = new Date().toISOString();
  await moveTo((await signedInAdmin(store)).visitor, order.id, "dispatched");
  await expect.poll(() => isOnDisk(store, order.fileId)).toBe(false);
  // As of an upload that is under way: its row is there before its bytes.
  await rm(pathOf(store, unordered));
  await store.deps.db
    .updateTable("reprint_photos")
    .set({ deleted_at: madeAt })
    .where("id", "=", photoId)
    .execute();
  await deleteUnusedReportPhotos(store.deps);
  const sources = { live, copy, dataDir: store.dataDir, folder, madeAt };
  await expect(copyStoredFiles({ ...sources, leaveBytes: 1e18 })).rejects.toThrow(/too little room/);
  const resize = copy.prepare("update files set bytes = bytes + ?");
  resize.run(1e15);
  await expect(copyStoredFiles({ ...sources, leaveBytes: 0 })).rejects.toThrow(/too little room/);
  resize.run(-1e15);
  const entries = await copyStoredFiles({ ...sources, leaveBytes: 0 });

  const paths = entries.map(({ path }) => path);
  expect(paths.some((path) => path.endsWith(order.fileId))).toBe(false);
  expect(paths.some((path) => path.endsWith(other.fileId))).toBe(true);
  const isDeleted = copy
    .prepare("select deleted_at is not null and erased_at is not null from files where id = ?")
    .pluck();
  expect([order.fileId, unordered, other.fileId].map((id) => isDeleted.get(id))).toEqual([1, 1, 0]);
  const deletedAt = copy.prepare<[string], string>("select deleted_at from files where id = ?").pluck();
  expect(deletedAt.get(unordered)).toBe(madeAt);
  const { deleted_at } = await store.deps.readDb
    .selectFrom("files")
    .select("deleted_at")
    .where("id", "=", order.fileId)
    .executeTakeFirstOrThrow();
  expect(deletedAt.get(order.fileId)).toBe(deleted_at);
  expect(copy.prepare("select id from reprint_photos where id = ?").get(photoId)).toBeUndefined();

  await store.deps.db.updateTable("shops").set({ image: "" }).where("image", "=", photo).execute();
  await rm(join(store.dataDir, "shop-images"), { recursive: true });
  expect(await copyShopPhotos({ ...sources, leaveBytes: 0 })).toEqual([]);
});

async function reportWithPhoto(target: TestStore, shop: string): Promise<typeof report> {
  const order = await deliveredOrder(target, (await signedInAdmin(target)).visitor, shop);
  const { id } = expectDone(await sendPhoto(order.visitor, await smallPhoto()));
  expectDone(await reportError(order, [id]));
  return { orderId: order.id, student: order.student, photoId: id };
}

async function smallPhoto(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await transparentPicture());
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
