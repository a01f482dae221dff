import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { changeStaff, shopIds, signedInAdmin, signedInCounter, signedInOwner } from "../factories/staff.ts";
import { logIn, signedInStudent } from "../factories/students.ts";
import { codeAt, visitorAt } from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { SocketClient } from "../setup/socket-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();

/** Longer than a body may take before its caller is looked up again. */
const LATE_MS = 400;

/** Begins a request and holds its body back; `finish` sends the body, and gives the status. */
async function beginRequest(who: ApiClient, path: string, input: unknown): Promise<() => Promise<number>> {
  const body = Buffer.from(JSON.stringify(input));
  const socket = await SocketClient.connect(store.url);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(store.url).host}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `Cookie: ${who.cookieHeader}`,
    "Connection: close",
  ];
  socket.send(`${head.join("\r\n")}\r\n\r\n`);
  socket.send(body.subarray(0, 1));
  await pause(LATE_MS);
  return async () => {
    socket.send(body.subarray(1));
    await socket.closed();
    return socket.statuses[0] ?? 0;
  };
}

const nameOf = async (email: string) =>
  (await store.deps.readDb.selectFrom("users").select("full_name").where("email", "=", email).execute()).map(
    ({ full_name }) => full_name,
  );
const isOpen = async (shopId: string) =>
  (await store.deps.readDb.selectFrom("shops").select("is_open").where("id", "=", shopId).execute()).map(
    ({ is_open }) => is_open,
  );

describe("a request whose body arrives late", () => {
  test("works for somebody who is still logged in", async () => {
    const { visitor, student } = await signedInStudent(store);
    const rename = await beginRequest(visitor, "/api/trpc/accounts.rename", { fullName: "Late Comer" });
    expect(await rename()).toBe(200);
    expect(await nameOf(student.email)).toEqual(["Late Comer"]);
    const place = await beginRequest(visitor, "/api/v1/prints/printorder", {});
    expect(await place()).toBe(422);
  });

  test("does nothing once its session has ended, over tRPC, in a batch and over REST", async () => {
    const { visitor, student } = await signedInStudent(store);
    const input = { fullName: "Ghost Writer" };
    const requests = await Promise.all([
      beginRequest(visitor, "/api/trpc/accounts.rename", input),
      beginRequest(visitor, "/api/trpc/accounts.rename,accounts.rename?batch=1", { 0: input, 1: input }),
      beginRequest(visitor, "/api/v1/prints/printorder", {}),
    ]);
    await visitor.post("/api/v1/users/logout");
    expect(await Promise.all(requests.map((finish) => finish()))).toEqual([401, 401, 401]);
    expect(await nameOf(student.email)).toEqual([student.fullName]);
  });

  test("does nothing at a shop from which its sender was removed meanwhile", async () => {
    const [shopId, kept] = await shopIds(store);
    const admin = await signedInAdmin(store);
    const gone = await signedInOwner(store, [shopId]);
    const moved = await signedInOwner(store, [shopId, kept]);
    const close = { shopId, isOpen: false };
    const requests = [
      await beginRequest(gone.visitor, "/api/trpc/shops.admin.setOpen", close),
      await beginRequest(moved.visitor, "/api/trpc/shops.admin.setOpen", close),
      await beginRequest(moved.visitor, "/api/trpc/shops.admin.setOpen", { ...close, shopId: kept }),
    ];
    const changes = [
      await admin.visitor.mutate("staff.remove", { userId: gone.userId }),
      await changeStaff(admin.visitor, moved.userId, { role: "owner", shopIds: [kept] }),
    ];
    expect(changes.map(({ status }) => status)).toEqual([200, 200]);
    expect(await Promise.all(requests.map((finish) => finish()))).toEqual([401, 404, 200]);
    expect([await isOpen(shopId), await isOpen(kept)]).toEqual([[1], [0]]);
  });

  test("gives no second factor to a login that has ended meanwhile", async () => {
    const [shopId] = await shopIds(store);
    const clerk = await signedInCounter(store, [shopId]);
    const start = await beginRequest(clerk.visitor, "/api/trpc/accounts.startTotp", {});
    await clerk.visitor.post("/api/v1/users/logout");
    expect(await start()).toBe(404);
  });

  test("does nothing once a visit at the counter has ended", async () => {
    const [, shopId] = await shopIds(store);
    const clerk = await signedInCounter(store, [shopId]);
    await store.deps.db.updateTable("shops").set({ is_open: 1 }).execute();
    const visitor = await visitorAt(store, shopId, await codeAt(clerk.visitor, shopId));
    const remove = await beginRequest(visitor, "/api/trpc/files.remove", { id: "none" });
    store.clock.advance({ hours: 2 });
    expect(await remove()).toBe(401);
    store.clock.set(new Date());
  });

  test("still logs somebody in whose earlier session has ended", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { email, password } = student;
    const login = await beginRequest(visitor, "/api/v1/users/login", { email, password });
    await logIn(visitor, student);
    expect(await login()).toBe(200);
  });
});
