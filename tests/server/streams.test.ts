import { connect, type Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "#server/errors.ts";
import { endOf, openStreams } from "../chaos/attack-sockets.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { blackPng } from "../factories/photos.ts";
import { type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { sendPhoto } from "../factories/reprints.ts";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { visitorAs } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { LiveStream } from "../setup/live-stream.ts";
import { type TestStore, tempStore, testStore } from "../setup/test-store.ts";
import { packPath, placeFiles } from "./packs.fixtures.ts";

/** A busy machine needs time for hundreds of streams. */
const WAIT = { timeout: 60_000 };
const PATIENT = 120_000;

const store = testStore();
let shopId: string;
let order: PlacedOrder;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  order = await placeOrder(store, shopId);
});

const open: { close: () => void }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) each.close();
  await vi.waitFor(() => expect(store.deps.streams.open).toBe(0), WAIT);
});

async function follow(visitor: ApiClient) {
  const stream = await LiveStream.openOwn(visitor);
  open.push(stream);
  await stream.until(1);
  return stream;
}

async function followSeveral(visitor: ApiClient, count: number) {
  const streams: Awaited<ReturnType<typeof follow>>[] = [];
  for (let opened = 0; opened < count; opened++) streams.push(await follow(visitor));
  return streams;
}

test(
  "the 13th stream of a session ends the oldest, which says why",
  async () => {
    const [oldest, ...others] = await followSeveral(order.visitor, 13);
    await oldest?.ended;
    expect(oldest?.failure).toBe("RATE_LIMITED");

    const another = await placeAnother(order.visitor, order.student, shopId);
    for (const stream of others) {
      expect((await stream.until(2)).at(-1)).toMatchObject({ kind: "changed", orderId: another.id });
    }
  },
  PATIENT,
);

test(
  "an account may have 36 streams, across sessions",
  async () => {
    const sessions = [order.visitor];
    for (let more = 0; more < 3; more++) {
      const visitor = await visitorAs(store, order.student);
      sessions.push(visitor);
    }
    const [first = [], ...others] = await Promise.all(sessions.map((visitor) => followSeveral(visitor, 10)));
    await vi.waitFor(() => expect(store.deps.streams.open).toBe(36), WAIT);
    expect([...first, ...others.flat()].filter(({ failure }) => failure === "RATE_LIMITED")).toHaveLength(4);
  },
  PATIENT,
);

test(
  "opening 200 streams in one session leaves twelve, and another person's stays open",
  async () => {
    const { visitor } = await signedInAdmin(store);
    const theirs = await LiveStream.open(visitor);
    open.push(theirs);
    await theirs.until(1);
    const attack = await openStreams(store.url, { streams: 200, cookie: order.visitor.cookieHeader });
    open.push(...attack);
    const ends = () => attack.flatMap((stream) => endOf(stream) ?? []);

    await vi.waitFor(() => expect(ends().length).toBe(188), WAIT);

    expect(new Set(ends())).toEqual(new Set(["RATE_LIMITED"]));
    expect(store.deps.streams.open).toBe(13);
    expect(theirs.failure).toBeUndefined();
  },
  PATIENT,
);

test(
  "a stream closed by its reader frees its place",
  async () => {
    const streams = await followSeveral(order.visitor, 12);
    for (const stream of streams.slice(0, 6)) stream.close();
    await vi.waitFor(() => expect(store.deps.streams.open).toBe(6), WAIT);
    await followSeveral(order.visitor, 6);
    expect(streams.slice(6).map(({ failure }) => failure)).toEqual(Array(6).fill(undefined));
  },
  PATIENT,
);

test("a stream that cannot begin, because the database does not answer, takes no place", async () => {
  const { liveEvents } = store.deps;
  onTestFinished(() => {
    store.deps.liveEvents = liveEvents;
  });
  store.deps.liveEvents = { follow: () => Promise.reject(new AppError("UNAVAILABLE", "Not now")) };
  const stream = await LiveStream.openOwn(order.visitor);
  open.push(stream);
  await stream.ended;
  expect([stream.failure, store.deps.streams.open]).toEqual(["UNAVAILABLE", 0]);
});

test("every file, print copy, pack and photo that is sent counts as a download of its reader", async () => {
  const { visitor: student } = order;
  const { visitor: staff, userId } = await signedInAdmin(store);
  const { _id: studentId } = (await student.get("/api/v1/users/getuser")).body.data;
  const notes = { name: "Notes.pdf", bytes: plainPdf(2), pages: "1" };
  const printed = await placeFiles(store, shopId, [notes]);
  const photo = expectDone(await sendPhoto(student, new Uint8Array(blackPng(64)))).id;
  const begin = vi.spyOn(store.deps.downloads, "begin");
  onTestFinished(() => begin.mockRestore());
  for (const [reader, path] of [
    [student, `/files/${order.fileId}`],
    [staff, `/files/${printed.fileIds[0]}`],
    [staff, packPath(printed)],
    [student, `/reprint-photos/${photo}`],
  ] as const)
    await (await reader.fetch(path)).arrayBuffer();
  const readers = begin.mock.calls.map(([{ actor }]) => actor.kind === "user" && actor.user._id);
  expect(readers).toEqual([studentId, userId, userId, studentId]);
});

describe("answers that nobody reads", () => {
  const LIST = "/api/v1/prints/shopslocation";

  /** A store whose list of shops has more than 3 MB. */
  async function storeOfManyShops() {
    const many = await tempStore();
    const { db } = many.deps;
    const [shop] = await db.selectFrom("shops").selectAll().limit(1).execute();
    if (!shop) throw new Error("The store has no shops");
    for (let from = 0; from < 8000; from += 500) {
      const copies = Array.from({ length: 500 }, (_, index) => `copy-${from + index}`);
      await db
        .insertInto("shops")
        .values(copies.map((name) => ({ ...shop, id: name, name })))
        .execute();
    }
    return many;
  }

  /** Sends these requests at once, and reads nothing. */
  function ask({ url }: TestStore, ...paths: string[]): Socket {
    const { host, hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join(""));
    return socket;
  }

  /** Reads what a connection receives, up to the rules for robots. */
  async function receive(socket: Socket): Promise<string> {
    let received = "";
    for await (const part of socket.setEncoding("latin1")) {
      received += part;
      if (part.includes("User-agent")) break;
    }
    return received;
  }

  /** What the operating system takes of an answer by itself, one that waits, and one that is made after that. */
  const ANSWERS = [LIST, LIST, "/robots.txt"];

  test(
    "hold 48 MB of one address: above it, the one that has waited longest breaks off, and the last comes whole",
    async () => {
      const many = await storeOfManyShops();
      const readers = Array.from({ length: 20 }, () => ask(many, ...ANSWERS));
      const [first, last] = [readers[0], readers.at(-1)] as [Socket, Socket];
      // Who does not read is told that the connection is closed only when sending something.
      const isClosed = () => {
        first.write("\r\n");
        return first.destroyed;
      };
      await expect.poll(isClosed).toBe(true);
      expect((await receive(last)).match(/HTTP\/1\.1 200/g)).toHaveLength(3);
    },
    PATIENT,
  );

  test("keep the next request of their connection waiting, for which nothing is done meanwhile", async () => {
    const many = await storeOfManyShops();
    const observe = vi.spyOn(many.deps.metrics, "observeRequest");
    const routes = () => observe.mock.calls.map(([{ route }]) => route);
    const reader = ask(many, ...ANSWERS);
    await expect.poll(() => routes().filter((route) => route === LIST)).toHaveLength(2);
    await many.visitor().get("/healthz");
    expect(routes()).not.toContain("/robots.txt");
    await receive(reader);
    expect(routes()).toContain("/robots.txt");
  });

  test("are let go with the requests that wait behind them when their reader leaves, which is no error", async () => {
    const many = await storeOfManyShops();
    const observe = vi.spyOn(many.deps.metrics, "observeRequest");
    const failed = vi.spyOn(many.deps.log, "error");
    const reader = ask(many, ...ANSWERS);
    await expect.poll(() => observe.mock.calls.length).toBe(2);
    reader.resetAndDestroy();
    // By then the server has heard of it.
    for (let times = 0; times < 10; times++) await many.visitor().get("/healthz");
    expect(failed).not.toHaveBeenCalled();
  });
});

test("an open stream is pinged every 10 seconds: proxies cut connections that are silent for a minute", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { messages } = await follow(order.visitor);
  const pings = () => messages.filter(({ event }) => event === "ping").length;
  vi.advanceTimersByTime(9_999);
  /** Time for a ping to arrive: `expect.poll` would itself move the clock. */
  const requests = async () => {
    for (let times = 0; times < 20 && pings() === 0; times++) await order.visitor.get("/healthz");
  };
  await requests();
  expect(pings()).toBe(0);
  vi.advanceTimersByTime(1);
  await requests();
  expect(pings()).toBe(1);
});
