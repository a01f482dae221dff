import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { Capacity, Downloads, LiveStreams, limitUnread } from "#server/http/streams.ts";

const EVICTS = { endsOldest: true };
const REFUSES = { endsOldest: false };

describe("a limit that ends the oldest holder", () => {
  test("ends as many of the oldest holders of the same key as the new one needs", () => {
    const capacity = new Capacity({ address: { max: 10, ...EVICTS }, all: { max: 100, ...REFUSES } });
    const ended: string[] = [];
    const take = (address: string, amount: number, name: string) =>
      capacity.take({ amount, keys: { address, all: "" }, end: () => ended.push(name) });
    take("b", 10, "b1");
    for (const name of ["a1", "a2", "a3"]) take("a", 3, name);
    expect(take("a", 6, "a4")).not.toBeNull();
    expect(ended).toEqual(["a1", "a2"]);
    expect([capacity.held("address", "a"), capacity.held("all", "")]).toEqual([9, 19]);
  });

  test("skips holders that may not be ended, and refuses when none can be", () => {
    const capacity = new Capacity({ all: { max: 2, ...EVICTS } });
    const take = (mayEnd: boolean) => capacity.take({ keys: { all: "" }, mayEnd: () => mayEnd });
    take(false);
    take(true);
    expect(take(false)).not.toBeNull();
    expect(take(true)).toBeNull();
    expect(capacity.held("all", "")).toBe(2);
  });

  test("accepts the first holder up to the maximum, and none above it", () => {
    const capacity = new Capacity({ all: { max: 10, ...EVICTS } });
    expect(capacity.take({ amount: 11, keys: { all: "" } })).toBeNull();
    expect(capacity.take({ amount: 10, keys: { all: "" } })).not.toBeNull();
  });
});

test("a limit that refuses ends nobody, and accepts again after a holder has left", () => {
  const capacity = new Capacity({ all: { max: 1, ...REFUSES } });
  const end = () => expect.unreachable();
  const leave = capacity.take({ keys: { all: "" }, end });
  expect(capacity.take({ keys: { all: "" } })).toBeNull();
  leave?.();
  leave?.();
  expect(capacity.held("all", "")).toBe(0);
  expect(capacity.take({ keys: { all: "" } })).not.toBeNull();
});

test("the 13th stream of a session and the 37th of an account end their oldest, those of others stay", () => {
  const streams = new LiveStreams();
  const open = (count: number, session: (index: number) => string, account: string) =>
    Array.from({ length: count }, (_, index) => streams.take({ session: session(index), account }));
  const others = open(12, () => "of ravi", "ravi");
  const ofSession = open(13, () => "of asha", "asha");
  expect(ofSession.map(({ signal }) => signal.aborted)).toEqual([true, ...Array(12).fill(false)]);
  const ofAccount = open(37, (index) => `${index} of veena`, "veena");
  expect(ofAccount.map(({ signal }) => signal.aborted)).toEqual([true, ...Array(36).fill(false)]);
  expect(others.filter(({ signal }) => signal.aborted)).toEqual([]);
  expect(streams.open).toBe(12 + 12 + 36);
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
  expect(() => streams.take({ session: "another", account: "another" })).toThrow(
    expect.objectContaining({ code: "UNAVAILABLE" }),
  );
  opened.at(-1)?.close();
  expect(streams.open).toBe(1499);
  expect(streams.take({ session: "another", account: "another" }).signal.aborted).toBe(false);
});

describe("files that are sent", () => {
  /** A server that sends files to accounts, or where these are null to guests. */
  function server() {
    const downloads = new Downloads();
    return (account: string | null, address = "192.0.2.1", closed = false) => {
      const answer = { closed, isBroken: false, destroy: () => (outgoing.isBroken = true) };
      const outgoing = Object.assign(new EventEmitter(), answer);
      const actor = account === null ? { kind: "guest" } : { kind: "user", user: { _id: account } };
      downloads.begin({ actor, address } as never, { outgoing } as never);
      return outgoing;
    };
  }
  type Sent = { isBroken: boolean };
  const isBroken = (sent: Sent) => sent.isBroken;

  test("the 121st to an account breaks off its oldest, those of others at its address go on", () => {
    const send = server();
    const others = Array.from({ length: 120 }, () => send("ravi"));
    const own = Array.from({ length: 121 }, () => send("asha"));
    expect(own.map(isBroken)).toEqual([true, ...Array(120).fill(false)]);
    expect(others.filter(isBroken)).toEqual([]);
  });

  test("the 121st to a guest breaks off the oldest of their network, which has many addresses", () => {
    const send = server();
    const neighbour = send(null, "2001:db8:1:3::1");
    const own = Array.from({ length: 121 }, (_, index) => send(null, `2001:db8:1:2::${index.toString(16)}`));
    expect(own.map(isBroken)).toEqual([true, ...Array(120).fill(false)]);
    expect(neighbour.isBroken).toBe(false);
  });

  test("a server sends 1,000, and the next one breaks off the oldest where each reader has as many", () => {
    const send = server();
    const all = Array.from({ length: 1000 }, (_, index) => send(`reader ${index % 500}`));
    expect(all.filter(isBroken)).toEqual([]);
    send("another");
    expect(all.map(isBroken)).toEqual([true, ...Array(999).fill(false)]);
  });

  test("one to a reader of few goes on, however many more are sent to readers of many", () => {
    const send = server();
    const pack = send("shop");
    const hoarded = Array.from({ length: 999 + 500 }, (_, index) => send(`reader ${index % 9}`));
    expect(pack.isBroken).toBe(false);
    expect(hoarded.filter(isBroken)).toHaveLength(500);
  });

  test("one that has arrived counts no more, nor does one whose reader has gone before", () => {
    const send = server();
    const slow = send("asha");
    for (let count = 0; count < 120; count++) {
      send("asha").emit("close");
      send("asha", undefined, true);
    }
    for (let count = 0; count < 1000; count++) send(`reader ${count}`).emit("close");
    expect(slow.isBroken).toBe(false);
  });
});

describe("finished answers that wait for their readers", () => {
  const MB = 1024 * 1024;

  /** A server that sends answers of which the operating system leaves so many bytes. */
  function server() {
    const middleware = limitUnread((c) => c.env.address);
    return (address: string, writableLength: number) => {
      const sent = {
        isBroken: false,
        outgoing: Object.assign(new EventEmitter(), { socket: {}, writableLength }),
      };
      const socket = { destroy: () => (sent.isBroken = true) };
      const incoming = Object.assign(new EventEmitter(), { socket });
      void middleware({ env: { address, incoming, outgoing: sent.outgoing } } as never, async () => {});
      sent.outgoing.emit("prefinish");
      return sent;
    };
  }
  const broken = (sent: { isBroken: boolean }[]) => sent.map(({ isBroken }) => isBroken);

  test("hold 48 MB of one network; one byte more breaks off its oldest, and nobody else's", () => {
    const send = server();
    const other = send("campus", MB);
    const own = [send("attacker", MB), send("attacker", 47 * MB)];
    expect(broken(own)).toEqual([false, false]);
    send("attacker", 1);
    expect(broken([...own, other])).toEqual([true, false, false]);
  });

  test("hold 192 MB in all; one byte more breaks off the oldest of the network that holds most", () => {
    const send = server();
    const other = send("campus", MB);
    const own = [1, 2, 3].map((network) => send(`attacker ${network}`, 47 * MB));
    own.push(send("attacker 4", 48 * MB));
    expect(broken(own)).toEqual([false, false, false, false]);
    send("school", 2 * MB + 1);
    expect(broken([...own, other])).toEqual([false, false, false, true, false]);
  });

  test("leave room for requests that wait behind them, each of 40 kB until its connection breaks off", async () => {
    const middleware = limitUnread(() => "campus");
    const sent = { isBroken: false };
    const request = () => {
      const socket = { destroy: () => (sent.isBroken = true) };
      const incoming = Object.assign(new EventEmitter(), { socket });
      const env = { incoming, outgoing: Object.assign(new EventEmitter(), { socket: null }) };
      return { incoming, answered: middleware({ env } as never, async () => {}) };
    };
    const most = Math.floor((48 * MB) / (40 * 1024));
    for (let count = 0; count <= most; count++) {
      const { incoming, answered } = request();
      incoming.emit("error", new Error("aborted"));
      await expect(answered).rejects.toThrow("aborted");
    }
    for (let count = 0; count < most; count++) request();
    expect(sent.isBroken).toBe(false);
    request();
    expect(sent.isBroken).toBe(true);
  });

  test("count no more once they are read, and never if the operating system takes them whole", () => {
    const send = server();
    const slow = send("campus", MB);
    for (let count = 0; count < 100; count++) {
      send("campus", MB).outgoing.emit("close");
      send("campus", 0);
    }
    expect(slow.isBroken).toBe(false);
    expect(send("campus", 48 * MB + 1).isBroken).toBe(true);
  });
});
