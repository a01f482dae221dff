import sharp from "sharp";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { deleteUnusedReportPhotos } from "#server/orders/reprints/report-photos.service.ts";
import { mailsTo } from "../factories/mails.ts";
import { seenByStudent } from "../factories/orders.ts";
import { sidewaysPhoto, transparentPicture } from "../factories/photos.ts";
import { answerReport, deliveredOrder, reportError, sendPhoto } from "../factories/reprints.ts";
import { codeOf, expectDone } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { makeUnremovable, openFilesOf } from "../factories/stored-files.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let people: StaffPerson[];
let staff: ApiClient;
let otherStaff: ApiClient;
let photo: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  const [own, other] = await shopIds(store);
  shopId = own;
  people = [await signedInOwner(store, [own]), await signedInOwner(store, [other])];
  [staff, otherStaff] = people.map(({ visitor }) => visitor) as [ApiClient, ApiClient];
  photo = new Uint8Array(await sidewaysPhoto());
});
// Some tests wait for days, longer than sessions of staff last.
beforeEach(() => logInAgain(...people));

const delivered = () => deliveredOrder(store, staff, shopId);
const pathOf = (id: string) => `/reprint-photos/${id}`;
const statusFor = async (visitor: ApiClient, id: string) => (await visitor.fetch(pathOf(id))).status;
const keep = async (visitor: ApiClient): Promise<string> => expectDone(await sendPhoto(visitor, photo)).id;

async function isKept(id: string): Promise<boolean> {
  return store.deps.files.withLocalFile(id, async () => true).catch(() => false);
}

test("a photo is rotated upright, reduced in size and stripped of camera data", async () => {
  const { visitor } = await signedInStudent(store);
  const { id } = expectDone(await sendPhoto(visitor, new Uint8Array(await sidewaysPhoto(3000))));
  const response = await visitor.fetch(pathOf(id));
  expect(response.headers.get("content-type")).toBe("image/webp");
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  const { width, height, exif, format } = await sharp(await response.arrayBuffer()).metadata();
  expect([format, width, height, exif]).toEqual(["webp", 1333, 2000, undefined]);
  // What was reserved for it is free again.
  const reserved = store.deps.readDb.selectFrom("upload_reservations").select("id");
  expect(await reserved.execute()).toEqual([]);
});

test("a picture that one can see through is white there, on any page", async () => {
  const { visitor } = await signedInStudent(store);
  const { id } = expectDone(await sendPhoto(visitor, new Uint8Array(await transparentPicture())));
  const picture = sharp(await (await visitor.fetch(pathOf(id))).arrayBuffer());
  expect((await picture.metadata()).hasAlpha).toBe(false);
});

test("asked for by HEAD, a photo is not left open", async () => {
  const { visitor } = await signedInStudent(store);
  // More bytes than a stream reads ahead.
  const noise = { type: "gaussian", mean: 128, sigma: 90 } as const;
  const rough = sharp({ create: { width: 600, height: 600, channels: 3, background: "white", noise } });
  const { id } = expectDone(await sendPhoto(visitor, new Uint8Array(await rough.jpeg().toBuffer())));
  const { status, headers } = await visitor.fetch(pathOf(id), { method: "HEAD" });
  expect([status, Number(headers.get("content-length")) > 150_000]).toEqual([200, true]);
  expect(await openFilesOf(store)).toEqual([]);
});

test("only JPEG and PNG pictures are accepted", async () => {
  const { visitor } = await signedInStudent(store);
  const gif = new Uint8Array(await sharp(photo).resize(10).gif().toBuffer());
  expect(codeOf(await sendPhoto(visitor, gif))).toBe("UNSUPPORTED_TYPE");
  expect(codeOf(await sendPhoto(visitor, photo.slice(0, 2000)))).toBe("UNREADABLE_FILE");
  const words = new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'></svg>");
  expect(codeOf(await sendPhoto(visitor, words))).toBe("UNSUPPORTED_TYPE");
  const huge = new Uint8Array(15 * 1024 * 1024 + 1);
  expect(codeOf(await sendPhoto(visitor, huge))).toBe("TOO_LARGE");
});

test("a photo is visible to the student and, once sent, to the shop's staff only", async () => {
  const order = await delivered();
  const id = await keep(order.visitor);
  const { visitor: stranger } = await signedInStudent(store);
  const admin = (await signedInAdmin(store)).visitor;
  const everybody = [order.visitor, staff, admin, otherStaff, stranger, store.visitor()];
  const statuses = () => Promise.all(everybody.map((visitor) => statusFor(visitor, id)));
  expect(await statuses()).toEqual([200, 404, 404, 404, 404, 404]);
  expectDone(await reportError(order, [id]));
  expect(await statuses()).toEqual([200, 200, 200, 404, 404, 404]);
  const { report } = expectDone(await staff.query("reprints.ofOrder", { orderId: order.id }));
  expect(report.photos).toEqual([pathOf(id)]);
});

test("a report accepts up to five photos of the student, each once", async () => {
  const order = await delivered();
  const { visitor: stranger } = await signedInStudent(store);
  const ids = await Promise.all(Array.from({ length: 6 }, () => keep(order.visitor)));
  const foreign = await keep(stranger);
  expect(codeOf(await reportError(order, ids))).toBe("INVALID_INPUT");
  expect(codeOf(await reportError(order, [foreign]))).toBe("INVALID_INPUT");
  const [first = "", second = ""] = ids;
  expect(codeOf(await reportError(order, [first, first]))).toBe("INVALID_INPUT");
  expectDone(await reportError(order, [second, first]));
  const { report } = expectDone(await order.visitor.query("reprints.own", { orderId: order.id }));
  expect(report.photos).toEqual([pathOf(second), pathOf(first)]);
  const { shop } = await seenByStudent(order.visitor, order.id);
  const mails = (await mailsTo(store, shop.email)).filter(({ kind }) => kind === "reprint-reported");
  const mail = mails.find(({ subject }) => subject.includes(order.number));
  expect(mail?.text).toContain("Photos: 2\n");
  expect(codeOf(await reportError(await delivered(), [first]))).toBe("INVALID_INPUT");
});

test("unsent photos are deleted after a day, those of a report 30 days after its answer or after 90 days", async () => {
  const [answered, silent] = [await delivered(), await delivered()];
  const unsent = await keep(answered.visitor);
  const [sent, kept] = [await keep(answered.visitor), await keep(silent.visitor)];
  expectDone(await reportError(answered, [sent]));
  expectDone(await reportError(silent, [kept]));
  expectDone(await answerReport(staff, answered.id, false));
  const left = async () => {
    await deleteUnusedReportPhotos(store.deps);
    return Promise.all([unsent, sent, kept].map(isKept));
  };
  store.clock.advance({ hours: 24 });
  expect(await left()).toEqual([true, true, true]);
  store.clock.advance({ ms: 1 });
  expect(await left()).toEqual([false, true, true]);
  store.clock.advance({ days: 29, ms: -1 });
  expect(await left()).toEqual([false, true, true]);
  store.clock.advance({ ms: 1 });
  expect(await left()).toEqual([false, false, true]);
  store.clock.advance({ days: 60, ms: -1 });
  expect(await left()).toEqual([false, false, true]);
  store.clock.advance({ ms: 1 });
  expect(await left()).toEqual([false, false, false]);
});

test("a photo that cannot be deleted keeps no other, and is tried again", async () => {
  const order = await delivered();
  const { visitor } = order;
  const photos = [await keep(visitor), await keep(visitor), await keep(visitor)];
  const stuck = [...photos].sort()[0] ?? "";
  const release = await makeUnremovable(store, stuck);
  store.clock.advance({ hours: 24, ms: 1 });
  await expect(deleteUnusedReportPhotos(store.deps)).rejects.toThrow("EISDIR");
  const others = photos.filter((id) => id !== stuck);
  expect(await Promise.all(others.map(isKept))).toEqual([false, false]);
  expect(codeOf(await reportError(order, [stuck]))).toBe("INVALID_INPUT");
  expect(await statusFor(visitor, stuck)).toBe(404);
  await release();
  await deleteUnusedReportPhotos(store.deps);
  expect(await isKept(stuck)).toBe(false);
});

test("photos of a deleted account are inaccessible at once, and deleted at the next cleanup", async () => {
  const order = await delivered();
  const id = await keep(order.visitor);
  expectDone(await reportError(order, [id]));
  expectDone(await order.visitor.mutate("privacy.deleteAccount", { password: order.student.password }));
  expect(await statusFor(staff, id)).toBe(404);
  await deleteUnusedReportPhotos(store.deps);
  expect(await isKept(id)).toBe(false);
});
