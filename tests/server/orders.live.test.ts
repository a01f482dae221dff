import { beforeAll, expect, onTestFinished, test } from "vitest";
import { copyOrder, moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { LiveStream } from "../setup/live-stream.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let staff: ApiClient;
let order: PlacedOrder;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  staff = (await signedInAdmin(store)).visitor;
  order = await placeOrder(store, shopId);
});

async function follow(visitor: ApiClient, lastEventId?: string) {
  const stream = await LiveStream.openOwn(visitor, lastEventId);
  onTestFinished(() => stream.close());
  return stream;
}

test("a student is told of each move of their own orders, and of nothing else", async () => {
  const stream = await follow(order.visitor);
  expect((await stream.until(1))[0]).toEqual({ id: expect.any(String), kind: "sync" });

  const elsewhere = await placeOrder(store, shopId);
  await moveTo(staff, elsewhere.id, "printed");
  await staff.mutate("board.note", { orderId: order.id, body: "Ask for the cover" });
  await staff.mutate("board.move", { orderId: order.id, from: "placed", to: "printing" });
  await stream.until(2);
  const another = await placeAnother(order.visitor, order.student, shopId);

  const [, ...events] = await stream.until(3);
  expect(events).toEqual([
    { id: expect.any(String), kind: "changed", orderId: order.id, state: "printing" },
    { id: expect.any(String), kind: "changed", orderId: another.id, state: "placed" },
  ]);
});

test("events missed while disconnected are sent on reconnect, in order and once", async () => {
  const first = await follow(order.visitor);
  const [sync] = await first.until(1);
  first.close();
  await first.ended;
  const [missed = ""] = await copyOrder(store, order, [{ placedAt: store.deps.now().toISOString() }]);
  await placeOrder(store, shopId);
  await moveTo(staff, missed, "printing");

  const second = await follow(order.visitor, sync?.id);
  const events = await second.until(2);
  expect(events.map((event) => "state" in event && [event.orderId, event.state])).toEqual([
    [missed, "placed"],
    [missed, "printing"],
  ]);
});

test("the stream ends with the session, at the next move or soon after", async () => {
  const gone = await placeOrder(store, shopId);
  const stream = await follow(gone.visitor);
  await stream.until(1);
  await gone.visitor.post("/api/v1/users/logout");

  await moveTo(staff, gone.id, "printing");
  await stream.ended;
  expect(stream.failure).toBe("UNAUTHENTICATED");
  expect(stream.events).toHaveLength(1);

  const silent = await placeOrder(store, shopId);
  const quiet = await follow(silent.visitor);
  await quiet.until(1);
  await silent.visitor.post("/api/v1/users/logout");
  await quiet.ended;
  expect(quiet.failure).toBe("UNAUTHENTICATED");
});
