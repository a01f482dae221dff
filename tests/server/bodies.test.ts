import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { bodyLimitOf } from "#server/http/limits.ts";
import type { LimitName } from "#server/http/rate-limit.ts";
import { PERMISSIONS } from "#shared/permissions.ts";
import { residentMegabytes } from "../chaos/attacks/resident-memory.ts";
import { UnfinishedBodies, type UnfinishedBody } from "../chaos/attacks/unfinished-bodies.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { startServerProcess } from "../setup/server-process.ts";
import { SocketClient } from "../setup/socket-client.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

const TIMEOUTS = { headers: 20_000, request: 60_000, pause: 1000 };
const LOGIN = "/api/v1/users/login";
const MB = 1024 * 1024;
/** A busy machine needs time for a thousand connections. */
const WAIT = { timeout: 60_000 };
const PATIENT = 150_000;

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore({ RATE_LIMIT_SCALE: "1" }, TIMEOUTS);
});
afterAll(() => store.stop());

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** Announces a body of this size without sending it; returns the answer. */
async function announce(
  path: string,
  bytes: number,
  headers: Record<string, string> = {},
  { url }: { url: string } = store,
) {
  const client = await SocketClient.connect(url);
  open.push(client);
  const lines = Object.entries({ "Content-Type": "application/json", "Content-Length": bytes, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  client.send(`POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${head}\r\n`);
  return client;
}

async function answerOf(client: SocketClient): Promise<{ status: number; head: string; body: string }> {
  await vi.waitFor(() => expect(client.received).toMatch(/\r\n\r\n.*\}/s), WAIT);
  const [head = "", body = ""] = client.received.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body };
}

async function accountOf({ visitor }: { visitor: ApiClient }): Promise<string> {
  return (await visitor.get("/api/v1/users/getuser")).body.data._id;
}

async function attack(url: string, bodies: UnfinishedBody): Promise<UnfinishedBodies> {
  const attack = await UnfinishedBodies.open(url, bodies);
  open.push(attack);
  return attack;
}

const guess = (visitor = store.visitor()) => visitor.post(LOGIN, { email: "a@b.cc", password: "guess" });

describe("a body over the limit of its call is refused before it is sent", () => {
  const limits = { contentType: "application/json", maxUploadBytes: 100 * MB };

  test.each(Object.keys(PERMISSIONS))("%s", async (procedure) => {
    const { bytes } = bodyLimitOf([procedure], limits);
    expect(bytes).toBeLessThanOrEqual(MB);
    const refused = await answerOf(await announce(`/api/trpc/${procedure}`, bytes + 1));
    expect([refused.status, refused.body]).toEqual([413, expect.stringContaining("TOO_LARGE")]);
    expect(refused.head).toMatch(/^connection: close$/im);
  });

  test.each(["login", "register", "verify-account", "fpmail", "login-with-otp", "reset-password"])(
    "POST /users/%s accepts 8 kB",
    async (call) => {
      const refused = await answerOf(await announce(`/api/v1/users/${call}`, 8 * 1024 + 1));
      expect([refused.status, JSON.parse(refused.body).message]).toEqual([
        413,
        "The request is larger than 8 kB",
      ]);
    },
  );

  test("a tRPC batch accepts the sum of its calls' limits, at most 1 MB", async () => {
    const batch = (calls: number) => `/api/trpc/${Array(calls).fill("orders.place").join(",")}?batch=1`;
    for (const [calls, bytes] of [
      [2, 512 * 1024],
      [20, MB],
    ] as const) {
      expect((await answerOf(await announce(batch(calls), bytes + 1))).status).toBe(413);
      expect((await answerOf(await announce(batch(calls), bytes))).status).toBe(401);
    }
  });

  test("JSON for an upload call is limited like JSON for other calls", async () => {
    const { visitor } = await signedInStudent(store);
    const headers = { Cookie: visitor.cookieHeader };
    const refused = await answerOf(await announce("/api/trpc/files.upload", 50 * MB, headers));
    expect(refused.status).toBe(413);
  });
});

describe("the largest body that a call's fields allow is accepted", () => {
  /** A letter that JSON may encode in six bytes. */
  const text = (length: number) => "क".repeat(length);
  const escaped = (value: unknown) =>
    JSON.stringify(value).replace(
      /[^\0-\x7f]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  const id = "x".repeat(64);
  const option = { id, name: text(80), pricePaise: 1_000_000_000, basis: "order", sides: 1, active: false };
  const options = Array(50).fill(option);

  test.each<[string, unknown]>([
    [
      "accounts.register",
      {
        fullName: text(200),
        email: "a".repeat(254),
        phone: "9".repeat(10),
        password: text(256),
        confirmpassword: text(256),
      },
    ],
    ["addresses.add", { country: text(200), roadNo: text(200), flatno: text(200), fullname: text(200) }],
    [
      "contact.send",
      { fullName: text(200), email: "a".repeat(254), subject: text(200), message: text(5000) },
    ],
    ["board.note", { orderId: id, body: text(2000) }],
    ["board.cancel", { orderId: id, from: "placed", reason: text(500) }],
    ["reprints.report", { orderId: id, reason: text(1000), photos: Array(5).fill(id) }],
    ["reprints.answer", { orderId: id, answer: text(1000) }],
    ["board.moveSeveral", { orders: Array(100).fill({ orderId: id, from: "delivered" }), to: "delivered" }],
    [
      "shops.admin.update",
      {
        shopId: id,
        version: 1,
        shopName: text(200),
        shopLocation: text(200),
        college: text(200),
        shopImage: text(500),
        email: "a".repeat(254),
        contactNumber: text(40),
        upiId: text(255),
      },
    ],
    ["staff.invite", { email: "a".repeat(254), role: "owner", shopIds: Array(1000).fill(id) }],
    [
      "prices.save",
      {
        shopId: id,
        version: 1,
        lists: Object.fromEntries(
          [
            "printedColours",
            "printingSides",
            "paperTypes",
            "paperSizes",
            "coverOptions",
            "bindingOptions",
          ].map((kind) => [kind, options]),
        ),
      },
    ],
    [
      "orders.place",
      {
        orderData: {
          shopName: text(200),
          shopLocation: text(200),
          message: text(2000),
          filesUrl: Array(50).fill("h".repeat(2000)),
          pageRanges: Array(50).fill({ public_id: id, pages: "1".repeat(2000) }),
        },
        orderValue: {},
        address: { country: text(200), roadNo: text(200), flatno: text(200), fullname: text(200) },
      },
    ],
  ])("%s", async (procedure, input) => {
    const { bytes } = bodyLimitOf([procedure], { contentType: "application/json", maxUploadBytes: MB });
    expect(escaped(input).length).toBeLessThan(bytes);
  });
});

describe("the body is not read", () => {
  test("of an unknown call", async () => {
    for (const path of ["/api/v1/users/nothing", "/api/trpc/accounts.nothing"]) {
      expect((await answerOf(await announce(path, 900_000))).status).toBe(404);
    }
  });

  test("of a guest's order", async () => {
    for (const path of ["/api/v1/prints/printorder", "/api/trpc/orders.place", "/api/v1/uploads"]) {
      const refused = await answerOf(await announce(path, 5000));
      expect([path, refused.status, refused.body]).toEqual([
        path,
        401,
        expect.stringContaining("UNAUTHENTICATED"),
      ]);
    }
  });

  test("of an address or an account that has used up its limit", async () => {
    const limited = await startTestStore({ RATE_LIMIT_SCALE: "0.002" });
    try {
      const [one, other] = [await signedInStudent(limited), await signedInStudent(limited)];
      const accountId = await accountOf(one);
      const exhaust = async (limit: LimitName, key: string) => {
        while (
          await limited.deps.limits.use(limit, key).then(
            () => true,
            () => false,
          )
        );
      };
      /** The answer to a call of which only the head is sent. */
      const answerTo = async (path: string, visitor?: ApiClient, type = "application/json") => {
        const headers = { "Content-Type": type, ...(visitor && { Cookie: visitor.cookieHeader }) };
        return answerOf(await announce(path, 500, headers, limited));
      };
      const bytes = "application/octet-stream";
      const form = "multipart/form-data; boundary=line";

      await exhaust("orderAccount", accountId);
      expect((await answerTo("/api/v1/prints/printorder", one.visitor)).status).toBe(429);
      await exhaust("reportAccount", accountId);
      expect((await answerTo("/api/trpc/reprints.report", one.visitor)).status).toBe(429);
      await exhaust("uploadAccount", accountId);
      for (const call of ["files.upload", "reprints.uploadPhoto"])
        expect([call, (await answerTo(`/api/trpc/${call}`, one.visitor, bytes)).status]).toEqual([call, 429]);
      await exhaust("uploadAddress", "127.0.0.1");
      expect((await answerTo("/api/v1/uploads", other.visitor, form)).status).toBe(429);
      await exhaust("contactAddress", "127.0.0.1");
      expect((await answerTo("/api/v1/users/contactus")).status).toBe(429);
      await exhaust("registerAddress", "127.0.0.1");
      expect((await answerTo("/api/v1/users/register")).status).toBe(429);
      await exhaust("loginAddress", "127.0.0.1");
      const refused = await answerTo(LOGIN);
      expect(refused.status).toBe(429);
      expect(refused.head).toMatch(/^retry-after: 900$/im);
      // A known device has its own count.
      expect((await one.visitor.post(LOGIN, one.student)).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});

test(
  "of requests still sending after their answer, the oldest of an address is closed",
  async () => {
    const server = await startServerProcess();
    const refused = () => announce("/api/v1/users/nothing", 5000, {}, server);
    const oldest = await refused();
    expect((await answerOf(oldest)).status).toBe(404);
    const others = await Promise.all(Array.from({ length: 200 }, refused));
    await oldest.closed();
    const isClosed = await Promise.all(others.map(async (each) => (await answerOf(each)) && !each.isOpen));
    expect(isClosed.filter(Boolean)).toEqual([]);
  },
  PATIENT,
);

test("a body that trickles in is closed at its deadline", async () => {
  const client = await announce(LOGIN, 8000);
  const trickle = setInterval(() => client.isOpen && client.send("a"), 50);
  await client.closed();
  clearInterval(trickle);
  expect(client.received).toBe("");
});

test(
  "logins that never finish are closed with a message in favour of new ones",
  async () => {
    const server = await startServerProcess();
    const unfinished = await attack(server.url, { connections: 700, path: LOGIN, bytes: 8000 });
    expect((await guess(server.visitor())).status).toBe(401);
    await vi.waitFor(() => expect(unfinished.statuses.get(503)).toBeGreaterThan(150), WAIT);
    expect(unfinished.lastAnswer).toMatch(/^retry-after: \d+$/im);
    expect(JSON.parse(unfinished.lastAnswer.split("\r\n\r\n")[1] ?? "")).toMatchObject({
      success: false,
      code: "UNAVAILABLE",
    });
    await vi.waitFor(() => expect(unfinished.open).toBeLessThan(520), WAIT);
  },
  PATIENT,
);

test("300 students at one address with slow bodies are all answered", async () => {
  const server = await startServerProcess();
  const students = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const body = JSON.stringify({ email: "nobody", password: "x" });
      const client = await announce(LOGIN, body.length, {}, server);
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
      const photo = await announce(`/api/trpc/${procedure}`, 15 * MB, headers, server);
      await photo.sendAll(part);
    }
    expect((await visitor.get("/api/v1/prints/shopslocation")).status).toBe(200);
    expect((await residentMegabytes(server.child.pid)).now - idle).toBeLessThan(150);
  },
  PATIENT,
);

test("each account may run six uploads at once", async () => {
  const students = [await signedInStudent(store), await signedInStudent(store)];
  const begin = async ({ visitor }: (typeof students)[number], procedure: string) => {
    const headers = { Cookie: visitor.cookieHeader, "Content-Type": "application/octet-stream" };
    return announce(`/api/trpc/${procedure}`, MB, headers);
  };
  for (const student of students) {
    const begun = [];
    for (let count = 0; count < 6; count++)
      begun.push(await begin(student, count % 2 ? "files.upload" : "reprints.uploadPhoto"));
    const uploads = store.deps.diskSpace;
    await vi.waitFor(async () => expect(uploads.underWay(await accountOf(student))).toBe(6), WAIT);
    for (const procedure of ["files.upload", "reprints.uploadPhoto"]) {
      const refused = await answerOf(await begin(student, procedure));
      expect([refused.status, refused.body]).toEqual([429, expect.stringContaining("Six of your files")]);
    }
    expect(begun.map(({ received }) => received)).toEqual(Array(6).fill(""));
  }
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
        () => expect(unfinished.statuses.get(status)).toBeGreaterThan(bodies.connections / 2),
        WAIT,
      );
      // What the bodies hold stays for 45 s, until they are closed as paused; garbage goes before.
      await vi.waitFor(
        async () => expect((await residentMegabytes(server.child.pid)).now - idle).toBeLessThan(110),
        { timeout: 15_000, interval: 500 },
      );
      unfinished.close();
    },
    PATIENT,
  );
});
