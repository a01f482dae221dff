import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readdir } from "node:fs/promises";
import type { Server } from "node:http";
import { join } from "node:path";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { plainPdf } from "../factories/pdfs.ts";
import { signedInStudent } from "../factories/students.ts";
import { ApiClient } from "../setup/api-client.ts";
import { SocketClient } from "../setup/socket-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const TIMEOUTS = { headers: 10_000, request: 60_000, pause: 5000 };
const HEALTH = "GET /healthz HTTP/1.1\r\nHost: store\r\n";
/** Sent as a whole before the answer. */
const LONG_HEADER = `X-Long: ${"a".repeat(20_000)}\r\n`;
const PART = '--line\r\nContent-Disposition: form-data; name="file"; filename="notes.pdf"\r\n\r\n%PDF-1.7\n';

const store = testStore({}, TIMEOUTS);
let student: ApiClient;
beforeAll(async () => {
  student = (await signedInStudent(store)).visitor;
});

const clients: SocketClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

async function connectMany(count: number): Promise<SocketClient[]> {
  const made = await Promise.all(Array.from({ length: count }, () => SocketClient.connect(store.url)));
  clients.push(...made);
  return made;
}

async function connectOne(): Promise<SocketClient> {
  const [client] = await connectMany(1);
  if (!client) throw new Error("no connection");
  return client;
}

/** An ordinary student's visit: a list, an upload and their orders, all successful. */
async function expectService(): Promise<void> {
  expect((await student.get("/api/v1/prints/shopslocation")).status).toBe(200);
  expect((await student.upload(new Uint8Array(plainPdf(2)))).body.pages).toBe(2);
  expect((await student.query("orders.mine", {})).status).toBe(200);
}

const partFiles = () => readdir(join(store.dataDir, "files", "incoming"));

test("500 silent connections and 300 clients sending headers byte by byte do not stop the service, and are closed", async () => {
  const idle = await connectMany(500);
  const slow = await connectMany(300);
  for (const client of slow) client.send("GET /healthz HTTP/1.1\r\nHost: store\r\nX-Slow: ");
  const trickle = setInterval(() => {
    for (const client of slow) if (client.isOpen) client.send("a");
  }, 100);
  await expectService();
  expect([...idle, ...slow].every((client) => client.isOpen)).toBe(true);
  await Promise.all([...idle, ...slow].map((client) => client.closed()));
  clearInterval(trickle);
  expect(slow.every((client) => client.received.startsWith("HTTP/1.1 408 "))).toBe(true);
  await expectService();
});

test("headers have 20 seconds and a request half an hour, which is looked at every five seconds", async () => {
  const { url } = await tempStore();
  const seen = Promise.withResolvers<Server>();
  const see = (message: unknown) => seen.resolve((message as { server: Server }).server);
  subscribe("http.server.request.start", see);
  onTestFinished(() => void unsubscribe("http.server.request.start", see));
  await new ApiClient(url).get("/healthz");
  expect(await seen.promise).toMatchObject({
    headersTimeout: 20_000,
    requestTimeout: 30 * 60_000,
    connectionsCheckingInterval: 5000,
  });
});

test.each([
  ["one header of 20 kB", LONG_HEADER],
  ["a cookie of 1 MB", `Cookie: session=${"a".repeat(1024 * 1024)}\r\n`],
  ["20,000 headers", "X-Many: 1\r\n".repeat(20_000)],
])("%s is refused with 431, and the rest is not read", async (_name, headers) => {
  const client = await connectOne();
  client.send(`${HEALTH}${headers}\r\n`);
  await client.closed();
  // A client that still sends when the connection ends may lose the answer; the service must stay up.
  if (client.received || headers === LONG_HEADER) expect(client.received).toMatch(/^HTTP\/1\.1 431 /);
  expect(client.received).not.toContain("200 OK");
  await expectService();
});

test("garbage after a valid request closes the connection, and the request is answered", async () => {
  const client = await connectOne();
  client.send(`${HEALTH}\r\n`);
  await expect.poll(() => client.received).toContain('{"status":"ok"}');
  client.send(randomBytes(64 * 1024));
  await client.closed();
  expect(client.received).toContain("HTTP/1.1 400 ");
  await expectService();
});

test("100 connections full of garbage and requests do not stop the service", async () => {
  const noisy = await connectMany(100);
  for (const client of noisy) client.send(Buffer.concat([randomBytes(2000), Buffer.from(`${HEALTH}\r\n`)]));
  await expectService();
  await Promise.all(noisy.map((client) => client.closed()));
  expect(noisy.filter((client) => client.received.includes("200 OK"))).toEqual([]);
});

test("500 pipelined requests on one connection are answered in order", async () => {
  const client = await connectOne();
  client.send(`${HEALTH}\r\n`.repeat(499));
  client.send("GET /api/v1/nothing HTTP/1.1\r\nHost: store\r\nConnection: close\r\n\r\n");
  await client.closed();
  const statuses = [...client.received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
  expect(statuses).toEqual([...Array(499).fill("200"), "404"]);
});

test.each([
  ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"],
  ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["a length that is no number", "Content-Length: 5x\r\n\r\nhello"],
  ["a header folded over two lines", "X-Folded: a\r\n b\r\n\r\n"],
])("a request that two servers could interpret differently is refused: %s", async (_name, rest) => {
  const client = await connectOne();
  client.send(
    `POST /api/v1/users/login HTTP/1.1\r\nHost: store\r\nContent-Type: application/json\r\n${rest}`,
  );
  await client.closed();
  expect(client.received).toMatch(/^HTTP\/1\.1 400 /);
});

test("50 uploads that stall half-way are closed, leave no file and do not stop the service", async () => {
  const halves = await connectMany(50);
  const head = `POST /api/v1/uploads HTTP/1.1\r\nHost: ${new URL(store.url).host}\r\nCookie: ${student.cookieHeader}\r\n`;
  const type = "Content-Type: multipart/form-data; boundary=line\r\nContent-Length: 1000000\r\n\r\n";
  for (const client of halves) client.send(`${head}${type}${PART}${"a".repeat(1000)}`);
  await expect.poll(partFiles).toHaveLength(50);
  await expectService();
  await Promise.all(halves.map((client) => client.closed()));
  await expect.poll(partFiles).toEqual([]);
  await expectService();
});

test("a slow but steady upload succeeds", async () => {
  const client = await connectOne();
  const form = Buffer.concat([
    Buffer.from(PART.slice(0, -"%PDF-1.7\n".length)),
    plainPdf(100),
    Buffer.from("\r\n--line--\r\n"),
  ]);
  client.send(
    `POST /api/v1/uploads HTTP/1.1\r\nHost: ${new URL(store.url).host}\r\nCookie: ${student.cookieHeader}\r\n`,
  );
  client.send(`Content-Type: multipart/form-data; boundary=line\r\nContent-Length: ${form.length}\r\n\r\n`);
  // Together they take longer than a client may pause, and each pause brings more than the least that it must.
  const step = Math.ceil(form.length / 12);
  for (let at = 0; at < form.length; at += step) {
    client.send(form.subarray(at, at + step));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await expect.poll(() => client.received).toContain('"pages":100');
});

test("a tRPC batch may contain 20 calls, not 21, and one list of shops, which a large store answers with megabytes", async () => {
  const batch = (...calls: string[]) => student.get(`/api/trpc/${calls.join(",")}?batch=1&input=%7B%7D`);
  const twenty = await batch("shops.list", ...Array(19).fill("accounts.me"));
  expect([twenty.status, twenty.body.length]).toEqual([200, 20]);
  for (const more of [Array(21).fill("accounts.me"), ["shops.list", "accounts.me", "shops%2Elist"]]) {
    const refused = await batch(...more);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).not.toMatch(/shopName|fullName/);
  }
});

test("a call whose body stalls is closed", async () => {
  const client = await connectOne();
  client.send("POST /api/v1/users/login HTTP/1.1\r\nHost: store\r\nContent-Type: application/json\r\n");
  client.send('Content-Length: 100\r\n\r\n{"email"');
  await client.closed();
  expect(client.received).toBe("");
});
