import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openUnfinishedBodies, type UnfinishedBody } from "../chaos/attack-sockets.ts";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInCounter } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, visitorAt } from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { SocketClient } from "../setup/socket-client.ts";
import { residentMegabytes } from "../setup/spawned-server.ts";
import { startServerProcess } from "../setup/temporary.ts";
import { testStore } from "../setup/test-store.ts";
import { accountOf, announce, answerOf, WAIT } from "./bodies.fixtures.ts";

const TIMEOUTS = { headers: 20_000, request: 60_000, pause: 1000 };
const LOGIN = "/api/v1/users/login";
const MB = 1024 * 1024;
const PATIENT = 150_000;

const store = testStore({ RATE_LIMIT_SCALE: "1" }, TIMEOUTS);

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function attack(url: string, bodies: UnfinishedBody): Promise<SocketClient[]> {
  const clients = await openUnfinishedBodies(url, bodies);
  open.push(...clients);
  return clients;
}

const answeredWith = (status: number, clients: SocketClient[]) =>
  clients.filter(({ statuses }) => statuses[0] === status);

const guess = (visitor = store.visitor()) => visitor.post(LOGIN, { email: "a@b.cc", password: "guess" });

test(
  "of requests still sending after their answer, the oldest of a network is closed",
  async () => {
    const server = await startServerProcess();
    let hosts = 0;
    const refused = () => {
      const from = `2001:db8:1:2::${(++hosts).toString(16)}`;
      return announce(server, "/api/v1/users/nothing", 5000, { "X-Forwarded-For": from });
    };
    const oldest = await refused();
    expect((await answerOf(oldest)).status).toBe(404);
    const others = await Promise.all(Array.from({ length: 200 }, refused));
    await Promise.all(others.map(answerOf));
    // At once: each of them is closed as paused after 45 seconds.
    await expect.poll(() => oldest.isOpen, { timeout: 30_000 }).toBe(false);
    expect(others.filter(({ isOpen }) => !isOpen)).toEqual([]);
  },
  PATIENT,
);

test("a body that trickles in is closed at its deadline", async () => {
  const { log } = store.deps;
  const [failures, requests] = [vi.spyOn(log, "error"), vi.spyOn(log, "info")];
  onTestFinished(() => void vi.restoreAllMocks());
  const client = await announce(store, LOGIN, 8000);
  const trickle = setInterval(() => client.isOpen && client.send("a"), 50);
  await client.closed();
  clearInterval(trickle);
  expect(client.received).toBe("");
  const ended = expect.objectContaining({ method: "POST", status: 400 });
  await expect.poll(() => requests.mock.calls).toEqual([[ended, "request"]]);
  expect(failures).not.toHaveBeenCalled();
});

test(
  "logins that never finish are closed with a message in favour of new ones",
  async () => {
    const server = await startServerProcess();
    const unfinished = await attack(server.url, { connections: 700, path: LOGIN, bytes: 8000 });
    expect((await guess(server.visitor())).status).toBe(401);
    const refused = () => answeredWith(503, unfinished);
    await vi.waitFor(() => expect(refused().length).toBeGreaterThan(150), WAIT);
    const [first] = refused();
    const { head, body } = await answerOf(first as SocketClient);
    expect(head).toMatch(/^retry-after: \d+$/im);
    expect(JSON.parse(body)).toMatchObject({ success: false, code: "UNAVAILABLE" });
    await vi.waitFor(() => expect(unfinished.filter(({ isOpen }) => isOpen).length).toBeLessThan(520), WAIT);
  },
  PATIENT,
);

test("300 students at one address with slow bodies are all answered", async () => {
  const server = await startServerProcess();
  const students = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const body = JSON.stringify({ email: "nobody", password: "x" });
      const client = await announce(server, LOGIN, body.length);
      client.send(body.slice(0, 10));
      return () => {
        client.send(body.slice(10));
        return answerOf(client);
      };
    }),
  );
  const answers = await Promise.all(students.map((finish) => finish()));
  expect(answers.map(({ status }) => status)).toEqual(Array(300).fill(422));
});

test(
  "unfinished photos take no memory that grows with their number",
  async () => {
    const server = await startServerProcess({
      ADMIN_EMAIL: "boss@store.example",
      ADMIN_PASSWORD: "seven blue herons walk",
    });
    const visitor = server.visitor();
    const login = { email: "boss@store.example", password: "seven blue herons walk" };
    expect((await visitor.post(LOGIN, login)).status).toBe(200);
    const { now: idle } = await residentMegabytes(server.child.pid);
    const headers = { Cookie: visitor.cookieHeader, "Content-Type": "application/octet-stream" };
    const part = Buffer.alloc(4 * MB);
    for (let sent = 0; sent < 60; sent++) {
      const procedure = sent % 2 ? "reprints.uploadPhoto" : "shops.admin.uploadPhoto";
      const photo = await announce(server, `/api/trpc/${procedure}`, 15 * MB, headers);
      await photo.sendAll(part);
    }
    expect((await visitor.get("/api/v1/prints/shopslocation")).status).toBe(200);
    expect((await residentMegabytes(server.child.pid)).now - idle).toBeLessThan(150);
  },
  PATIENT,
);

const PHOTO = { path: "/api/trpc/reprints.uploadPhoto", type: "application/octet-stream", part: "" };
const FORM = { path: "/api/v1/uploads", type: "multipart/form-data; boundary=line" };
const FILE = {
  ...FORM,
  part: '--line\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n',
};
/** A form that does not come to its file. */
const FIELD = { ...FORM, part: '--line\r\nContent-Disposition: form-data; name="a"\r\n\r\na' };

async function beginUpload(visitor: ApiClient, { path, type, part }: typeof PHOTO): Promise<SocketClient> {
  const headers = { Cookie: visitor.cookieHeader, "Content-Type": type };
  const client = await announce(store, path, MB, headers);
  client.send(part);
  return client;
}

const underWay = (account: string) => store.deps.diskSpace.underWay(account);

/** Six of these in turn are received, and one more of each is refused. */
async function expectSixUploads(visitor: ApiClient, account: string, kinds: [typeof PHOTO, typeof PHOTO]) {
  const begun: SocketClient[] = [];
  for (let count = 0; count < 6; count++) begun.push(await beginUpload(visitor, kinds[count % 2 ? 1 : 0]));
  await vi.waitFor(() => expect(underWay(account)).toBe(6), WAIT);
  for (const kind of kinds) {
    const refused = await answerOf(await beginUpload(visitor, kind));
    expect([refused.status, refused.body]).toEqual([429, expect.stringContaining("Six of your files")]);
  }
  expect(begun.map(({ received }) => received)).toEqual(Array(6).fill(""));
  for (const each of begun) each.close();
  await vi.waitFor(() => expect(underWay(account)).toBe(0), WAIT);
}

test("each account may run six uploads at once", async () => {
  for (const student of [await signedInStudent(store), await signedInStudent(store)])
    await expectSixUploads(student.visitor, await accountOf(student), [PHOTO, FILE]);
});

test("a form that has not come to its file is one of the six uploads, of an account and of a visit", async () => {
  const student = await signedInStudent(store);
  await expectSixUploads(student.visitor, await accountOf(student), [FIELD, PHOTO]);
  const [shopId] = await shopIds(store);
  const { visitor: clerk } = await signedInCounter(store, [shopId]);
  const phone = await visitorAt(store, shopId, await codeAt(clerk, shopId));
  const { ownerId } = expectDone(await phone.query("visits.page", { shopId })).visit;
  await expectSixUploads(phone, ownerId, [FIELD, FILE]);
});

describe("connections that send all but the end of a body", () => {
  test.each<[UnfinishedBody, number]>([
    [{ connections: 700, path: LOGIN, bytes: MB }, 413],
    [{ connections: 1500, path: "/api/v1/users/contactus", bytes: 40_000 }, 503],
  ])(
    "use little memory, delay nobody, and are all closed: %o",
    async (bodies, status) => {
      const server = await startServerProcess();
      const visitor = server.visitor();
      expect((await visitor.get("/api/v1/prints/shopslocation")).status).toBe(200);
      const { now: idle } = await residentMegabytes(server.child.pid);
      const unfinished = await attack(server.url, bodies);
      expect((await visitor.get("/api/v1/prints/shopslocation")).status).toBe(200);
      expect((await guess(visitor)).status).toBe(401);
      await vi.waitFor(
        () => expect(answeredWith(status, unfinished).length).toBeGreaterThan(bodies.connections / 2),
        WAIT,
      );
      // What the bodies hold stays for 45 s, until they are closed as paused; garbage goes before. The 700 are of 700 MB.
      await vi.waitFor(
        async () => expect((await residentMegabytes(server.child.pid)).now - idle).toBeLessThan(200),
        { timeout: 30_000, interval: 500 },
      );
    },
    PATIENT,
  );
});
