import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import type { Context, SignedIn } from "#server/context.ts";
import { changeOwner } from "#server/files/files.queries.ts";
import { attachFiles, deleteUnordered, eraseDeleted, resolveOwnFiles } from "#server/files/files.service.ts";
import { orderFor } from "../factories/orders.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { expectDone } from "../factories/shops.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore({ LOG_LEVEL: "silent" });
let shopId: string;
beforeAll(async () => {
  shopId = (await store.visitor().get("/api/v1/prints/shopslocation")).body.data[0]._id;
});

let visitor: ApiClient;
let ctx: Context<SignedIn>;
beforeEach(async () => {
  visitor = (await signedInStudent(store)).visitor;
  ctx = await contextOf(visitor);
});

async function contextOf(client: ApiClient): Promise<Context<SignedIn>> {
  const user = (await client.get("/api/v1/users/getuser")).body.data;
  return {
    ...store.deps,
    actor: { kind: "user", user },
    confirmedAt: null,
    findCaller: async () => ({ actor: { kind: "user", user }, confirmedAt: null }),
    pendingLogin: { token: null, set() {}, clear() {} },
    cookie: { token: null, set() {}, clear() {} },
    visitCookie: { token: null, set() {}, clear() {} },
    signupCookie: { token: null, set() {}, clear() {} },
    deviceCookie: { token: null, set() {}, clear() {} },
    address: "127.0.0.1",
    origins: [store.url, "http://shop.localhost:9999"],
    requestId: "test",
    userAgent: "",
    uploadName: null,
    uploadFields: new Map(),
    isBrowser: true,
    contentLength: null,
  };
}

async function uploadOne(
  pages = 1,
  name = "notes.pdf",
  client = visitor,
): Promise<{ id: string; url: string }> {
  const { body } = await client.upload(new Uint8Array(plainPdf(pages)), name);
  return { id: body.public_id, url: body.secure_url };
}

async function place(filesUrl: string[], pages: number): Promise<number> {
  const order = await orderFor(visitor, { shopId, filesUrl, pages });
  return (await visitor.post("/api/v1/prints/printorder", order)).status;
}

function row(id: string) {
  return store.deps.readDb.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

async function isKnown(id: string): Promise<boolean> {
  const found = store.deps.readDb.selectFrom("files").select("id").where("id", "=", id);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Puts a folder in the file's place, which cannot be removed as a file. */
async function makeStuck(id: string): Promise<void> {
  await rm(keptPath(id));
  await mkdir(keptPath(id));
}

function keptPath(id: string): string {
  return join(store.dataDir, "files", "stored", id.slice(0, 2), id.slice(2, 4), id);
}

function resolve(urls: string[]) {
  return resolveOwnFiles(ctx, store.deps.readDb, urls);
}

test("only one's own files change hands, and none that is ordered or deleted meanwhile", async () => {
  const [free, ordered, deleted] = [await uploadOne(1), await uploadOne(2), await uploadOne(3)];
  expect(await place([ordered.url], 2)).toBe(200);
  expectDone(await visitor.mutate("files.remove", { id: deleted.id }));
  const from = ctx.actor.user._id;
  const to = (await contextOf((await signedInStudent(store)).visitor)).actor.user._id;
  const give = (ids: string[], owner: string) =>
    transact(store.deps.db, (trx) => changeOwner(trx, { ids, from: owner, to }));
  expect(await give([free.id], to)).toBe(0);
  expect(await give([free.id, ordered.id, deleted.id], from)).toBe(1);
  expect((await row(free.id)).owner_id).toBe(to);
});

describe("the files of a new order", () => {
  test("are found by their URLs, in the given order", async () => {
    const [first, second, third] = [
      await uploadOne(3, "a.pdf"),
      await uploadOne(1, "b.pdf"),
      await uploadOne(2, "c.pdf"),
    ];
    const urls = [third.url, `/files/${first.id}`, `http://shop.localhost:9999/files/${second.id}`];
    expect(
      (await resolve(urls)).map(({ id, pages, originalFilename }) => [id, pages, originalFilename]),
    ).toEqual([
      [third.id, 2, "c.pdf"],
      [first.id, 3, "a.pdf"],
      [second.id, 1, "b.pdf"],
    ]);
  });

  test("are refused if they belong to someone else, without revealing that they exist", async () => {
    const own = await uploadOne();
    const { visitor: other } = await signedInStudent(store);
    const theirs = await uploadOne(1, "theirs.pdf", other);
    for (const url of [
      theirs.url,
      `${store.url}/files/never-was`,
      `https://evil.example/files/${own.id}`,
      "javascript:alert(1)",
    ]) {
      await expect(resolve([own.url, url])).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: "One of the files has been deleted, or was not uploaded here by you. Please upload it again",
        issues: [{ path: "orderData.filesUrl.1" }],
      });
    }
  });

  test("are refused by name if one is listed twice, deleted or already ordered", async () => {
    const twice = await uploadOne(1, "twice.pdf");
    await expect(resolve([twice.url, `/files/${twice.id}`])).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "“twice.pdf” is listed twice",
    });
    const deleted = await uploadOne(1, "deleted.pdf");
    await visitor.mutate("files.remove", { id: deleted.id });
    await expect(resolve([deleted.url])).rejects.toMatchObject({
      code: "CONFLICT",
      message: "“deleted.pdf” has been deleted. Please upload it again",
    });
    const ordered = await uploadOne(1, "ordered.pdf");
    expect(await place([ordered.url], 1)).toBe(200);
    await expect(resolve([ordered.url])).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/^“ordered.pdf” is in your order [A-Z2-9]{4}-[A-Z2-9]{4} already$/),
    });
    // Printed and deleted since, it must not be asked for again either.
    await store.deps.db
      .updateTable("files")
      .set({ deleted_at: ctx.now().toISOString() })
      .where("id", "=", ordered.id)
      .execute();
    await expect(resolve([ordered.url])).rejects.toMatchObject({
      message: expect.stringContaining("is in your order"),
    });
  });

  test("go to one order only, whatever the number of simultaneous orders", async () => {
    const { url } = await uploadOne(2);
    const statuses = await Promise.all(Array.from({ length: 5 }, () => place([url], 2)));
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test("are claimed all together or not at all", async () => {
    const ordered = await uploadOne();
    await place([ordered.url], 1);
    const { order_id: orderId } = await row(ordered.id);
    const free = await uploadOne();
    const claim = { orderId: String(orderId), ownerId: ctx.actor.user._id, fileIds: [free.id, ordered.id] };
    await expect(transact(store.deps.db, (trx) => attachFiles(trx, claim))).rejects.toThrow(
      "One of the files was ordered or deleted meanwhile",
    );
    expect((await row(free.id)).order_id).toBeNull();
  });

  test("are not claimed if one was deleted meanwhile, or belongs to someone else", async () => {
    const ordered = await uploadOne();
    await place([ordered.url], 1);
    const orderId = String((await row(ordered.id)).order_id);
    const [deleted, own] = [await uploadOne(), await uploadOne()];
    await visitor.mutate("files.remove", { id: deleted.id });
    const { visitor: other } = await signedInStudent(store);
    const theirs = await uploadOne(1, "theirs.pdf", other);
    for (const { id } of [deleted, theirs]) {
      const claim = { orderId, ownerId: ctx.actor.user._id, fileIds: [own.id, id] };
      await expect(transact(store.deps.db, (trx) => attachFiles(trx, claim))).rejects.toMatchObject({
        code: "CONFLICT",
      });
      expect((await row(id)).order_id).toBeNull();
    }
  });
});

describe("deleting an upload", () => {
  test("erases it at once, and may be repeated", async () => {
    const { id } = await uploadOne();
    const at = store.clock.now().toISOString();
    for (const _time of [1, 2]) {
      expect((await visitor.mutate("files.remove", { id })).status).toBe(200);
      expect(await row(id)).toMatchObject({ deleted_at: at, erased_at: at });
      store.clock.advance({ seconds: 1 });
    }
    await expect(readdir(join(keptPath(id), ".."))).resolves.not.toContain(id);
  });

  test("is refused for an ordered file, and for everyone but its owner", async () => {
    const ordered = await uploadOne();
    await place([ordered.url], 1);
    expect((await visitor.mutate("files.remove", { id: ordered.id })).status).toBe(409);
    const free = await uploadOne();
    const { visitor: other } = await signedInStudent(store);
    expect((await other.mutate("files.remove", { id: free.id })).status).toBe(404);
    expect((await store.visitor().mutate("files.remove", { id: free.id })).status).toBe(401);
    expect((await visitor.get(`/files/${free.id}`)).status).toBe(200);
  });
});

describe("the cleanup", () => {
  test("deletes files not ordered within 24 hours, and nothing else", async () => {
    const [stale, ordered] = [await uploadOne(), await uploadOne()];
    expect(await place([ordered.url], 1)).toBe(200);
    store.clock.advance({ seconds: 1 });
    const [fresh, removed] = [await uploadOne(), await uploadOne()];
    await makeStuck(removed.id);
    expectDone(await visitor.mutate("files.remove", { id: removed.id }));
    const { deleted_at: removedAt } = await row(removed.id);
    store.clock.advance({ hours: 24, seconds: -1 });
    await deleteUnordered(store.deps);
    expect((await visitor.get(`/files/${stale.id}`)).status).toBe(200);
    store.clock.advance({ ms: 1 });
    await deleteUnordered(store.deps);
    expect(await isKnown(stale.id)).toBe(false);
    expect((await visitor.get(`/files/${stale.id}`)).status).toBe(404);
    for (const { id } of [ordered, fresh]) expect((await visitor.get(`/files/${id}`)).status).toBe(200);
    store.clock.advance({ hours: 1 });
    await deleteUnordered(store.deps);
    const fate = ({ deleted_at, deleted_by }: { deleted_at: string | null; deleted_by: string | null }) => [
      deleted_at,
      deleted_by,
    ];
    expect(fate(await row(removed.id))).toEqual([removedAt, ctx.actor.user._id]);
    expect([await isKnown(fresh.id), await isKnown(ordered.id)]).toEqual([false, true]);
  });

  test("goes on after a file that could not be erased, shows since when, and retries it", async () => {
    const [stuck, other] = [await uploadOne(), await uploadOne()];
    await makeStuck(stuck.id);
    store.clock.advance({ hours: 25 });
    await deleteUnordered(store.deps);
    const since = store.clock.now().toISOString();
    expect(await isKnown(other.id)).toBe(false);
    store.clock.advance({ hours: 1 });
    await deleteUnordered(store.deps);
    const deleted = { deleted_at: since, deleted_by: null };
    expect(await row(stuck.id)).toMatchObject({ ...deleted, erased_at: null, erase_failed_at: since });
    await rm(keptPath(stuck.id), { recursive: true });
    await eraseDeleted(store.deps);
    expect(await row(stuck.id)).toMatchObject({ erased_at: expect.any(String), erase_failed_at: null });
  });
});
