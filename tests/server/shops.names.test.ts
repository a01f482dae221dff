import { beforeAll, expect, test } from "vitest";
import { orderFor } from "../factories/orders.ts";
import { codeOf, expectDone, newShop, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { logIn, signedInStudent } from "../factories/students.ts";
import { refusalsOf } from "../factories/together.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: ApiClient;

beforeAll(async () => {
  admin = (await signedInAdmin(store)).visitor;
});

type Shop = Awaited<ReturnType<typeof shownShop>>;

/** A shop with its owner. */
async function ownedShop(): Promise<{ shop: Shop; owner: StaffPerson }> {
  const shop = await shownShop(admin);
  return { shop, owner: await signedInOwner(store, [shop.id]) };
}

async function rename({ shop, owner }: { shop: Shop; owner: StaffPerson }, fields: Partial<Shop>) {
  const { id: shopId, ...details } = shop;
  const { version } = expectDone(await owner.visitor.query("shops.admin.byId", { shopId }));
  return owner.visitor.mutate("shops.admin.update", { ...details, ...fields, shopId, version });
}

const namesOf = async (id: string) =>
  store.deps.readDb
    .selectFrom("shops")
    .select(["name", "location"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

test.each([
  ["as it is", (text: string) => text],
  ["in capitals", (text: string) => text.toUpperCase()],
  ["with full-width letters", (text: string) => text.replace("a", "ａ")],
  ["with zeros", (text: string) => text.replace("o", "0")],
  ["with an accent", (text: string) => text.replace("e", "é")],
])("an owner cannot take another shop's name and place, %s, and orders for it go on", async (_, forge) => {
  const victim = await ownedShop();
  const thief = await ownedShop();
  const { visitor } = await signedInStudent(store);
  const order = await orderFor(visitor, { shopId: victim.shop.id });
  const { shopName, shopLocation, email } = victim.shop;
  const forged = { shopName: forge(shopName), shopLocation: forge(shopLocation), email };

  const answer = await rename(thief, forged);

  expect([answer.status, answer.body.error?.data.issues?.[0]?.path]).toEqual([409, "shopName"]);
  expect((await namesOf(thief.shop.id)).name).toBe(thief.shop.shopName);
  const placed = await visitor.post("/api/v1/prints/printorder", order);
  expect(placed.status).toBe(200);
});

test.each([
  ["Cyrillic letters", (text: string) => text.replace("o", "о")],
  ["Greek letters", (text: string) => text.replace("o", "ο")],
  ["a zero-width space", (text: string) => text.replace("o", "o\u200b")],
])("a name with %s is refused with the field's name", async (_, forge) => {
  const victim = await ownedShop();
  const thief = await ownedShop();
  for (const field of ["shopName", "shopLocation"] as const) {
    const answer = await rename(thief, { ...victim.shop, [field]: forge(victim.shop[field]) });
    expect([answer.status, answer.body.error?.data.issues?.[0]?.path]).toEqual([422, field]);
  }
});

test("a name with a turned direction is the name without it, which another shop has", async () => {
  const victim = await ownedShop();
  const thief = await ownedShop();
  const answer = await rename(thief, { ...victim.shop, shopName: `\u202e${victim.shop.shopName}` });
  expect([answer.status, answer.body.error?.data.issues?.[0]?.path]).toEqual([409, "shopName"]);
});

test("an old name that today's rules forbid survives edits of other fields, but no other shop may take it", async () => {
  const own = await ownedShop();
  const old = { name: `Straße Копии ${own.shop.id}`, location: `Brønshøj ${own.shop.id}` };
  await store.deps.db.updateTable("shops").set(old).where("id", "=", own.shop.id).execute();
  const kept = { shopName: old.name, shopLocation: old.location };

  expect((await rename(own, { ...kept, college: "BITS Pilani" })).status).toBe(200);

  expect(await namesOf(own.shop.id)).toEqual(old);
  for (const [fields, path] of [
    [{ ...kept, shopName: `${old.name} 2` }, "shopName"],
    [{ ...kept, shopLocation: `${old.location} 2` }, "shopLocation"],
  ] as const) {
    const answer = await rename(own, fields);
    expect([answer.status, answer.body.error?.data.issues?.[0]?.path]).toEqual([422, path]);
  }
  const other = await rename(await ownedShop(), kept);
  expect([other.status, other.body.error?.data.issues?.[0]?.path]).toEqual([422, "shopName"]);
  expect((await rename(own, {})).status).toBe(200);
});

test("the same name at another place is allowed", async () => {
  const one = await ownedShop();
  const two = await ownedShop();
  const renamed = await rename(two, { shopName: one.shop.shopName, shopLocation: "Sector 17, Chandigarh" });
  expect(renamed.status).toBe(200);
});

test("a shop's former name stays reserved while orders for it may be under way", async () => {
  const victim = await ownedShop();
  const thief = await ownedShop();
  const { visitor } = await signedInStudent(store);
  const begun = await orderFor(visitor, { shopId: victim.shop.id });
  const renamed = { shopName: "Lighthouse Prints of the Ridge" };
  expect((await rename(victim, renamed)).status).toBe(200);
  // Whatever else is saved later does not reserve it for longer.
  store.clock.advance({ ms: 1000 });
  expect((await rename(victim, { ...renamed, college: "IIT Ropar" })).status).toBe(200);

  const { shopName, shopLocation, email } = victim.shop;
  const taken = await rename(thief, { shopName, shopLocation, email });

  expect(codeOf(taken)).toBe("CONFLICT");
  expect((await visitor.post("/api/v1/prints/printorder", begun)).status).toBe(404);
  store.clock.advance({ days: 30, ms: -1001 });
  admin = (await signedInAdmin(store)).visitor;
  await logIn(thief.owner.visitor, thief.owner.person);
  expect(codeOf(await rename(thief, { shopName, shopLocation }))).toBe("CONFLICT");
  store.clock.advance({ ms: 1 });
  expect((await rename(thief, { shopName, shopLocation })).status).toBe(200);
});

test("a shop may return to its former name", async () => {
  const own = await ownedShop();
  expect((await rename(own, { shopName: "Lighthouse Prints of the Bay" })).status).toBe(200);
  expect((await rename(own, {})).status).toBe(200);
});

test("of two shops that take the same name at the same moment one succeeds", async () => {
  const shops = await Promise.all([ownedShop(), ownedShop(), ownedShop()]);
  const wanted = { shopName: "Banyan Corner Copies", shopLocation: "Kothrud, Pune" };
  const answers = await Promise.all(shops.map((shop) => rename(shop, wanted)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(refusalsOf(answers)).toEqual([expect.stringContaining("is in use, or was until recently")]);
});

test("neither an admin nor a seed file can create a second shop with the same name", async () => {
  const { shop } = await ownedShop();
  const twin = { ...newShop(), shopName: shop.shopName.toUpperCase(), shopLocation: shop.shopLocation };
  const made = await admin.mutate("shops.admin.create", twin);
  expect([made.status, made.body.error?.data.issues?.[0]?.path]).toEqual([409, "shopName"]);

  const { visitor: seeder } = await signedInAdmin(store);
  const { file } = expectDone(await seeder.query("seeding.export"));
  const [model] = file.shops;
  file.shops = [{ ...model, id: "seeded-twin", shopName: shop.shopName, shopLocation: shop.shopLocation }];
  for (const call of ["seeding.preview", "seeding.write"]) {
    const answer = await seeder.mutate(call, { file, base: {} });
    expect([call, codeOf(answer), answer.body.error?.message]).toEqual([
      call,
      "CONFLICT",
      expect.stringContaining(shop.shopName),
    ]);
  }
  const twins = await store.deps.readDb
    .selectFrom("shops")
    .select("id")
    .where("id", "=", "seeded-twin")
    .execute();
  expect(twins).toEqual([]);
});

test("an owner may take only a few names a day, or emails for orders, of which strangers would be told", async () => {
  const limited = await tempStore({ RATE_LIMIT_SCALE: "1" });
  const { visitor } = await signedInAdmin(limited);
  const shop = await shownShop(visitor);
  const owner = await signedInOwner(limited, [shop.id]);
  const { id: shopId, ...details } = shop;
  const statuses: number[] = [];
  for (let time = 1; time <= 11; time++) {
    const shopName = `${shop.shopName} number ${time}`;
    const answer = await owner.visitor.mutate("shops.admin.update", {
      ...details,
      shopId,
      version: time,
      shopName,
    });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
  const moved = {
    ...details,
    shopId,
    version: 11,
    shopName: `${shop.shopName} number 10`,
    email: "a@b.example",
  };
  expect((await owner.visitor.mutate("shops.admin.update", moved)).status).toBe(429);
});
