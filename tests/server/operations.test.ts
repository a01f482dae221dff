import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import type { Server } from "node:http";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { whyNotReady } from "#server/health/health.http.ts";
import { freeBytes } from "#server/http/disk-space.ts";
import { MAX_CONNECTIONS } from "#server/http/limits.ts";
import { createMetrics } from "#server/lib/metrics.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { signedInStudent, signedUpStudent, visitorAs } from "../factories/students.ts";
import { LiveStream } from "../setup/live-stream.ts";
import { SocketClient } from "../setup/socket-client.ts";
import { spawnServer } from "../setup/spawned-server.ts";
import { startServerProcess, tempFolder } from "../setup/temporary.ts";
import { startTestStore, tempStore, testStore } from "../setup/test-store.ts";
import { download, packPath } from "./packs.fixtures.ts";

const PDF = new Uint8Array(plainPdf(1));
const MB = 1024 * 1024;
const TOKEN = "a token for the monitor";

describe("a store", () => {
  const store = testStore({ MAX_ALL_UNORDERED_MB: "1000" });

  test("is ready for requests", async () => {
    const { status, body } = await store.visitor().get("/readyz");
    expect([status, body]).toEqual([200, { status: "ready" }]);
  });

  test("shows this machine metrics of requests, procedures, queues and the disk", async () => {
    const { visitor } = await signedUpStudent(store);
    await visitor.get("/api/v1/prints/shopslocation");
    await store.visitor().query("accounts.getUser");
    const { status, body, headers } = await visitor.get("/metrics");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    const count = (labels: string) => Number(new RegExp(`_count\\{${labels}\\} (\\d+)`).exec(body)?.[1]);
    expect(count('method="GET",route="/api/v1/prints/shopslocation",status="200"')).toBe(1);
    expect(count('procedure="accounts.register",ok="true"')).toBe(1);
    expect(count('procedure="accounts.getUser",ok="false"')).toBe(1);
    expect(body).toMatch(/^disk_free_bytes [1-9]/m);
    expect(body).toMatch(/^process_resident_memory_bytes [1-9]/m);
  });

  test("counts orders to print, mails to send, files to erase and bytes of uploads that nobody ordered", async () => {
    const { db, config } = store.deps;
    const metric = async (name: string) => {
      const { body } = await store.visitor().get("/metrics");
      return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(body)?.[1]);
    };
    const [shopId] = await shopIds(store);
    const { visitor: staff } = await signedInAdmin(store);
    await moveTo(staff, (await placeOrder(store, shopId)).id, "printing");
    await placeOrder(store, shopId);
    expect(await metric("orders_placed")).toBe(1);

    const { visitor } = await signedInStudent(store);
    const uploads = [await visitor.upload(PDF), await visitor.upload(PDF), await visitor.upload(PDF)];
    expect(await metric("unordered_bytes")).toBe(3 * PDF.length);
    expect(await store.deps.diskSpace.leftBytes()).toBeGreaterThan(config.maxAllUnorderedBytes);
    expect(await metric("upload_room_bytes")).toBe(config.maxAllUnorderedBytes - 3 * PDF.length);
    const release = await store.deps.diskSpace.take((await store.deps.diskSpace.leftBytes()) - 100 * MB);
    expect((await metric("upload_room_bytes")) / (100 * MB)).toBeCloseTo(1, 0);
    release();
    const [, second, third] = uploads.map(({ body }) => body.public_id);
    const at = store.clock.now().toISOString();
    await db.updateTable("files").set({ deleted_at: at }).where("id", "in", [second, third]).execute();
    await db.updateTable("files").set({ erased_at: at }).where("id", "=", third).execute();
    expect(await metric("files_unerased")).toBe(1);
    expect(await metric("unordered_bytes")).toBe(PDF.length);

    await expect.poll(() => metric("mails_waiting")).toBe(0);
    const mails = await db.selectFrom("outbox").select("id").limit(3).execute();
    const [waiting, failed] = mails.map(({ id }) => id);
    const later = { due_at: "2999-01-01T00:00:00.000Z", sent_at: null };
    await db.updateTable("outbox").set(later).where("id", "=", String(waiting)).execute();
    await db
      .updateTable("outbox")
      .set({ ...later, failed_at: at })
      .where("id", "=", String(failed))
      .execute();
    expect(await metric("mails_waiting")).toBe(1);
  });

  test("refuses connections above its limit, which leaves file handles for files and mails", async () => {
    const served = Promise.withResolvers<Server>();
    const see = (message: unknown) => served.resolve((message as { server: Server }).server);
    subscribe("http.server.request.start", see);
    await store.visitor().get("/readyz");
    unsubscribe("http.server.request.start", see);
    expect((await served.promise).maxConnections).toBe(MAX_CONNECTIONS);
  });

  test("hides its metrics from requests through a proxy", async () => {
    const answer = await store
      .visitor()
      .send("GET", "/metrics", undefined, { "X-Forwarded-For": "203.0.113.9" });
    expect(answer.status).toBe(404);
  });
});

describe("a store with METRICS_TOKEN", () => {
  const store = testStore({ METRICS_TOKEN: TOKEN });

  test.each([
    ["no token", {}, 404],
    ["a wrong token", { Authorization: "Bearer a token for the monitoR" }, 404],
    ["the token", { Authorization: `Bearer ${TOKEN}`, "X-Forwarded-For": "203.0.113.9" }, 200],
  ])("answers a metrics request with %s", async (_, headers: Record<string, string>, status) => {
    expect((await store.visitor().send("GET", "/metrics", undefined, headers)).status).toBe(status);
  });

  test("shows its metrics to admins too, and to no other person", async () => {
    const [admin, student] = [await signedInAdmin(store), await signedInStudent(store)];
    expect((await admin.visitor.get("/metrics")).status).toBe(200);
    expect((await student.visitor.get("/metrics")).status).toBe(404);
  });
});

test("a store in production shows metrics to admins only, even to requests from this machine", async () => {
  const store = await tempStore({ NODE_ENV: "production" });
  const [admin, student] = [await signedInAdmin(store), await signedInStudent(store)];
  expect((await store.visitor().get("/metrics")).status).toBe(404);
  expect((await student.visitor.get("/metrics")).status).toBe(404);
  expect((await admin.visitor.get("/metrics")).status).toBe(200);
});

test("a stopping store keeps serving, but reports not ready, until a proxy has noticed", async () => {
  const store = await startTestStore({ STOP_DELAY_SECONDS: "1" });
  const visitor = store.visitor();
  const stopped = store.stop();
  expect((await visitor.get("/readyz")).body).toEqual({ status: "not ready", reason: "closing" });
  expect((await visitor.get("/api/v1/prints/shopslocation")).status).toBe(200);
  await stopped;
  await expect(visitor.get("/readyz")).rejects.toThrow();
});

test("a store that is told to stop again while it stops goes on with that", async () => {
  const store = await startTestStore();
  const closing = vi.spyOn(store.deps.db, "destroy");
  await Promise.all([store.stop(), store.stop()]);
  expect(closing).toHaveBeenCalledTimes(1);
});

describe("a server process", () => {
  test.each([
    ["SIGINT", {}, /are kept; read them at http\S+\/mailbox$/],
    ["SIGTERM", { NODE_ENV: "production" }, /are kept; an admin reads them at http\S+\/mailbox$/],
    ["SIGHUP", { SMTP_URL: "smtp://127.0.0.1:1" }, /are sent by SMTP$/],
  ] as const)(
    "stops at %s, after it has answered what is under way, and has said where its mails are",
    async (signal, settings, mails) => {
      const server = await startServerProcess(settings);
      expect(server.greeting.at(-1)).toMatch(mails);
      const client = await SocketClient.connect(server.url);
      const head = "Host: store\r\nContent-Type: application/json\r\nContent-Length: 2";
      client.send(`POST /api/v1/users/login HTTP/1.1\r\n${head}\r\n\r\n{`);
      const isOpen = () =>
        server
          .visitor()
          .get("/readyz")
          .then(
            () => true,
            () => false,
          );
      // A request that came after it is answered.
      expect(await isOpen()).toBe(true);
      const stopped = server.stop(signal);
      await expect.poll(isOpen).toBe(false);
      client.send("}");
      await client.closed();
      expect(client.statuses).toEqual([422]);
      await stopped;
      expect(server.child.exitCode).toBe(0);
    },
  );

  test("keeps its files readable for its own account only", async () => {
    const folder = await tempFolder();
    const admin = { email: "boss@store.example", password: "seven blue herons walk" };
    const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
    const server = await spawnServer(folder, settings);
    onTestFinished(() => server.stop());
    const visitor = await visitorAs(server, admin);
    const { public_id } = (await visitor.upload(PDF)).body;
    const names = await readdir(folder, { recursive: true });
    expect(names.map((name) => basename(name))).toEqual(expect.arrayContaining([public_id, "secret"]));
    const isOpen = (name: string) => (statSync(join(folder, name)).mode & 0o077) > 0;
    expect(names.filter(isOpen)).toEqual([]);
  });
});

test("a store whose database does not answer is neither healthy nor ready", async () => {
  const store = await tempStore({ LOG_LEVEL: "silent" });
  const statuses = () =>
    Promise.all(["/healthz", "/readyz"].map(async (path) => (await store.visitor().get(path)).status));
  expect(await statuses()).toEqual([200, 200]);
  await store.deps.db.schema.dropTable("store_facts").execute();
  expect(await statuses()).toEqual([500, 503]);
});

test("a stopping store waits ten seconds for requests that are under way, and then ends them", async () => {
  const store = await startTestStore();
  const client = await SocketClient.connect(store.url);
  const body = "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  client.send(`POST /api/v1/users/login HTTP/1.1\r\nHost: store\r\n${body}`);
  // A request that came after it is answered.
  await store.visitor().get("/readyz");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = store.stop();
  vi.advanceTimersByTime(9999);
  await sleep(100);
  expect(client.isOpen).toBe(true);
  vi.advanceTimersByTime(1);
  for (let tries = 0; tries < 250 && client.isOpen; tries++) await sleep(20);
  expect(client.isOpen).toBe(false);
  await stopped;
});

test("a stopping store does not wait for a connection that is kept open after its last answer", async () => {
  const store = await startTestStore();
  const client = await SocketClient.connect(store.url);
  client.send(
    "POST /api/v1/users/login HTTP/1.1\r\nHost: store\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{",
  );
  // A request that came after it is answered.
  await store.visitor().get("/readyz");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = store.stop();
  client.send("}");
  for (let tries = 0; tries < 250 && client.isOpen; tries++) await sleep(20);
  expect([client.statuses, client.isOpen]).toEqual([[422], false]);
  await stopped;
});

test("a stopping store does not wait for a connection on which nothing was sent, as browsers open some in advance", async () => {
  const store = await startTestStore();
  const client = await SocketClient.connect(store.url);
  // A connection that came after it is answered.
  await store.visitor().get("/readyz");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = store.stop();
  vi.advanceTimersByTime(1000);
  for (let tries = 0; tries < 250 && client.isOpen; tries++) await sleep(20);
  expect(client.isOpen).toBe(false);
  await stopped;
});

test("a stopping store ends its live streams", async () => {
  const store = await startTestStore();
  const { visitor } = await signedInAdmin(store);
  const stream = await LiveStream.open(visitor);
  await stream.until(1);
  let isOver = false;
  const end = stream.ended.then(() => {
    isOver = true;
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = store.stop();
  for (let tries = 0; tries < 1500 && !isOver; tries++) await sleep(20);
  expect(isOver).toBe(true);
  await Promise.all([end, stopped]);
});

test("a stopping store waits for the file that it is erasing", async () => {
  const store = await startTestStore();
  const { visitor: staff } = await signedInAdmin(store);
  const { id: orderId } = await placeOrder(store, (await shopIds(store))[0]);
  const [begun, erasing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  vi.spyOn(store.deps.files, "remove").mockImplementation(() => {
    begun.resolve();
    return erasing.promise;
  });
  expectDone(await staff.mutate("board.cancel", { orderId, from: "placed", reason: "No toner" }));
  await begun.promise;
  const order: string[] = [];
  const stopped = store.stop().then(() => order.push("stopped"));
  await sleep(300);
  order.push("erased");
  erasing.resolve();
  await stopped;
  expect(order).toEqual(["erased", "stopped"]);
});

test("a store that has stopped draws and copies nothing any more", async () => {
  const store = await startTestStore({ RATE_LIMIT_SCALE: "1" });
  const { sheets, printCopies } = store.deps;
  await store.stop();
  const copy = { path: "none.pdf", target: "copy.pdf", pages: [0] };
  for (const work of [() => sheets.draw({ blank: "K7M4-Q2XD" }, {}), () => printCopies.add(copy, {})])
    await expect(work()).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("a disk that has no room for uploads has some for packs: printing makes room", async () => {
  const DATA_DIR = await tempFolder();
  const before = await startTestStore({ DATA_DIR });
  const order = await placeOrder(before, (await shopIds(before))[0]);
  await before.stop();
  const free = await freeBytes(DATA_DIR);
  const settings = { DATA_DIR, MIN_FREE_MB: String(Math.floor((1.5 * free) / MB)) };
  const store = await tempStore(settings, undefined, before.clock);
  const { visitor: student } = await signedInStudent(store);
  expect((await student.upload(PDF)).body.code).toBe("STORAGE_FULL");
  const { visitor: staff } = await signedInAdmin(store);
  expect((await download(staff, packPath(order))).status).toBe(200);
});

test("a store that is closing or has lost its database says why it is not ready; one with a full disk is ready, because orders must be printed to make room", async () => {
  const store = await startTestStore();
  const { deps } = store;
  // /proc never has any room.
  const { config } = deps;
  deps.config = { ...config, dataDir: "/proc" };
  expect((await store.visitor().get("/readyz")).status).toBe(200);
  deps.config = config;
  expect(await whyNotReady({ ...deps, draining: AbortSignal.abort() })).toBe("closing");
  await store.stop();
  expect(await whyNotReady({ ...deps, draining: new AbortController().signal })).toBe(
    "the database does not answer",
  );
});

test("metrics of which one cannot be read show the others", async () => {
  const metrics = createMetrics();
  metrics.addGauge("orders_placed", "Orders", () =>
    Promise.reject(new Error("the database does not answer")),
  );
  metrics.addGauge("disk_free_bytes", "Room", async () => 7);
  const shown = await metrics.text();
  expect(shown).toMatch(/^orders_placed nan$/im);
  expect(shown).toMatch(/^disk_free_bytes 7$/m);
});
