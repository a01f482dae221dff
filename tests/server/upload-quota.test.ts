import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deleteReservationsBefore } from "#server/files/quota.queries.ts";
import { allUnorderedBytes } from "#server/files/quota.service.ts";
import { DiskSpace } from "#server/http/disk-space.ts";
import { orderFor } from "../factories/orders.ts";
import { plainPdf, withPadding } from "../factories/pdfs.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { moveTo } from "../factories/placed-orders.ts";
import { deliveredOrder, reportError, sendPhoto } from "../factories/reprints.ts";
import { codeOf, expectDone } from "../factories/shops.ts";
import { shopIds, signedInOwner } from "../factories/staff.ts";
import { standInConverter } from "../factories/stand-in-converter.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { MeasuredDiskSpace } from "../setup/measured-disk-space.ts";
import { SocketClient } from "../setup/socket-client.ts";
import { tempFolder } from "../setup/temporary.ts";
import { startTestStore, tempStore, testStore } from "../setup/test-store.ts";
import { UploadThingEmulator } from "../setup/uploadthing-emulator.ts";

const MB = 1024 * 1024;

const store = testStore({ MAX_UPLOAD_MB: "2", MAX_UNORDERED_MB: "5", LOG_LEVEL: "silent" });
let shopId: string;
beforeAll(async () => {
  [shopId] = await shopIds(store);
});

/** A one-page PDF slightly smaller than this many megabytes, so that its form fits. */
function pdf(megabytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(withPadding(plainPdf(1), Math.floor(megabytes * MB) - 5000));
}

const newStudent = async () => (await signedInStudent(store)).visitor;
const usedBy = async (visitor: ApiClient) =>
  expectDone(await visitor.query("files.room")).usedBytes as number;
const refusalOf = ({ status, body }: ApiAnswer) => [status, body.code];
const NO_ROOM = [413, "NO_ROOM"];

async function uploadGood(visitor: ApiClient, megabytes: number): Promise<{ id: string; url: string }> {
  const { status, body } = await visitor.upload(pdf(megabytes));
  expect([status, body.message]).toEqual([200, undefined]);
  return { id: body.public_id, url: body.secure_url };
}

async function order(visitor: ApiClient, url: string): Promise<string> {
  const placed = await visitor.post(
    "/api/v1/prints/printorder",
    await orderFor(visitor, { shopId, pages: 1, filesUrl: [url] }),
  );
  expect(placed.status).toBe(200);
  return placed.body.data._id;
}

test("ten uploads at once stay within the account's limit of unordered bytes", async () => {
  const visitor = await newStudent();
  const answers = await Promise.all(Array.from({ length: 10 }, () => visitor.upload(pdf(1), "notes.pdf")));
  const taken = answers.filter(({ status }) => status === 200);
  expect(taken).toHaveLength(5);
  expect(answers.filter(({ body }) => body.code === "NO_ROOM")).toHaveLength(5);
  expect(await usedBy(visitor)).toBe(taken.reduce((sum, { body }) => sum + body.bytes, 0));
  const { body } = await visitor.upload(pdf(1.5), "notes.pdf");
  expect(body.message).toMatch(
    /^“notes.pdf” \(1.5 MB\) does not fit: files not yet ordered may use 5 MB, and [\d.]+ kB is left. Remove files you do not need or place your order to free up space. Files not ordered within a day are deleted$/,
  );
  const { visitor: other } = await signedInStudent(store);
  expect((await other.upload(pdf(1))).status).toBe(200);
});

test("deleting or ordering a file frees its space", async () => {
  const visitor = await newStudent();
  const [first, second] = [await uploadGood(visitor, 2), await uploadGood(visitor, 2)];
  expect(refusalOf(await visitor.upload(pdf(2)))).toEqual(NO_ROOM);
  expectDone(await visitor.mutate("files.remove", { id: first.id }));
  await uploadGood(visitor, 2);
  expect(refusalOf(await visitor.upload(pdf(2)))).toEqual(NO_ROOM);
  await order(visitor, second.url);
  await uploadGood(visitor, 2);
});

test("a refused, too large or aborted upload frees its space", async () => {
  const visitor = await newStudent();
  expect((await visitor.upload(new Uint8Array(1.5 * MB))).status).toBe(415);
  expect((await visitor.upload(new Uint8Array(2 * MB + 1))).status).toBe(413);
  expect(await usedBy(visitor)).toBe(0);

  const client = await beginUpload(visitor);
  client.close();
  await expect.poll(() => usedBy(visitor)).toBe(0);
});

test("an upload whose row cannot be written frees its space at once", async () => {
  const visitor = await newStudent();
  const { files } = store.deps;
  store.deps.files = {
    ...files,
    // The database refuses a file without a hash.
    stage: async (...input) => Object.assign(await files.stage(...input), { sha256: null }),
  };
  expect((await visitor.upload(pdf(1))).status).toBe(500);
  store.deps.files = files;
  expect(await usedBy(visitor)).toBe(0);
});

test("a deleted file takes its space until its bytes are gone, and a reported photo takes none", async () => {
  const visitor = await newStudent();
  const { id } = await uploadGood(visitor, 1);
  const bytes = await usedBy(visitor);
  const change = (values: { deleted_at?: string; erased_at?: string }) =>
    store.deps.db.updateTable("files").set(values).where("id", "=", id).execute();
  const all = await allUnorderedBytes(store.deps);
  const at = store.deps.now().toISOString();
  await change({ deleted_at: at });
  expect([await usedBy(visitor), all - (await allUnorderedBytes(store.deps))]).toEqual([bytes, bytes]);
  await change({ erased_at: at });
  expect(await usedBy(visitor)).toBe(0);

  const { visitor: staff } = await signedInOwner(store, [shopId]);
  const order = await deliveredOrder(store, staff, shopId);
  const before = [await usedBy(order.visitor), await allUnorderedBytes(store.deps)];
  const photo = new Uint8Array(await sidewaysPhoto());
  const { id: photoId } = expectDone(await sendPhoto(order.visitor, photo));
  expect(await usedBy(order.visitor)).toBeGreaterThan(before[0] ?? 0);
  expect(await usedBy(visitor)).toBe(0);
  expect(await allUnorderedBytes(store.deps)).toBeGreaterThan(before[1] ?? 0);
  expectDone(await reportError(order, [photoId]));
  expect([await usedBy(order.visitor), await allUnorderedBytes(store.deps)]).toEqual(before);
});

/** An upload of a megabyte that stops after its first bytes. */
async function beginUpload(visitor: ApiClient): Promise<SocketClient> {
  const client = await SocketClient.connect(store.url);
  onTestFinished(() => client.close());
  const part = '--line\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n';
  client.send(
    `POST /api/v1/uploads HTTP/1.1\r\nHost: store\r\nCookie: ${visitor.cookieHeader}\r\nContent-Type: multipart/form-data; boundary=line\r\nContent-Length: ${MB}\r\n\r\n${part}`,
  );
  await expect.poll(() => usedBy(visitor)).toBe(MB);
  return client;
}

test("an upload of unknown length reserves the maximum", async () => {
  const visitor = await newStudent();
  const send = () => {
    const form = new FormData();
    form.append("file", new Blob([pdf(0.5)]), "a.pdf");
    const { headers, body } = new Response(form);
    return visitor.fetch("/api/v1/uploads", { method: "POST", headers, body, duplex: "half" } as RequestInit);
  };
  expect((await send()).status).toBe(200);
  await uploadGood(visitor, 2);
  await uploadGood(visitor, 1);
  expect((await send()).status).toBe(413);
  await uploadGood(visitor, 1);
});

test("a document counts as the PDF that it becomes, which may be larger, and leaves no disk space reserved", async () => {
  const { office, diskSpace } = store.deps;
  const space = new MeasuredDiskSpace(store.dataDir, 0);
  store.deps.diskSpace = space;
  store.deps.office = await standInConverter();
  onTestFinished(() => {
    store.deps.office = office;
    store.deps.diskSpace = diskSpace;
  });
  const upload = async (leftBytes: number) => {
    const visitor = await newStudent();
    await reserve(visitor, 5 * MB - leftBytes);
    const document = new TextEncoder().encode(`long\n${plainPdf(1).toString("base64")}`);
    return refusalOf(await visitor.upload(document, "Unit 3.txt", { convert: "pdf" }));
  };
  expect(await upload(300_000)).toEqual([200, undefined]);
  expect(await upload(100_000)).toEqual(NO_ROOM);
  expect([space.most > 200_000, space.reserved]).toEqual([true, 0]);
});

test("files of unprinted orders have a limit too, and printing frees their space", async () => {
  const { visitor: staff } = await signedInOwner(store, [shopId]);
  const visitor = await newStudent();
  const orders: string[] = [];
  for (let count = 0; count < 9; count++)
    orders.push(await order(visitor, (await uploadGood(visitor, 2)).url));
  await uploadGood(visitor, 2);
  const refused = await visitor.upload(pdf(2));
  expect(refusalOf(refused)).toEqual(NO_ROOM);
  expect(refused.body.message).toBe(
    "The files of your orders that are not printed yet take 18 MB. Please upload more once some of them are printed",
  );
  await moveTo(staff, orders[0] ?? "", "delivered");
  await expect.poll(async () => (await visitor.upload(pdf(1.5))).status).toBe(200);
});

test("unsent photos of printing errors count like files", async () => {
  const visitor = await newStudent();
  const photo = new Uint8Array(await sidewaysPhoto());
  expectDone(await sendPhoto(visitor, photo));
  const used = await usedBy(visitor);
  expect(used).toBeGreaterThan(1000);
  for (let count = 0; count < 2; count++) await uploadGood(visitor, 2);
  await uploadGood(visitor, 0.9);
  await reserve(visitor, 5 * MB - (await usedBy(visitor)) - 1.5 * used);
  expect(codeOf(await sendPhoto(visitor, photo))).toBe("done");
  expect(codeOf(await sendPhoto(visitor, photo))).toBe("NO_ROOM");
});

/** What a server leaves when it is killed in the middle of an upload. */
async function reserve(visitor: ApiClient, bytes: number, at = store): Promise<void> {
  const { _id } = (await visitor.get("/api/v1/users/getuser")).body.data;
  const expires_at = new Date(at.deps.now().getTime() + 35 * 60_000).toISOString();
  const row = { id: randomUUID(), owner_id: _id, bytes: Math.floor(bytes), expires_at };
  await at.deps.db.insertInto("upload_reservations").values(row).execute();
}

test("the space of an upload that died with its server is freed after the longest possible upload", async () => {
  const [visitor, other] = [await newStudent(), await newStudent()];
  await reserve(visitor, 5 * MB);
  await beginUpload(other);
  expect(refusalOf(await visitor.upload(pdf(1)))).toEqual(NO_ROOM);
  store.clock.advance({ minutes: 35, ms: -1 });
  expect([refusalOf(await visitor.upload(pdf(1))), await usedBy(other)]).toEqual([NO_ROOM, MB]);
  store.clock.advance({ ms: 1 });
  expect(await usedBy(other)).toBe(0);
  await uploadGood(visitor, 1);
  await reserve(visitor, MB);
  await deleteReservationsBefore(store.deps.db, store.deps.now().toISOString());
  const rows = await store.deps.readDb.selectFrom("upload_reservations").select("bytes").execute();
  expect(rows).toEqual([{ bytes: MB }]);
});

test("when the disk is nearly full uploads are refused, and everything else works", async () => {
  const { visitor, student } = await signedInStudent(store);
  const { visitor: staff } = await signedInOwner(store, [shopId]);
  const { url } = await uploadGood(visitor, 1);
  const { diskSpace } = store.deps;
  store.deps.diskSpace = new DiskSpace(store.dataDir, Number.MAX_SAFE_INTEGER);

  const refused = await visitor.upload(pdf(1));
  const message = "The store has no room for more files at the moment. Please try again later";
  expect([refused.status, refused.body]).toEqual([503, { success: false, code: "STORAGE_FULL", message }]);
  const photo = new Uint8Array(await sidewaysPhoto());
  expect(codeOf(await sendPhoto(visitor, photo))).toBe("STORAGE_FULL");
  const headers = { "Content-Type": "application/octet-stream" };
  expect(codeOf(await staff.send("POST", "/api/trpc/shops.admin.uploadPhoto", photo, headers))).toBe(
    "STORAGE_FULL",
  );

  await order(visitor, url);
  const { email, password } = student;
  expect((await store.visitor().post("/api/v1/users/login", { email, password })).status).toBe(200);
  expect((await store.visitor().get("/readyz")).status).toBe(200);
  await expect.poll(async () => (await mailsUnsent()).length).toBe(0);
  store.deps.diskSpace = diskSpace;
});

async function mailsUnsent() {
  return store.deps.readDb.selectFrom("outbox").select("id").where("sent_at", "is", null).execute();
}

describe.each(["on disk", "at UploadThing"])("with files stored %s", (where) => {
  test("no upload is accepted once all accounts together hold the maximum of unordered files, and everything else works", async () => {
    const atUploadThing =
      where === "at UploadThing" ? (await UploadThingEmulator.forTest()).settings : undefined;
    const settings = {
      MAX_UPLOAD_MB: "2",
      MAX_UNORDERED_MB: "5",
      MAX_ALL_UNORDERED_MB: "8",
      ...atUploadThing,
    };
    const full = await tempStore(settings);
    const students = await Promise.all(
      Array.from({ length: 10 }, async () => (await signedInStudent(full)).visitor),
    );
    const atOnce = await Promise.all(students.map((each) => each.upload(pdf(1))));
    const taken = atOnce.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(8);

    const { visitor: other, student } = await signedInStudent(full);
    const refused = await other.upload(pdf(1));
    const message = "The store has no room for more files at the moment. Please try again later";
    expect([refused.status, refused.body]).toEqual([503, { success: false, code: "STORAGE_FULL", message }]);
    expect((await full.visitor().get("/readyz")).status).toBe(200);
    const { email, password } = student;
    expect((await full.visitor().post("/api/v1/users/login", { email, password })).status).toBe(200);

    const first = atOnce.findIndex(({ status }) => status === 200);
    const orderer = students[first] as ApiClient;
    const filesUrl = [atOnce[first]?.body.secure_url];
    const [shop] = await shopIds(full);
    const order = await orderFor(orderer, { shopId: shop, pages: 1, filesUrl });
    expect((await orderer.post("/api/v1/prints/printorder", order)).status).toBe(200);
    expect((await other.upload(pdf(1))).status).toBe(200);
  });
});

test("disk space is reserved once, whatever the number of simultaneous uploads", async () => {
  const free = await new DiskSpace(store.dataDir, 0).leftBytes();
  const room = new DiskSpace(store.dataDir, free - 500 * MB);
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => room.take(200 * MB)));
  const taken = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(taken.length).toBeLessThanOrEqual(2);
  for (const giveBack of taken) giveBack();
  await room.take(200 * MB);
});

test("a server that owns its files frees at its start the reservations of a killed one", async () => {
  const settings = { MAX_UPLOAD_MB: "2", MAX_UNORDERED_MB: "5", DATA_DIR: await tempFolder() };
  const before = await startTestStore(settings);
  const { visitor } = await signedInStudent(before);
  await reserve(visitor, 5 * MB, before);
  expect(await usedBy(visitor)).toBe(5 * MB);
  await before.stop();

  const after = await tempStore(settings, undefined, before.clock);
  expect(await usedBy(visitor.at(after))).toBe(0);
});
