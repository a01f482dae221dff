import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { eraseDeleted } from "#server/files/files.service.ts";
import { checkStorageLocation } from "#server/files/storage/location.service.ts";
import { DiskSpace } from "#server/http/disk-space.ts";
import { deleteUnusedShopPhotos, requirePhoto } from "#server/shops/photos.service.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { transparentPicture } from "../factories/photos.ts";
import { moveTo } from "../factories/placed-orders.ts";
import { sendPhoto } from "../factories/reprints.ts";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { signedInStudent, visitorAs } from "../factories/students.ts";
import { followUp } from "../setup/follow-up.ts";
import { MeasuredDiskSpace } from "../setup/measured-disk-space.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { spawnServer } from "../setup/spawned-server.ts";
import { startServerProcess, tempFolder } from "../setup/temporary.ts";
import { TestClock } from "../setup/test-clock.ts";
import { dropDatabaseOf } from "../setup/test-database.ts";
import { startTestStore, type TestStore, tempStore } from "../setup/test-store.ts";
import { UploadThingEmulator } from "../setup/uploadthing-emulator.ts";
import { shopWithPhoto, uploadedPhoto } from "./backup.scripts.ts";
import { download, packPath, placeFiles } from "./packs.fixtures.ts";

const NO_ANSWER = "Our file storage does not answer at the moment. Please try again soon";
const thesis = new Uint8Array(numberedPdf("Thesis", 3));

let emulator: UploadThingEmulator;
beforeEach(async () => {
  emulator = await UploadThingEmulator.forTest();
});

/** A store that keeps its files at the emulator; failures there are logged as errors, as expected. */
function remoteStore(): Promise<TestStore> {
  return tempStore({ ...emulator.settings, LOG_LEVEL: "silent" });
}

async function fileRow({ deps }: TestStore, id: string) {
  return deps.readDb.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirst();
}

test("a student's file is at UploadThing from its upload until its print has left the shop", async () => {
  const store = await remoteStore();
  const [shopId] = await shopIds(store);
  const { visitor: staff } = await signedInAdmin(store);

  const order = await placeFiles(store, shopId, [{ name: "Thesis.pdf", bytes: thesis, pages: "2-3" }]);
  const [id = ""] = order.fileIds;
  expect(emulator.keys).toEqual([id]);
  await expect(access(join(store.dataDir, "files", "stored"))).rejects.toThrow();

  const whole = await order.visitor.fetch(`/files/${id}`);
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(thesis);
  const range = await order.visitor.fetch(`/files/${id}`, { headers: { Range: "bytes=10-99" } });
  expect(range.status).toBe(206);
  expect(new Uint8Array(await range.arrayBuffer())).toEqual(thesis.slice(10, 100));
  expect((await store.visitor().fetch(`/files/${id}`)).status).toBe(404);
  await expect.poll(async () => (await fileRow(store, id))?.colour_checked_pages).toBe(3);

  const [, ...pages] = await readPages((await download(staff, packPath(order))).bytes);
  expect(pages).toEqual(["Thesis 2", "Thesis 3"]);

  await moveTo(staff, order.id, "dispatched");
  await expect.poll(() => emulator.files.size).toBe(0);
  await expect.poll(async () => (await fileRow(store, id))?.erased_at).toEqual(expect.any(String));
  expect((await order.visitor.get(`/files/${id}`)).body).toBe("This file has been deleted");
});

test("an upload that UploadThing refuses is refused with a clear message, and leaves nothing behind", async () => {
  const store = await remoteStore();
  const { visitor } = await signedInStudent(store);
  emulator.fail("upload", 503);
  const { status, body } = await visitor.upload(thesis);
  expect([status, body.code, body.message]).toEqual([503, "UNAVAILABLE", NO_ANSWER]);
  expect(await store.deps.readDb.selectFrom("files").select("id").execute()).toEqual([]);
  emulator.mend();
  expect((await visitor.upload(thesis)).status).toBe(200);
});

test("the log says why UploadThing failed, without its token or a signed URL", async () => {
  const admin = { ADMIN_EMAIL: "boss@shop.example", ADMIN_PASSWORD: "a long password" };
  const server = await startServerProcess({ ...emulator.settings, ...admin, LOG_LEVEL: "debug" });
  emulator.fail("upload", 403);
  const visitor = await visitorAs(server, { email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD });
  expect((await visitor.upload(thesis)).status).toBe(503);
  const isLogged = (text: string) => server.lines.some((line) => line.includes(text));
  await expect.poll(() => isLogged("UploadThing answered 403")).toBe(true);
  emulator.mend();
  const { public_id: id } = (await visitor.upload(thesis)).body;
  emulator.fail("read", 500);
  expect((await visitor.get(`/files/${id}`)).status).toBe(503);
  await expect.poll(() => isLogged("UploadThing answered 500")).toBe(true);
  const log = server.lines.join("\n");
  for (const secret of [emulator.apiKey, emulator.token, "signature="]) expect(log).not.toContain(secret);
});

test("while UploadThing is down files cannot be read, afterwards they can", async () => {
  const store = await remoteStore();
  const { visitor } = await signedInStudent(store);
  const { body } = await visitor.upload(thesis);
  emulator.fail("read", 500);
  const answer = await visitor.get(`/files/${body.public_id}`);
  expect([answer.status, answer.body]).toEqual([503, NO_ANSWER]);
  emulator.mend();
  expect((await visitor.fetch(`/files/${body.public_id}`)).status).toBe(200);
});

test("a failed deletion is shown to staff, and retried until the file is gone", async () => {
  const store = await remoteStore();
  const { visitor } = await signedInStudent(store);
  const { public_id: id } = (await visitor.upload(thesis)).body;
  // While its colours are checked the file is leased, and deleted in the eraser's next round.
  await expect.poll(async () => (await fileRow(store, id))?.colour_checked_pages).toBe(3);
  await expect.poll(async () => (await fileRow(store, id))?.leased_until).toBeNull();
  emulator.fail("delete", 500);
  expectDone(await visitor.mutate("files.remove", { id }));
  const failed = await fileRow(store, id);
  expect(failed).toMatchObject({ erased_at: null, erase_failed_at: expect.any(String) });
  expect((await visitor.get(`/files/${id}`)).status).toBe(404);
  expect(emulator.keys).toEqual([id]);
  // While UploadThing does not answer, no other file is tried.
  const asked = () => emulator.requests.filter(({ operation }) => operation === "delete").length;
  const at = store.clock.now().toISOString();
  const { public_id: other } = (await visitor.upload(thesis)).body;
  await expect.poll(async () => (await fileRow(store, other))?.colour_checked_pages).toBe(3);
  await expect.poll(async () => (await fileRow(store, other))?.leased_until).toBeNull();
  await store.deps.db.updateTable("files").set({ deleted_at: at }).where("id", "=", other).execute();
  const before = asked();
  await eraseDeleted(store.deps);
  expect(asked() - before).toBe(1);

  emulator.mend();
  await followUp(store, "eraseFiles");
  await expect.poll(() => emulator.files.size).toBe(0);
  await expect.poll(async () => (await fileRow(store, id))?.erased_at).toEqual(expect.any(String));
});

test.each([
  ["without success", "refuse"],
  ["with status 400", 400],
] as const)(
  "a file whose deletion UploadThing answers %s keeps no other, is shown to staff and tried again",
  async (_answer, refusal) => {
    const store = await remoteStore();
    const { visitor } = await signedInStudent(store);
    const ids: string[] = [];
    for (const name of ["First", "Second", "Third"]) {
      const { public_id: id } = (await visitor.upload(new Uint8Array(numberedPdf(name, 1)))).body;
      await expect.poll(async () => (await fileRow(store, id))?.colour_checked_pages).toBe(1);
      await expect.poll(async () => (await fileRow(store, id))?.leased_until).toBeNull();
      ids.push(id);
    }
    for (const id of ids) {
      store.clock.advance({ seconds: 1 });
      const deleted_at = store.clock.now().toISOString();
      await store.deps.db.updateTable("files").set({ deleted_at }).where("id", "=", id).execute();
    }
    emulator.fail("delete", refusal, 1);
    await eraseDeleted(store.deps);
    const [refused = "", ...others] = ids;
    expect(emulator.keys).toEqual([refused]);
    expect(await fileRow(store, refused)).toMatchObject({
      erased_at: null,
      erase_failed_at: expect.any(String),
    });
    for (const id of others)
      expect(await fileRow(store, id)).toMatchObject({
        erased_at: expect.any(String),
        erase_failed_at: null,
      });

    await eraseDeleted(store.deps);
    expect(emulator.keys).toEqual([]);
    expect(await fileRow(store, refused)).toMatchObject({
      erased_at: expect.any(String),
      erase_failed_at: null,
    });
  },
);

test("a file is only fetched for a pack while the disk has room for it, which is free again afterwards", async () => {
  const store = await remoteStore();
  const [shopId] = await shopIds(store);
  const order = await placeFiles(store, String(shopId), [{ name: "Thesis.pdf", bytes: thesis }]);
  const [id = ""] = order.fileIds;
  await expect.poll(async () => (await fileRow(store, id))?.colour_checked_pages).toBe(3);
  const { visitor: admin } = await signedInAdmin(store);
  const { printCopies } = store.deps;
  const full = new DiskSpace(store.dataDir, Number.MAX_SAFE_INTEGER);
  store.deps.printCopies = { ...printCopies, space: full };
  const reads = () => emulator.requests.filter(({ operation }) => operation === "read").length;
  const before = reads();
  expect((await admin.get(packPath(order))).status).toBe(503);
  expect(reads()).toBe(before);
  const space = new MeasuredDiskSpace(store.dataDir, 0);
  store.deps.printCopies = { ...printCopies, space };
  expect((await admin.get(packPath(order))).status).toBe(200);
  // Both what is fetched and the copy of it.
  expect([space.most, space.reserved]).toEqual([2 * thesis.length, 0]);
});

/** Expects that the store would not start without the token: what it has now is at UploadThing. */
async function expectBoundToUploadThing({ deps }: TestStore): Promise<void> {
  const check = checkStorageLocation(deps.db, { uploadThing: null });
  await expect(check).rejects.toThrow("this store's files are at UploadThing");
}

test("photos of printing errors are stored at UploadThing", async () => {
  const store = await remoteStore();
  const { visitor } = await signedInStudent(store);
  const { id } = expectDone(await sendPhoto(visitor, new Uint8Array(await transparentPicture())));
  expect(emulator.keys).toEqual([id]);
  expect((await visitor.fetch(`/reprint-photos/${id}`)).headers.get("content-type")).toBe("image/webp");
  await expectBoundToUploadThing(store);
});

test("a shop's photo is served in both sizes by every server, until no shop uses it", async () => {
  const store = await remoteStore();
  const { photo, shopId } = await shopWithPhoto(store);
  expect(emulator.keys).toHaveLength(1);
  await expectBoundToUploadThing(store);
  const own = await (await store.visitor().fetch(photo)).bytes();
  const small = photo.replace(".webp", "-480.webp");
  const ownSmall = await (await store.visitor().fetch(small)).bytes();
  // As on another server: the database and UploadThing, but not this folder.
  await rm(join(store.dataDir, "shop-images"), { recursive: true });
  emulator.fail("read", 500);
  expect((await store.visitor().fetch(photo)).status).toBe(503);
  emulator.mend();
  expect(await (await store.visitor().fetch(small)).bytes()).toEqual(ownSmall);
  expect(await (await store.visitor().fetch(photo)).bytes()).toEqual(own);
  expect((await store.visitor().fetch(photo.replace(/[0-9a-f]{32}/, "0".repeat(32)))).status).toBe(404);

  store.clock.advance({ hours: 25 });
  await deleteUnusedShopPhotos(store.deps);
  expect(emulator.keys).toHaveLength(1);
  await store.deps.db
    .updateTable("shops")
    .set({ image: "/shop-images/x.svg" })
    .where("id", "=", shopId)
    .execute();
  emulator.fail("delete", 500, 1);
  await expect(deleteUnusedShopPhotos(store.deps)).rejects.toMatchObject({ message: NO_ANSWER });
  await expect(requirePhoto(store.deps, photo)).rejects.toThrow("This picture is no longer in the store");
  await deleteUnusedShopPhotos(store.deps);
  expect(emulator.files.size).toBe(0);
  // One whose shop is not saved yet.
  await uploadedPhoto((await signedInAdmin(store)).visitor);
  await deleteUnusedShopPhotos(store.deps);
  expect(emulator.files.size).toBe(1);
});

test("a store with files refuses to start with another storage, one without accepts it", async () => {
  const dataDir = await tempFolder();
  onTestFinished(() => dropDatabaseOf(dataDir));
  const { SECRET = "" } = emulator.settings;
  const start = (env: Record<string, string> = {}) => startTestStore({ DATA_DIR: dataDir, SECRET, ...env });
  const onDisk = await start();
  const { visitor } = await signedInStudent(onDisk);
  const { public_id: id } = (await visitor.upload(thesis)).body;
  await onDisk.stop();
  await expect(start(emulator.settings)).rejects.toThrow(
    "UPLOADTHING_TOKEN: this store's files are on the disk. Move them first, with npm run move-files, or start without it",
  );

  const emptied = await start();
  await visitor.at(emptied).mutate("files.remove", { id });
  await emptied.stop();
  const remote = await start({ ...emulator.settings, LOG_LEVEL: "silent" });
  const { public_id: last } = (await visitor.at(remote).upload(thesis)).body;
  // Deleted, but its bytes are still there.
  emulator.fail("delete", 500);
  expectDone(await visitor.at(remote).mutate("files.remove", { id: last }));
  await remote.stop();
  emulator.mend();
  await expect(start()).rejects.toThrow(
    `UPLOADTHING_TOKEN: this store's files are at UploadThing, in the app ${emulator.appId}. Give a token of that app`,
  );
});

test("files left unrecorded at UploadThing by a killed server are deleted ten minutes later, and no others", async () => {
  const dataDir = await tempFolder();
  onTestFinished(() => dropDatabaseOf(dataDir));
  const first = await startTestStore({ DATA_DIR: dataDir, ...emulator.settings });
  const { visitor } = await signedInStudent(first);
  const kept = (await visitor.upload(thesis)).body.public_id;
  const { photo } = await shopWithPhoto(first);
  const recorded = emulator.keys;
  // As of a server that was killed when it had just recorded them.
  const seen_at = first.clock.now().toISOString();
  const pending = recorded.map((storage_key) => ({ storage_key, seen_at }));
  await first.deps.db.insertInto("pending_files").values(pending).execute();
  await first.stop();

  const killed = await spawnServer(dataDir, emulator.settings);
  emulator.fail("upload", "stall");
  const upload = visitor.at(killed).upload(new Uint8Array(numberedPdf("Lost", 2)));
  upload.catch(() => {});
  await expect.poll(() => emulator.keys.length).toBe(3);
  killed.child.kill("SIGKILL");
  await expect(upload).rejects.toThrow();

  emulator.mend();
  const clock = new TestClock();
  clock.advance({ minutes: 10 });
  const next = await tempStore({ DATA_DIR: dataDir, ...emulator.settings }, undefined, clock);
  await expect.poll(() => next.deps.db.selectFrom("pending_files").selectAll().execute()).toEqual([]);
  expect(emulator.keys).toEqual(recorded);
  expect((await visitor.at(next).fetch(`/files/${kept}`)).status).toBe(200);
  await rm(join(dataDir, "shop-images"), { recursive: true });
  expect((await next.visitor().fetch(photo)).status).toBe(200);
});

test("UploadThing's emulator refuses a URL that is expired, changed or signed with another key", async () => {
  const { UTApi } = await import("uploadthing/server");
  const store = await remoteStore();
  const { visitor } = await signedInStudent(store);
  await visitor.upload(thesis);
  const [name = ""] = [...emulator.files.keys()];
  const { settings, appId } = emulator;
  const options = { ufsHost: emulator.host, ufsAppIdLocation: "path" as const };
  const own = new UTApi({ token: settings.UPLOADTHING_TOKEN ?? "", ...options });
  const { ufsUrl } = await own.generateSignedURL(name, { expiresIn: 1 });
  expect((await fetch(ufsUrl)).status).toBe(200);
  expect((await fetch(ufsUrl.replace(/expires=\d+/, "expires=9999999999999"))).status).toBe(403);
  const foreign = Buffer.from(JSON.stringify({ apiKey: "sk_live_other", appId, regions: ["bom1"] }));
  const other = new UTApi({ token: foreign.toString("base64"), ...options });
  expect((await fetch((await other.generateSignedURL(name)).ufsUrl)).status).toBe(403);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect((await fetch(ufsUrl)).status).toBe(403);
});
