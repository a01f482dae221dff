import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/open.ts";
import { transact } from "#db/transaction.ts";
import { deleteOldEvents, recordEvent } from "#server/orders/events/events.service.ts";
import type { BoardEvent, OrderEvent } from "#shared/live-events.ts";
import { copyOrder, moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { logInAgain, type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { LiveStream } from "../setup/live-stream.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
let shopId: string;
let otherShopId: string;
let owner: StaffPerson;
let order: PlacedOrder;
beforeAll(async () => {
  store = await startTestStore();
  [shopId, otherShopId] = await shopIds(store);
  owner = await signedInOwner(store, [shopId]);
  order = await placeOrder(store, shopId);
});
afterAll(() => store.stop());
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

  test("includes a shop that an owner is given while it is open", async () => {
    const { visitor, userId } = await signedInOwner(store, [shopId]);
    const stream = await follow(visitor);
    await stream.until(1);

    await store.deps.db
      .insertInto("shop_staff")
      .values({ user_id: userId, shop_id: otherShopId, created_at: store.deps.now().toISOString() })
      .execute();
    const elsewhere = await placeAnother(order.visitor, order.student, otherShopId);

    expect(summary((await stream.until(2)).slice(1))).toEqual([["placed", elsewhere.id, "placed"]]);
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

  test("continues without a sync at the head of an emptied log", async () => {
    const lastSeen = idOf(await (await follow(owner.visitor)).until(1));
    store.clock.advance({ days: 8 });
    await deleteOldEvents(store.deps);
    await logInAgain(owner);

    const stream = await follow(owner.visitor, lastSeen);
    await copyOrder(store, order, moments(1));

    expect((await stream.until(1))[0]?.kind).toBe("placed");
  });

  test("reports a change by another server within two seconds", async () => {
    const stream = await follow(owner.visitor);
    await stream.until(1);
    const another = await openDatabase(store.deps.config.databaseUrl);
    onTestFinished(() => another.close());

    await transact(another.db, (trx) =>
      recordEvent(trx, store.deps, "noted", { id: order.id, shop_id: shopId, state: "placed" }),
    );
    const writtenAt = performance.now();

    expect(summary((await stream.until(2)).slice(1))).toEqual([["noted", order.id, "placed"]]);
    expect(performance.now() - writtenAt).toBeLessThan(2500);
  });

  test("numbers events without gaps after a rollback", async () => {
    const { db } = store.deps;
    const change = { id: order.id, shop_id: shopId, state: "placed" } as const;
    const headOf = () => db.selectFrom("live_event_head").select("seq").executeTakeFirstOrThrow();
    const before = await headOf();

    const failing = transact(db, async (trx) => {
      await recordEvent(trx, store.deps, "noted", change);
      throw new Error("rolled back by the test");
    });
    await expect(failing).rejects.toThrow("rolled back by the test");
    await transact(db, (trx) => recordEvent(trx, store.deps, "noted", change));

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

  test("for a shop whose staff the person no longer belongs to", async () => {
    const { visitor, userId } = await signedInOwner(store, [shopId, otherShopId]);
    const stream = await follow(visitor);
    await stream.until(1);

    await store.deps.db
      .deleteFrom("shop_staff")
      .where("user_id", "=", userId)
      .where("shop_id", "=", otherShopId)
      .execute();
    await placeAnother(order.visitor, order.student, otherShopId);
    const here = await placeAnother(order.visitor, order.student, shopId);

    expect(summary((await stream.until(2)).slice(1))).toEqual([["placed", here.id, "placed"]]);
  });

  test("within a second when the server stops, so that browsers reconnect", async () => {
    const own = await startTestStore();
    const admin = await signedInAdmin(own);
    const stream = await LiveStream.open(admin.visitor);
    await stream.until(1);

    const stoppedAt = performance.now();
    await own.stop();

    expect(performance.now() - stoppedAt).toBeLessThan(1000);
    await stream.ended;
    expect(stream.failure).toBe("UNAVAILABLE");
    expect(stream.messages.map(({ event }) => event)).not.toContain("return");
  });
});

function moments(count: number): { placedAt: string }[] {
  return Array.from({ length: count }, () => ({ placedAt: store.deps.now().toISOString() }));
}
