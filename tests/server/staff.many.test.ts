import { afterAll, beforeAll, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { expectDone } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { insertRows } from "../load/rows.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.stop());

/** Adds shops with these numbers, each with three people and an invitation. */
async function addShops(numbers: readonly number[], owner: StaffPerson): Promise<void> {
  const { db, readDb, now } = store.deps;
  const [first] = await shopIds(store);
  const shop = await readDb.selectFrom("shops").selectAll().where("id", "=", first).executeTakeFirstOrThrow();
  const user = readDb.selectFrom("users").selectAll().where("id", "=", owner.userId);
  const person = await user.executeTakeFirstOrThrow();
  const created_at = now().toISOString();
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
}

/** What lists people for this person, and the least time of the processor that one of five calls takes. */
async function listPeople({ visitor }: StaffPerson) {
  let least = Number.POSITIVE_INFINITY;
  for (let call = 0; call < 5; call++) {
    const start = process.threadCpuUsage();
    await visitor.query("staff.list");
    least = Math.min(least, process.threadCpuUsage(start).user);
  }
  const { people, invitations } = expectDone(await visitor.query("staff.list"));
  return { least, counts: [people.length, invitations.length] };
}

test("the people of one shop do not take an owner longer to list where the store has eight times the shops", async () => {
  const admin = await signedInAdmin(store);
  const [first] = await shopIds(store);
  const owner = await signedInOwner(store, [first]);
  const numbers = Array.from({ length: 4000 }, (_, at) => at);
  await addShops(numbers.slice(0, 500), owner);
  const few = await listPeople(owner);
  await addShops(numbers.slice(500), owner);
  const many = await listPeople(owner);
  expect([few.counts, many.counts]).toEqual([
    [1, 0],
    [1, 0],
  ]);
  expect((await listPeople(admin)).counts).toEqual([12_003, 4000]);
  // Compared with everybody it took four times as long and more.
  expect(many.least / few.least).toBeLessThan(3);
});
