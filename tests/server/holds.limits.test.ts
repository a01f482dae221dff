import { expect, test } from "vitest";
import { LIMITS, type LimitUse } from "#server/http/rate-limit.ts";
import { mailsTo } from "../factories/mails.ts";
import { getShop, seenByStaff } from "../factories/orders.ts";
import { type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { tempStore } from "../setup/test-store.ts";

/** A shop with two papers of the same price, of which the first has run out, and the orders of two students who wait for it. */
async function busyShop() {
  const store = await tempStore({ RATE_LIMIT_SCALE: "1" });
  const { visitor: admin } = await signedInAdmin(store);
  const papers = [priceEntry("70 GSM", 100), priceEntry("Also 70 GSM", 100)];
  const shop = await shownShop(admin, { ...smallPriceList(), paperTypes: papers });
  const { visitor: clerk, userId: clerkId } = await signedInCounter(store, [shop.id]);
  const orders = [await placeOrder(store, shop.id), await placeOrder(store, shop.id)] as const;
  const { paperTypes } = await getShop(orders[0].visitor, shop.id);
  const [optionId = "", toOptionId = ""] = papers.map(
    ({ name }) => paperTypes.find((paper) => paper.name === name)?._id,
  );
  expectDone(await clerk.mutate("stock.setOut", { shopId: shop.id, optionId, isOut: true }));
  const { user_id: studentId } = await store.deps.readDb
    .selectFrom("orders")
    .select("user_id")
    .where("id", "=", orders[0].id)
    .executeTakeFirstOrThrow();
  return {
    store,
    orders,
    /** Uses up a limit but for so many. */
    async useUp(use: LimitUse, left = 0) {
      const times = LIMITS[use[0]].points - left;
      await store.deps.limits.takeAll(...Array.from({ length: times }, () => use));
    },
    ofStudent: ["holdStudent", studentId, shop.id] as const,
    ofClerk: ["holdStaff", clerkId] as const,
    change: () => clerk.mutate("stock.change", { shopId: shop.id, optionId, toOptionId }),
    ask: () => clerk.mutate("stock.ask", { shopId: shop.id, optionId }),
    hold: (order: PlacedOrder) =>
      clerk.mutate("holds.hold", { orderId: order.id, reason: "A page is cut off" }),
    /** What became of an order, and whether its student was told. */
    async fate({ id, student }: PlacedOrder) {
      const { notes, holds } = await seenByStaff(clerk, id);
      const kinds = (await mailsTo(store, student.email)).map(({ kind }) => kind);
      return {
        isHeld: holds.length > 0,
        isChanged: notes.length > 0,
        isTold: kinds.includes("order-held") || kinds.includes("order-changed"),
      };
    },
  };
}

const UNTOUCHED = { isHeld: false, isChanged: false, isTold: false };

test("beyond a student's limit at a shop an order stays as it is and says so, and those of others are changed", async () => {
  const { store, orders, useUp, ofStudent, change, hold, fate } = await busyShop();
  const [one, other] = orders;
  await useUp(ofStudent);
  const { error } = (await hold(one)).body;
  expect([error.data.appCode, error.message]).toEqual([
    "RATE_LIMITED",
    "Too many attempts. Please try again in 60 minutes, or call the student",
  ]);
  expect(expectDone(await change())).toMatchObject({
    changed: 1,
    refusals: [expect.stringContaining("or call the student")],
  });
  expect(await fate(one)).toEqual(UNTOUCHED);
  expect(await fate(other)).toEqual({ isHeld: false, isChanged: true, isTold: true });
  store.clock.advance({ hours: 1 });
  expect(expectDone(await change())).toMatchObject({ changed: 1, refusals: [] });
  expect(await fate(one)).toEqual({ isHeld: false, isChanged: true, isTold: true });
});

test("beyond a clerk's limit the orders that are left stay as they are, and wait for the next press", async () => {
  const { store, orders, useUp, ofClerk, ask, fate } = await busyShop();
  const [one, other] = orders;
  await useUp(ofClerk, 1);
  expect(expectDone(await ask())).toMatchObject({
    held: 1,
    refusals: [
      `Order ${other.number}: Too many attempts. Please try again in 60 minutes, or ask a colleague to do it`,
    ],
  });
  expect(await fate(one)).toEqual({ isHeld: true, isChanged: false, isTold: true });
  expect(await fate(other)).toEqual(UNTOUCHED);
  store.clock.advance({ hours: 1 });
  expect(expectDone(await ask())).toMatchObject({ held: 1, refusals: [] });
  expect(await fate(other)).toEqual({ isHeld: true, isChanged: false, isTold: true });
});
