import { expect, test } from "vitest";
import { ORDER_STATES } from "#shared/order-states.ts";
import { fuzzOrders } from "../fuzz/order-fuzz.ts";
import { testStore } from "../setup/test-store.ts";

const SEED = 20_261_121;

const store = testStore();

test("after any sequence of actions prices are as agreed, states follow the table and files are deleted in time", async () => {
  const [report] = await fuzzOrders(store, { seed: SEED, sequences: 15 });
  expect(report?.failure).toBeNull();
  expect(report?.requests).toBe(15);
  expect(Object.keys(report?.answers ?? {}).sort()).toEqual(
    ORDER_STATES.map((state) => `orders ${state}`).sort(),
  );
});
