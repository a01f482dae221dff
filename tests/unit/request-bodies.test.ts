import { Readable } from "node:stream";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { toAppError } from "#server/errors.ts";
import { limitBodies, respondEarly } from "#server/http/bodies.ts";
import type { BodyLimit } from "#server/http/limits.ts";
import { LiveStreams } from "#server/http/streams.ts";

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
    return c.text("done");
  });
  const answers: (string | undefined)[] = [];
  const send = ({ address = "campus", headers = ONE_MB, complete = false }: Sent = {}) => {
    const at = answers.push(undefined) - 1;
    const incoming = { headers, complete };
    const answer = app.request("/", { method: "POST", headers: { address } }, { incoming });
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

test("700 uploads of one address may run and 1,500 in all; a further one is refused, and none is ended", async () => {
  const { send, answered } = serverWith({ kind: "file", bytes: 100 * MB });
  for (let sent = 0; sent < 701; sent++) void send();
  expect(await answered()).toEqual([...many(700, undefined), "UNAVAILABLE 5"]);
  for (let sent = 0; sent < 801; sent++) void send({ address: `host ${sent}` });
  expect((await answered()).slice(701)).toEqual([...many(800, undefined), "UNAVAILABLE 5"]);
});

test("of 501 requests that still send after their answer the oldest is ended, and all were told to close", async () => {
  const app = new Hono();
  app.use(respondEarly({ addressOf: (c) => c.req.header("address") ?? "" }));
  app.post("/", (c) => c.text("No", 404));
  const requests: Readable[] = [];
  for (let sent = 0; sent < 501; sent++) {
    const incoming = Object.assign(new Readable({ read() {} }), { complete: false });
    requests.push(incoming);
    const headers = { address: `host ${sent % 3}` };
    const response = await app.request("/", { method: "POST", headers }, { incoming });
    const { connection, "content-length": length } = Object.fromEntries(response.headers);
    expect([response.status, connection, length]).toEqual([404, "close", "2"]);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("No");
    void reader?.read();
    await new Promise(setImmediate);
    if (sent === 499) expect(requests.filter(({ destroyed }) => destroyed)).toEqual([]);
  }
  expect(requests.map(({ destroyed }) => destroyed)).toEqual([true, ...many(500, false)]);
});

test("the connection of a request that is complete stays open for the next one", async () => {
  const app = new Hono();
  app.use(respondEarly({ addressOf: () => "campus" }));
  app.post("/", (c) => c.text("Yes"));
  const incoming = Object.assign(new Readable({ read() {} }), { complete: true });
  const response = await app.request("/", { method: "POST" }, { incoming });
  expect([response.headers.get("connection"), await response.text()]).toEqual([null, "Yes"]);
});

test("a server holds 1,500 live streams, 36 of an account and 12 of a session, and refuses the next account", () => {
  const streams = new LiveStreams();
  const opened = Array.from({ length: 1500 }, (_, index) =>
    streams.take({
      session: `session ${Math.floor(index / 12)}`,
      account: `account ${Math.floor(index / 36)}`,
    }),
  );
  expect(opened.filter(({ signal }) => signal.aborted)).toEqual([]);
  expect(() => streams.take({ session: "another", account: "another" })).toThrow("too much to do");
  opened.at(-1)?.close();
  expect(streams.open).toBe(1499);
  expect(streams.take({ session: "another", account: "another" }).signal.aborted).toBe(false);
});
