import { afterAll, beforeAll, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { expectDone } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { insertRows } from "../load/rows.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

/** Each with three people and an invitation. */
const SHOPS = 4000;

let store: TestStore;
let admin: StaffPerson;
let owner: StaffPerson;
beforeAll(async () => {
  store = await startTestStore();
  admin = await signedInAdmin(store);
  const [first] = await shopIds(store);
  owner = await signedInOwner(store, [first]);
  const { db, readDb, now } = store.deps;
  const shop = await readDb.selectFrom("shops").selectAll().where("id", "=", first).executeTakeFirstOrThrow();
  const user = readDb.selectFrom("users").selectAll().where("id", "=", owner.userId);
  const person = await user.executeTakeFirstOrThrow();
  const created_at = now().toISOString();
  const numbers = Array.from({ length: SHOPS }, (_, at) => at);
  const people = numbers.flatMap((at) => [0, 1, 2].map((one) => ({ id: `person-${at}-${one}`, at })));
  const invitation = { email: "new@staff.example", role: "counter" as const, created_at };
  const expires_at = new Date(now().getTime() + 60_000).toISOString();
  await transact(db, async (trx) => {
    await insertRows(
      trx,
      "shops",
      numbers.map((at) => ({ ...shop, id: `shop-${at}`, name: `Shop ${at}` })),
    );
    await insertRows(
      trx,
      "users",
      people.map(({ id }) => ({ ...person, id, email: id, phone: null })),
    );
    await insertRows(
      trx,
      "shop_staff",
      people.map(({ id, at }) => ({ user_id: id, shop_id: `shop-${at}`, created_at })),
    );
    await insertRows(
      trx,
      "staff_invitations",
      numbers.map((at) => ({
        ...invitation,
        id: `invitation-${at}`,
        token_hash: `${at}`,
        invited_by: `person-${at}-0`,
        expires_at,
      })),
    );
    await insertRows(
      trx,
      "staff_invitation_shops",
      numbers.map((at) => ({ invitation_id: `invitation-${at}`, shop_id: `shop-${at}` })),
    );
  });
});
afterAll(() => store.stop());

// Of the processor, five times what it takes; comparing everybody with every shop takes three times as long as this again.
test.each([
  ["admin", 1000],
  ["owner", 110],
] as const)(
  "the people of a large store are listed for an %s in a part of a second",
  async (role, limitMs) => {
    const { visitor } = role === "admin" ? admin : owner;
    const start = process.threadCpuUsage();
    const { people, invitations } = expectDone(await visitor.query("staff.list"));
    const { user: microseconds } = process.threadCpuUsage(start);
    expect([people.length, invitations.length]).toEqual(role === "admin" ? [3 * SHOPS + 3, SHOPS] : [1, 0]);
    expect(microseconds / 1000).toBeLessThan(limitMs);
  },
);
