import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "#db/open.ts";
import { transact } from "#db/transaction.ts";
import { deleteOldEvents, recordLiveEvent } from "#server/orders/live/live.service.ts";
import type { BoardEvent, OrderEvent } from "#shared/live-events.ts";
import { copyOrder, moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { logInAgain, type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { LiveStream } from "../setup/live-stream.ts";
import { startTestStore, testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let otherShopId: string;
let owner: StaffPerson;
let order: PlacedOrder;
beforeAll(async () => {
  [shopId, otherShopId] = await shopIds(store);
  owner = await signedInOwner(store, [shopId]);
  order = await placeOrder(store, shopId);
});
// Some tests wait for days, longer than sessions of staff last.
beforeEach(() => logInAgain(owner));

async function follow(visitor: ApiClient, lastEventId?: string): Promise<LiveStream> {
  const stream = await LiveStream.open(visitor, lastEventId);
  onTestFinished(() => stream.close());
  return stream;
}

const idOf = (events: BoardEvent[]) => events.at(-1)?.id ?? "";
const summary = (events: BoardEvent[]) =>
  (events as OrderEvent[]).map(({ kind, orderId, state }) => [kind, orderId, state]);

describe("the live stream of the board", () => {
  test("starts with a sync, then reports placed, moved, noted and cancelled orders", async () => {
    const stream = await follow(owner.visitor);
    expect((await stream.until(1))[0]?.kind).toBe("sync");

    const placed = await placeAnother(order.visitor, order.student, shopId);
    const { id: orderId } = placed;
    await owner.visitor.mutate("board.move", { orderId, from: "placed", to: "printing" });
    await owner.visitor.mutate("board.note", { orderId, body: "The toner is low" });
    await owner.visitor.mutate("board.cancel", { orderId, from: "printing", reason: "No toner" });

    const [, ...events] = await stream.until(5);
    expect(summary(events)).toEqual([
      ["placed", orderId, "placed"],
      ["moved", orderId, "printing"],
      ["noted", orderId, "printing"],
      ["moved", orderId, "cancelled"],
    ]);
    expect(events[0]).toMatchObject({ shopId, at: store.deps.now().toISOString() });
  });

  test("says every five seconds that the line holds, without repeating or skipping an event", async () => {
    const stream = await follow(owner.visitor);
    await expect.poll(() => stream.signs, { timeout: 9000 }).toBe(1);
    await placeAnother(order.visitor, order.student, shopId);
    expect((await stream.until(2)).map(({ kind }) => kind)).toEqual(["sync", "placed"]);
  });

  test("reports to an owner only their own shops, to an admin all", async () => {
    const admin = await signedInAdmin(store);
    const streams = [await follow(owner.visitor), await follow(admin.visitor)] as const;
    await Promise.all(streams.map((stream) => stream.until(1)));

    const elsewhere = await placeAnother(order.visitor, order.student, otherShopId);
    const here = await placeAnother(order.visitor, order.student, shopId);

    const [, ...toAdmin] = await streams[1].until(3);
    const [, ...toOwner] = await streams[0].until(2);
    expect(summary(toAdmin).map(([, id]) => id)).toEqual([elsewhere.id, here.id]);
    expect(summary(toOwner).map(([, id]) => id)).toEqual([here.id]);
  });

  test("reports to an admin as soon as it happens, not only when the line is checked", async () => {
    const stream = await follow((await signedInAdmin(store)).visitor);
    await stream.until(1);
    for (const seen of [2, 3]) {
      await placeAnother(order.visitor, order.student, shopId);
      await stream.until(seen);
    }
    expect(stream.signs).toBeLessThan(2);
  });

  test("tells to load again when an owner is given a shop while it is open, and then includes it", async () => {
    const { visitor, userId } = await signedInOwner(store, [shopId]);
    const stream = await follow(visitor);
    await stream.until(1);

    await store.deps.db
      .insertInto("shop_staff")
      .values({ user_id: userId, shop_id: otherShopId, created_at: store.deps.now().toISOString() })
      .execute();
    await placeAnother(order.visitor, order.student, shopId);
    expect((await stream.until(2)).map(({ kind }) => kind)).toEqual(["sync", "sync"]);
    const elsewhere = await placeAnother(order.visitor, order.student, otherShopId);

    // Before it comes the order in their own shop, where the stream looked at their shops before that was placed.
    await expect.poll(() => summary(stream.events).at(-1)).toEqual(["placed", elsewhere.id, "placed"]);
  });

  test("after a reconnect sends everything missed, in order and once", async () => {
    const first = await follow(owner.visitor);
    const lastSeen = idOf(await first.until(1));
    first.close();
    await first.ended;
    const missed = await copyOrder(store, order, moments(3));
    await moveTo(owner.visitor, missed[0] ?? "", "printing");

    const second = await follow(owner.visitor, lastSeen);
    const events = await second.until(4);
    const later = await copyOrder(store, order, moments(1));

    expect(summary(await second.until(5))).toEqual([
      ...missed.map((id) => ["placed", id, "placed"]),
      ["moved", missed[0], "printing"],
      ["placed", later[0], "placed"],
    ]);
    expect(Number(idOf(events)) - Number(lastSeen)).toBe(4);
  });

  test("misses and repeats nothing with many writers and random disconnects", async () => {
    const ids = await copyOrder(store, order, moments(40));
    const moves = ids.map((orderId) => ({ orderId, from: "placed", to: "printing" }));
    let lastSeen = idOf(await (await follow(owner.visitor)).until(1));
    const writing = Promise.all(
      moves.map((move, index) => sleep(index * 10).then(() => owner.visitor.mutate("board.move", move))),
    );

    const seen: BoardEvent[] = [];
    while (seen.length < ids.length) {
      const stream = await follow(owner.visitor, lastSeen);
      await sleep(30 + Math.random() * 60);
      stream.close();
      await stream.ended;
      seen.push(...stream.events);
      lastSeen = seen.at(-1)?.id ?? lastSeen;
    }
    await writing;

    expect(seen.map(({ id }) => Number(id))).toEqual(ids.map((_, index) => Number(seen[0]?.id) + index));
    expect(new Set(summary(seen).map(([, id]) => id))).toEqual(new Set(ids));
  });

  test("a screen that reconnects at any moment learns of every event once, in order, or is told to load again", async () => {
    const write = fc.record({
      action: fc.constant("write" as const),
      // One list of events for each of the transactions that run at the same time.
      transactions: fc.array(
        fc.record({
          here: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
          holdMs: fc.nat(3),
          fails: fc.boolean(),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    });
    // The screen is away while events are written one by one and old ones are deleted.
    const away = fc.record({
      action: fc.constant("away" as const),
      here: fc.array(fc.boolean(), { maxLength: 4 }),
      keep: fc.nat(3),
    });
    const others = fc.constantFrom("connect", "break", "wait").map((action) => ({ action }));
    const steps = fc.array(fc.oneof({ arbitrary: write, weight: 2 }, others, others, away), {
      ...{ minLength: 8, maxLength: 24, size: "max" },
    });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const screen = new Screen();
        const writing: Promise<void>[] = [];
        for (const step of taken) {
          if ("transactions" in step) {
            for (const { here, ...how } of step.transactions) writing.push(writeEvents(here, how));
          } else if ("keep" in step) {
            await screen.disconnect();
            await Promise.all(writing);
            for (const isHere of step.here) await writeEvents([isHere], { holdMs: 0, fails: false });
            await forgetEvents(step.keep);
            await screen.connect();
          } else if (step.action === "connect") await screen.connect();
          else if (step.action === "break") await screen.disconnect();
          else await sleep(5);
        }
        await Promise.all(writing);
        await screen.connect();
        await writeEvents([true], { holdMs: 0, fails: false });
        await screen.receives(committed.at(-1) ?? "");
        await screen.disconnect();
        expect(screen.unknown()).toEqual([]);
      }),
      { numRuns: 15, examples: [[[{ action: "connect" }, { action: "away", here: [true, true], keep: 0 }]]] },
    );
  });

  test("a screen that missed more than a thousand events gets them all", async () => {
    const lastSeen = idOf(await (await follow(owner.visitor)).until(1));
    await writeEvents(Array(1100).fill(true), { holdMs: 0, fails: false });
    const events = await (await follow(owner.visitor, lastSeen)).until(1100);
    expect(events.map(({ id }) => Number(id))).toEqual(
      events.map((_, index) => Number(lastSeen) + 1 + index),
    );
  });

  test("a screen that missed more than five thousand is told to load again: anybody could have a week of them read", async () => {
    const lastSeen = Number(idOf(await (await follow(owner.visitor)).until(1)));
    await addEvents(lastSeen, 5001);
    const [first] = await (await follow(owner.visitor, String(lastSeen))).until(1);
    expect(first).toEqual({ id: String(lastSeen + 5001), kind: "sync" });
    const [next] = await (await follow(owner.visitor, String(lastSeen + 1))).until(5000);
    expect(next).toMatchObject({ id: String(lastSeen + 2), kind: "moved" });
  });

  test("starts with a sync if the last event is too old or was never known", async () => {
    const stream = await follow(owner.visitor);
    const lastSeen = idOf(await stream.until(1));
    await copyOrder(store, order, moments(2));
    store.clock.advance({ days: 8 });
    await deleteOldEvents(store.deps);
    await logInAgain(owner);

    for (const place of [lastSeen, "999999999", "nonsense"]) {
      const again = await follow(owner.visitor, place);
      const [event] = await again.until(1);
      expect([place, event?.kind]).toEqual([place, "sync"]);
      expect(Number(event?.id)).toBe(Number(lastSeen) + 2);
    }
  });

  test("continues after up to 7 days, and starts over with a sync after longer", async () => {
    const lastSeen = idOf(await (await follow(owner.visitor)).until(1));
    await copyOrder(store, order, moments(1));
    const goOn = async (ms: number) => {
      store.clock.advance({ days: ms === 0 ? 7 : 0, ms });
      await deleteOldEvents(store.deps);
      await logInAgain(owner);
      const [event] = await (await follow(owner.visitor, lastSeen)).until(1);
      return event?.kind;
    };
    expect(await goOn(0)).toBe("placed");
    expect(await goOn(1)).toBe("sync");
  });

  test("forgets events in the order of their numbers, even if a later number has an earlier time", async () => {
    const stream = await follow(owner.visitor);
    await stream.until(1);
    const now = store.clock.now().getTime();
    for (const ms of [now + 1, now])
      await transact(store.deps.db, (trx) =>
        recordLiveEvent(trx, { now: () => new Date(ms) }, "moved", {
          id: order.id,
          shop_id: shopId,
          state: "placed",
        }),
      );
    const [, first] = await stream.until(3);
    await deleteOldEvents({ db: store.deps.db, now: () => new Date(now + 1 + 7 * 24 * 60 * 60_000) });

    const [event] = await (await follow(owner.visitor, first?.id)).until(1);
    expect(event?.kind).toBe("sync");
  });

  test("continues without a sync at the head of an emptied log", async () => {
    const lastSeen = idOf(await (await follow(owner.visitor)).until(1));
    store.clock.advance({ days: 8 });
    await deleteOldEvents(store.deps);
    await logInAgain(owner);

    const stream = await follow(owner.visitor, lastSeen);
    await copyOrder(store, order, moments(1));

    expect((await stream.until(1))[0]?.kind).toBe("placed");
  });

  test("reports a change by another server", async () => {
    const stream = await follow(owner.visitor);
    await stream.until(1);
    const another = await openDatabase(store.deps.config.databaseUrl);
    onTestFinished(() => another.close());

    await transact(another.db, (trx) =>
      recordLiveEvent(trx, store.deps, "noted", { id: order.id, shop_id: shopId, state: "placed" }),
    );

    expect(summary((await stream.until(2)).slice(1))).toEqual([["noted", order.id, "placed"]]);
  });

  test("numbers events without gaps after a rollback", async () => {
    const { db } = store.deps;
    const change = { id: order.id, shop_id: shopId, state: "placed" } as const;
    const headOf = () => db.selectFrom("live_event_head").select("seq").executeTakeFirstOrThrow();
    const before = await headOf();

    const failing = transact(db, async (trx) => {
      await recordLiveEvent(trx, store.deps, "noted", change);
      throw new Error("rolled back by the test");
    });
    await expect(failing).rejects.toThrow("rolled back by the test");
    await transact(db, (trx) => recordLiveEvent(trx, store.deps, "noted", change));

    expect((await headOf()).seq).toBe(before.seq + 1);
  });
});

describe("the stream ends", () => {
  test("when the session ends, and sends nothing more", async () => {
    const { visitor } = await signedInOwner(store, [shopId]);
    const stream = await follow(visitor);
    await stream.until(1);

    await visitor.post("/api/v1/users/logout");
    await placeAnother(order.visitor, order.student, shopId);
    await stream.ended;

    expect(stream.failure).toBe("UNAUTHENTICATED");
    expect(stream.events).toHaveLength(1);
  });

  test("when the role is removed, and sends nothing more", async () => {
    const { visitor, userId } = await signedInOwner(store, [shopId]);
    const stream = await follow(visitor);
    await stream.until(1);

    await store.deps.db.updateTable("users").set({ role: "customer" }).where("id", "=", userId).execute();
    await placeAnother(order.visitor, order.student, shopId);
    await stream.ended;

    expect(stream.failure).toBe("FORBIDDEN");
    expect(stream.events).toHaveLength(1);
  });

  test("for a shop whose staff the person no longer belongs to, and tells to load again", async () => {
    const { visitor, userId } = await signedInOwner(store, [shopId, otherShopId]);
    const stream = await follow(visitor);
    await stream.until(1);

    await store.deps.db
      .deleteFrom("shop_staff")
      .where("user_id", "=", userId)
      .where("shop_id", "=", otherShopId)
      .execute();
    await placeAnother(order.visitor, order.student, otherShopId);
    expect((await stream.until(2)).map(({ kind }) => kind)).toEqual(["sync", "sync"]);
    await placeAnother(order.visitor, order.student, otherShopId);
    const here = await placeAnother(order.visitor, order.student, shopId);

    expect(summary((await stream.until(3)).slice(2))).toEqual([["placed", here.id, "placed"]]);
  });

  test("when the server stops, before its connection is cut, so that browsers reconnect", async () => {
    const own = await startTestStore();
    const admin = await signedInAdmin(own);
    const stream = await LiveStream.open(admin.visitor);
    await stream.until(1);

    await own.stop();
    await stream.ended;
    expect(stream.failure).toBe("UNAVAILABLE");
    expect(stream.messages.map(({ event }) => event)).not.toContain("return");
  });
});

/** The times of the committed events of the owner's shop, each of which is different, in the order of their commits. */
const committed: string[] = [];
let written = 0;

/** Writes an event for each entry in one transaction: of the owner's shop if true, otherwise of another one. */
async function writeEvents(here: boolean[], { holdMs, fails }: { holdMs: number; fails: boolean }) {
  const own: string[] = [];
  const writing = transact(store.deps.db, async (trx) => {
    for (const isHere of here) {
      const at = new Date(store.clock.now().getTime() + written++);
      const change = { id: order.id, shop_id: isHere ? shopId : otherShopId, state: "placed" } as const;
      await recordLiveEvent(trx, { now: () => at }, "moved", change);
      if (isHere) own.push(at.toISOString());
    }
    await sleep(holdMs);
    if (fails) throw new Error("rolled back by the test");
  });
  await writing.then(
    () => committed.push(...own),
    (error) => expect(error.message).toBe("rolled back by the test"),
  );
}

/** Adds as many events of the owner's shop after this number, faster than by writing one after the other. */
async function addEvents(last: number, count: number): Promise<void> {
  const created_at = store.clock.now().toISOString();
  const event = { order_id: order.id, shop_id: shopId, kind: "moved", state: "placed", created_at } as const;
  const rows = Array.from({ length: count }, (_, index) => ({ ...event, seq: last + 1 + index }));
  await transact(store.deps.db, async (trx) => {
    for (let at = 0; at < count; at += 1000)
      await trx
        .insertInto("live_events")
        .values(rows.slice(at, at + 1000))
        .execute();
    await trx
      .updateTable("live_event_head")
      .set({ seq: last + count })
      .execute();
  });
}

/** Deletes the events that are older than the newest few, as if the newest of them were older than a week. */
async function forgetEvents(keep: number): Promise<void> {
  const oldestKept = committed.at(-1 - keep);
  const week = 7 * 24 * 60 * 60_000;
  if (oldestKept)
    await deleteOldEvents({ db: store.deps.db, now: () => new Date(Date.parse(oldestKept) + week) });
}

/** A board in a browser: it notes which events it knows, and loads everything again when it is told to. */
class Screen {
  #stream: LiveStream | null = null;
  #taken = 0;
  #lastSeen: string | undefined;
  #known = new Set<string>();

  async connect(): Promise<void> {
    if (this.#stream) return;
    const stream = await LiveStream.open(owner.visitor, this.#lastSeen);
    this.#stream = stream;
    this.#taken = 0;
    // A sync comes at once, and means what is committed when it comes.
    for (let tries = 0; tries < 10 && stream.events.length === 0; tries++) await sleep(2);
    this.#take();
  }

  async disconnect(): Promise<void> {
    this.#stream?.close();
    await this.#stream?.ended;
    this.#take();
    this.#stream = null;
  }

  async receives(at: string): Promise<void> {
    const isThere = () => {
      this.#take();
      return this.#known.has(at);
    };
    // Unlike a poll it ends with the first event that must not have come.
    await vi.waitUntil(isThere, { interval: 5, timeout: 90_000 });
  }

  /** The committed events that it does not know. */
  unknown(): string[] {
    return committed.filter((at) => !this.#known.has(at));
  }

  #take(): void {
    for (const event of this.#stream?.events.slice(this.#taken) ?? []) {
      this.#taken++;
      if (this.#lastSeen) expect(Number(event.id)).toBeGreaterThanOrEqual(Number(this.#lastSeen));
      if (event.kind === "sync") this.#known = new Set(committed);
      else {
        expect(event.id).not.toBe(this.#lastSeen);
        expect(event.shopId).toBe(shopId);
        this.#known.add(event.at);
      }
      this.#lastSeen = event.id;
    }
  }
}

function moments(count: number): { placedAt: string }[] {
  return Array.from({ length: count }, () => ({ placedAt: store.deps.now().toISOString() }));
}
