import { Readable } from "node:stream";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { toAppError } from "#server/errors.ts";
import { limitBodies, respondEarly } from "#server/http/bodies.ts";
import type { BodyLimit } from "#server/http/limits.ts";

const KB = 1024;
const MB = 1024 * KB;
const JSON_BODY: BodyLimit = { kind: "request", bytes: MB };
/** With the 40 kB of the request itself a megabyte. */
const ONE_MB = { "content-length": String(MB - 40 * KB) };

interface Sent {
  address?: string;
  headers?: Record<string, string>;
  /** Whether the whole body has arrived. */
  complete?: boolean;
  body?: string;
}

/** A server whose calls take until `finish` is called. */
function serverWith(limit: BodyLimit | null) {
  const working = Promise.withResolvers<void>();
  const app = new Hono();
  app.onError((error, c) => {
    const { code, retryAfterSeconds } = toAppError(error);
    return c.text([code, retryAfterSeconds].filter(Boolean).join(" "));
  });
  app.use(limitBodies({ limitOf: () => limit, addressOf: (c) => c.req.header("address") ?? "" }));
  app.post("/", async (c) => {
    await working.promise;
    await c.req.arrayBuffer();
    return c.text("done");
  });
  const answers: (string | undefined)[] = [];
  const send = ({ address = "campus", headers = ONE_MB, complete = false, body }: Sent = {}) => {
    const at = answers.push(undefined) - 1;
    const incoming = { headers, complete };
    const answer = app.request("/", { method: "POST", headers: { address }, body }, { incoming });
    return Promise.resolve(answer).then(async (response) => {
      answers[at] = await response.text();
    });
  };
  /** What the requests were answered so far; undefined for those that are at work. */
  const answered = async () => {
    await new Promise(setImmediate);
    return answers;
  };
  return { send, answered, finish: working.resolve };
}

const many = <T>(count: number, value: T): T[] => Array(count).fill(value);

describe("JSON bodies in transit", () => {
  test("may take 24 MB for one address, and a further one ends the oldest", async () => {
    const { send, answered } = serverWith(JSON_BODY);
    for (let sent = 0; sent < 24; sent++) void send();
    expect(await answered()).toEqual(many(24, undefined));
    void send({ address: "elsewhere" });
    void send();
    expect(await answered()).toEqual(["UNAVAILABLE 5", ...many(25, undefined)]);
  });

  test("may take 64 MB in all, and a further one ends the oldest of any address", async () => {
    const { send, answered } = serverWith(JSON_BODY);
    for (let sent = 0; sent < 64; sent++) void send({ address: `host ${sent}` });
    expect(await answered()).toEqual(many(64, undefined));
    void send({ address: "one more" });
    expect(await answered()).toEqual(["UNAVAILABLE 5", ...many(64, undefined)]);
  });

  test("of unknown length count with the most that their call accepts", async () => {
    const { send, answered } = serverWith({ kind: "request", bytes: MB - 40 * KB });
    for (let sent = 0; sent < 25; sent++) void send({ headers: { "transfer-encoding": "chunked" } });
    expect(await answered()).toEqual(["UNAVAILABLE 5", ...many(24, undefined)]);
  });

  test("that have arrived are not ended: the new one is refused instead", async () => {
    const { send, answered } = serverWith(JSON_BODY);
    for (let sent = 0; sent < 24; sent++) void send({ complete: true });
    void send();
    expect(await answered()).toEqual([...many(24, undefined), "UNAVAILABLE 5"]);
  });

  test("are only those of requests with a body: others take nothing", async () => {
    const { send, answered } = serverWith(JSON_BODY);
    for (let sent = 0; sent < 30; sent++) void send({ headers: {}, complete: true });
    for (let sent = 0; sent < 24; sent++) void send();
    expect(await answered()).toEqual(many(54, undefined));
  });

  test("free their memory once they are answered", async () => {
    const { send, answered, finish } = serverWith(JSON_BODY);
    const first = Array.from({ length: 24 }, () => send({ complete: true }));
    finish();
    await Promise.all(first);
    await Promise.all(Array.from({ length: 24 }, () => send({ complete: true })));
    expect(await answered()).toEqual(many(48, "done"));
  });
});

test("a body may have as many bytes as its call accepts, a form those of its frame too, and not one more", async () => {
  const answerTo = async (limit: BodyLimit | null, bytes: number) => {
    const { send, answered, finish } = serverWith(limit);
    finish();
    await send({ headers: { "content-length": String(bytes) } });
    return (await answered())[0];
  };
  expect([await answerTo(JSON_BODY, MB), await answerTo(JSON_BODY, MB + 1)]).toEqual(["done", "TOO_LARGE"]);
  const form: BodyLimit = { kind: "file", bytes: MB, frameBytes: 64 * KB };
  expect(await answerTo(form, MB + 64 * KB)).toBe("done");
  expect(await answerTo(form, MB + 64 * KB + 1)).toBe("TOO_LARGE");
  // Nothing reads it.
  expect(await answerTo(null, 100 * MB)).toBe("done");
});

test("a body of unknown length is counted as it arrives, a file's by what receives it", async () => {
  const answerTo = async (kind: BodyLimit["kind"], bytes: number) => {
    const { send, answered, finish } = serverWith({ kind, bytes: 100 });
    finish();
    await send({ headers: { "transfer-encoding": "chunked" }, body: "x".repeat(bytes) });
    return (await answered())[0];
  };
  expect([await answerTo("request", 100), await answerTo("request", 101)]).toEqual(["done", "TOO_LARGE"]);
  expect(await answerTo("file", 101)).toBe("done");
});

test("700 uploads of one address may run and 1,500 in all; a further one is refused, and none is ended", async () => {
  const { send, answered } = serverWith({ kind: "file", bytes: 100 * MB });
  for (let sent = 0; sent < 701; sent++) void send();
  expect(await answered()).toEqual([...many(700, undefined), "UNAVAILABLE 5"]);
  for (let sent = 0; sent < 801; sent++) void send({ address: `host ${sent}` });
  expect((await answered()).slice(701)).toEqual([...many(800, undefined), "UNAVAILABLE 5"]);
});

test.each([
  [501, 3],
  [201, 1],
])(
  "of %i requests of %i addresses that still send after their answer the oldest is ended, all were told to close",
  async (count, addresses) => {
    const app = new Hono();
    app.use(respondEarly({ addressOf: (c) => c.req.header("address") ?? "" }));
    app.post("/", (c) => c.text("No", 404));
    const requests: Readable[] = [];
    for (let sent = 0; sent < count; sent++) {
      const incoming = Object.assign(new Readable({ read() {} }), { complete: false });
      requests.push(incoming);
      const headers = { address: `host ${sent % addresses}` };
      const response = await app.request("/", { method: "POST", headers }, { incoming });
      const { connection, "content-length": length } = Object.fromEntries(response.headers);
      expect([response.status, connection, length]).toEqual([404, "close", "2"]);
      const reader = response.body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("No");
      void reader?.read();
      await new Promise(setImmediate);
      if (sent === count - 2) expect(requests.filter(({ destroyed }) => destroyed)).toEqual([]);
    }
    expect(requests.map(({ destroyed }) => destroyed)).toEqual([true, ...many(count - 1, false)]);
  },
);

test("what arrives of a request after its answer is read and discarded, and its end ends the answer", async () => {
  const app = new Hono();
  app.use(respondEarly({ addressOf: () => "campus" }));
  app.post("/", (c) => c.text("No", 404));
  const incoming = Object.assign(new Readable({ read() {} }), { complete: false });
  const kept: unknown[] = [];
  incoming.on("data", (chunk) => kept.push(chunk)).pause();
  const reader = (await app.request("/", { method: "POST" }, { incoming })).body?.getReader();
  await reader?.read();
  const end = reader?.read();
  await new Promise(setImmediate);
  incoming.push("the rest");
  await new Promise(setImmediate);
  expect([kept, incoming.readableLength]).toEqual([[], 0]);
  incoming.push(null);
  expect((await end)?.done).toBe(true);
});

test("of a request that was ended for newer ones nothing more is read", async () => {
  const app = new Hono();
  app.onError((error, c) => c.text(toAppError(error).code));
  app.use(respondEarly({ addressOf: () => "campus" }));
  app.use(limitBodies({ limitOf: () => JSON_BODY, addressOf: () => "campus" }));
  app.post("/", () => new Promise<never>(() => {}));
  const send = () => {
    const incoming = Object.assign(new Readable({ read() {} }), { complete: false, headers: ONE_MB });
    return { incoming, answer: app.request("/", { method: "POST" }, { incoming }) };
  };
  const [oldest] = Array.from({ length: 25 }, send);
  const response = await oldest?.answer;
  expect(await response?.text()).toBe("UNAVAILABLE");
  expect(oldest?.incoming.readableFlowing).toBeNull();
});

test("the connection of a request that is complete stays open for the next one", async () => {
  const app = new Hono();
  app.use(respondEarly({ addressOf: () => "campus" }));
  app.post("/", (c) => c.text("Yes"));
  const incoming = Object.assign(new Readable({ read() {} }), { complete: true });
  const response = await app.request("/", { method: "POST" }, { incoming });
  expect([response.headers.get("connection"), await response.text()]).toEqual([null, "Yes"]);
});
