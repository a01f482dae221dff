import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { Downloads, LiveStreams } from "#server/http/streams.ts";

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

test("the 121st file that is sent to an account breaks off its oldest, those of others at its address go on", () => {
  const downloads = new Downloads();
  const send = (_id: string) => {
    const answer = { closed: false, isBroken: false, destroy: () => (outgoing.isBroken = true) };
    const outgoing = Object.assign(new EventEmitter(), answer);
    const reader = { actor: { kind: "user", user: { _id } }, address: "192.0.2.1" };
    downloads.begin(reader as never, { outgoing } as never);
    return outgoing;
  };
  const others = Array.from({ length: 120 }, () => send("ravi"));
  const own = Array.from({ length: 121 }, () => send("asha"));
  expect(own.map(({ isBroken }) => isBroken)).toEqual([true, ...Array(120).fill(false)]);
  expect(others.filter(({ isBroken }) => isBroken)).toEqual([]);
});
