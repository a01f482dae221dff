import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { LiveStream } from "../setup/live-stream.ts";
import { TestCluster } from "../setup/test-cluster.ts";
import type { TestStore } from "../setup/test-store.ts";

let cluster: TestCluster;
let a: TestStore;
let b: TestStore;
let c: TestStore;
let shopId: string;
let staff: ApiClient;
beforeAll(async () => {
  cluster = await TestCluster.open();
  [a, b, c] = [await cluster.server(), await cluster.server(), await cluster.server()];
  [shopId] = await shopIds(a);
  staff = (await signedInAdmin(a)).visitor;
});
afterAll(() => cluster.stop());

async function follow(server: TestStore, lastEventId?: string): Promise<LiveStream> {
  const stream = await LiveStream.open(staff.at(server), lastEventId);
  onTestFinished(() => stream.close());
  return stream;
}

test("an order placed at one server appears on a board at another", async () => {
  const board = await follow(b);
  await board.until(1);
  const { visitor, student } = await placeOrder(c, shopId);
  await board.until(2);
  for (let time = 0; time < 5; time++) {
    const seen = board.events.length;
    const order = await placeAnother(visitor, student, shopId);
    const events = await board.until(seen + 1);
    expect(events.at(-1)).toMatchObject({ kind: "placed", orderId: order.id });
  }
});

test("a student connected to one server is told of a move made at another", async () => {
  const { id: orderId, visitor } = await placeOrder(a, shopId);
  const own = await LiveStream.openOwn(visitor.at(b));
  onTestFinished(() => own.close());
  await own.until(1);
  await staff.at(c).mutate("board.move", { orderId, from: "placed", to: "printing" });
  const events = await own.until(2);
  expect(events.at(-1)).toMatchObject({ kind: "changed", orderId, state: "printing" });
});

test("a board that reconnects to another server misses nothing and gets nothing twice", async () => {
  const board = await follow(b);
  await board.until(1);
  const first = await placeOrder(a, shopId);
  const last = (await board.until(2)).at(-1)?.id;
  board.close();
  const missed = [await placeOrder(a, shopId), await placeOrder(b, shopId)];

  const resumed = await follow(c, last);
  const later = await placeAnother(first.visitor, first.student, shopId);

  const events = await resumed.until(3);
  expect(events.map((event) => event.kind !== "sync" && event.orderId)).toEqual(
    [...missed, later].map(({ id }) => id),
  );
});

test("boards on all servers get the same events in the same order while all servers take orders", async () => {
  const boards = await Promise.all([a, b, c].map((server) => follow(server)));
  await Promise.all(boards.map((board) => board.until(1)));
  const students = await Promise.all([a, b, c].map((server) => placeOrder(server, shopId)));
  await Promise.all(
    students.flatMap(({ visitor, student }) => [1, 2, 3].map(() => placeAnother(visitor, student, shopId))),
  );
  const heard = await Promise.all(boards.map((board) => board.until(13)));
  const numbers = heard.map((events) => events.slice(1).map(({ id }) => Number(id)));
  const from = numbers[0]?.[0] ?? 0;
  const inOrder = Array.from({ length: 12 }, (_, n) => from + n);
  expect(numbers).toEqual([inOrder, inOrder, inOrder]);
});
