import { beforeAll, expect, test } from "vitest";
import { OPEN_STATES } from "#shared/order-states.ts";
import type { ShopForm } from "#shared/schemas/shop-admin.ts";
import { seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { copyOrder, moveTo, type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { acceptedReprint } from "../factories/reprints.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const STAFF_STARS = 3.1;

const store = testStore();
let admin: ApiClient;
beforeAll(async () => {
  admin = (await signedInAdmin(store)).visitor;
});

interface Delivered {
  shop: ShopForm;
  first: PlacedOrder;
  ids: string[];
}

/** A new shop with this many delivered and unrated orders of one student. */
async function delivered(count: number): Promise<Delivered> {
  const shop = await shownShop(admin, undefined, { ratings: STAFF_STARS });
  const first = await placeOrder(store, shop.id);
  await moveTo(admin, first.id, "delivered");
  const moments = Array.from({ length: count - 1 }, () => ({
    placedAt: store.clock.now().toISOString(),
    state: "delivered" as const,
  }));
  return { shop, first, ids: [first.id, ...(await copyOrder(store, first, moments))] };
}

const rate = (visitor: ApiClient, orderId: string | undefined, stars: unknown) =>
  visitor.mutate("ratings.rate", { orderId, stars });

/** A shop's rating in every response that has it. */
async function starsOf({ id }: ShopForm): Promise<number[]> {
  const visitor = store.visitor();
  const ofShop = (shops: { _id: string; ratings: number }[]) => shops.find(({ _id }) => _id === id)?.ratings;
  return [
    ofShop((await visitor.get("/api/v1/prints/shopslocation")).body.data),
    (await visitor.get(`/api/v1/prints/shopdata?id=${id}`)).body.data.ratings,
    ofShop(expectDone(await visitor.query("shops.list"))),
    expectDone(await visitor.query("shops.byId", { id })).ratings,
    ofShop(expectDone(await admin.query("shops.admin.list", { shopId: id })).rows),
    expectDone(await admin.query("shops.admin.byId", { shopId: id })).ratings,
  ];
}
const everywhere = (stars: number) => Array.from({ length: 6 }, () => stars);

test("a shop shows the rating set by staff until five students have rated it", async () => {
  const { shop, first, ids } = await delivered(6);
  const other = await shownShop(admin, undefined, { ratings: STAFF_STARS });
  for (const [index, stars] of [5, 4, 5, 4].entries())
    expectDone(await rate(first.visitor, ids[index], stars));
  expect(await starsOf(shop)).toEqual(everywhere(STAFF_STARS));

  expectDone(await rate(first.visitor, ids[4], 5));
  expect(await starsOf(shop)).toEqual(everywhere(4.6));
  expectDone(await rate(first.visitor, ids[5], 5));
  expect(await starsOf(shop)).toEqual(everywhere(4.7));
  expect(await starsOf(other)).toEqual(everywhere(STAFF_STARS));
});

test("a changed rating counts once, with its current stars", async () => {
  const { shop, first, ids } = await delivered(5);
  for (const orderId of ids.slice(0, 4)) expectDone(await rate(first.visitor, orderId, 5));
  for (const stars of [1, 2, 3]) expectDone(await rate(first.visitor, ids[0], stars));
  expect(await starsOf(shop)).toEqual(everywhere(STAFF_STARS));

  expectDone(await rate(first.visitor, ids[4], 5));
  expect(await starsOf(shop)).toEqual(everywhere(4.6));
});

test("student and staff see the stars of an order, while the shop's staff rating stays", async () => {
  const { shop, first, ids } = await delivered(5);
  const own = () => first.visitor.query("orders.one", { orderId: first.id });
  expect(expectDone(await own()).stars).toBeNull();
  for (const orderId of ids) expectDone(await rate(first.visitor, orderId, 2));
  expect(expectDone(await own()).stars).toBe(2);
  const { visitor: owner } = await signedInOwner(store, [shop.id]);
  expect((await seenByStaff(owner, first.id)).stars).toBe(2);

  const managed = expectDone(await owner.query("shops.admin.byId", { shopId: shop.id }));
  expect(managed).toMatchObject({ ratings: 2, staffRatings: STAFF_STARS, ratingCount: 5 });
  const { id: shopId, ...fields } = shop;
  const change = { shopId, ...fields, college: "BITS Pilani", version: managed.version };
  // An owner's rating is not taken.
  expectDone(await owner.mutate("shops.admin.update", { ...change, ratings: 2 }));
  const saved = expectDone(await owner.query("shops.admin.byId", { shopId: shop.id }));
  expect(saved).toMatchObject({ college: "BITS Pilani", staffRatings: STAFF_STARS });
  expect(await starsOf(shop)).toEqual(everywhere(2));
});

test("a reprint is unrated at first, and its stars count beside those of the original", async () => {
  const shop = await shownShop(admin);
  const first = await acceptedReprint(store, admin, shop.id);
  expectDone(await rate(first.visitor, first.id, 5));
  const again = { orderId: first.id, filesUrl: [await uploadPages(first.visitor, 3)] };
  const reprint = expectDone(await first.visitor.mutate("reprints.order", again));
  expect((await seenByStudent(first.visitor, reprint.id)).stars).toBeNull();

  await moveTo(admin, reprint.id, "delivered");
  expectDone(await rate(first.visitor, reprint.id, 3));
  expect(expectDone(await admin.query("shops.admin.byId", { shopId: shop.id })).ratingCount).toBe(2);
});

test("another student's order cannot be rated, and answers like an unknown one", async () => {
  const { first } = await delivered(1);
  const { visitor: stranger } = await signedInStudent(store);
  for (const visitor of [stranger, admin]) expect(codeOf(await rate(visitor, first.id, 5))).toBe("NOT_FOUND");
  expect(codeOf(await rate(store.visitor(), first.id, 5))).toBe("UNAUTHENTICATED");
  expect((await seenByStudent(first.visitor, first.id)).stars).toBeNull();
});

test("an order can be rated once it is delivered, not before, and not if it is cancelled", async () => {
  const { first } = await delivered(1);
  const placedAt = store.clock.now().toISOString();
  const states = [...OPEN_STATES, "cancelled" as const];
  const ids = await copyOrder(
    store,
    first,
    states.map((state) => ({ placedAt, state })),
  );
  for (const [index, state] of states.entries()) {
    const { body } = await rate(first.visitor, ids[index], 4);
    expect([state, body.error?.message]).toEqual([
      state,
      expect.stringContaining("is not delivered. It can be rated once it is"),
    ]);
  }
});

test("stars are whole numbers from one to five", async () => {
  const { first } = await delivered(1);
  for (const stars of [0, 6, 4.5, -1, "5", null])
    expect([stars, codeOf(await rate(first.visitor, first.id, stars))]).toEqual([stars, "INVALID_INPUT"]);
});
