import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { lockRow } from "#db/sql.ts";
import { mailsTo, undoLinkTo } from "../factories/mails.ts";
import { getShop, orderFor } from "../factories/orders.ts";
import {
  editedPrices,
  expectDone,
  newShop,
  priceEntry,
  pricesOf,
  shownShop,
  smallPriceList,
} from "../factories/shops.ts";
import { changeStaff, type StaffPerson, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { newStudent, signedInStudent } from "../factories/students.ts";
import { behindLock, refusalsOf, statusesOf, together } from "../factories/together.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const MANY = 10;
const ROUNDS = 8;

const store = testStore();
let admin: StaffPerson;
let visitor: ApiClient;
beforeAll(async () => {
  admin = await signedInAdmin(store);
  ({ visitor } = await signedInStudent(store));
});

const mutate = (procedure: string, input: unknown) => admin.visitor.mutate(procedure, input);

describe("staff who save at the same moment", () => {
  test("one price list: one succeeds, the others are told whose version won", async () => {
    const { id } = await shownShop(admin.visitor);
    const lists = await Promise.all(
      Array.from({ length: MANY }, (_, index) =>
        editedPrices(admin.visitor, id, ({ paperTypes }) => ({
          paperTypes: [...paperTypes, priceEntry(`Paper ${index}`, 10)],
        })),
      ),
    );
    const answers = await Promise.all(lists.map((list) => mutate("prices.save", list)));

    expect(statusesOf(answers)).toEqual({ 200: 1, 409: MANY - 1 });
    expect(refusalsOf(answers)).toEqual([
      expect.stringContaining(`${admin.person.fullName} saved this price list`),
    ]);
    expect((await pricesOf(admin.visitor, id)).lists.paperTypes).toHaveLength(2);
  });

  test("one shop: one succeeds, the others are told who saved it", async () => {
    const shop = await shownShop(admin.visitor);
    const owner = await signedInOwner(store, [shop.id]);
    await store.deps.db
      .updateTable("users")
      .set({ full_name: "Farida Khan" })
      .where("id", "=", owner.userId)
      .execute();
    const { id, ...fields } = shop;
    const save = (college: string) =>
      owner.visitor.mutate("shops.admin.update", { ...fields, shopId: id, version: 1, college });
    const answers = await together(MANY, (index) => save(`College ${index}`));

    expect(statusesOf(answers)).toEqual({ 200: 1, 409: MANY - 1 });
    expect(refusalsOf(answers)).toEqual([expect.stringContaining("Farida Khan saved this shop")]);
  });

  test("holidays, or what invoices say: one succeeds, the others are told, and the same again is no conflict", async () => {
    const { id: shopId } = await shownShop(admin.visitor);
    const speed = { pagesPerMinute: 20, handlingMinutes: 5 };
    const tax = { gstin: "", legalName: "", address: "", ratePercent: 18, sac: "998912", series: "INV" };
    const forms = [
      {
        name: "schedule",
        fields: (index: number) => ({ ...speed, holidays: [`2030-01-${10 + index}`] }),
        told: `${admin.person.fullName} saved the promised times`,
      },
      {
        name: "tax",
        fields: (index: number) => ({ ...tax, series: `S${index}` }),
        told: `${admin.person.fullName} saved the GST settings`,
      },
    ];
    for (const { name, fields, told } of forms) {
      const { closedUntil, isWorking, ...base } = expectDone(
        await admin.visitor.query(`${name}.settings`, { shopId }),
      );
      const save = (index: number) => mutate(`${name}.save`, { shopId, ...fields(index), base });
      const answers = await together(MANY, save);

      expect(statusesOf(answers)).toEqual({ 200: 1, 409: MANY - 1 });
      expect(refusalsOf(answers)).toEqual([expect.stringContaining(told)]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const stored = expectDone(await save(winner));
      expect(stored).toEqual(fields(winner));
      expect(expectDone(await admin.visitor.query(`${name}.settings`, { shopId }))).toMatchObject(stored);
    }
  });

  test("a new shop with the same id: one is created", async () => {
    const shop = newShop();
    const answers = await together(MANY, (index) =>
      mutate("shops.admin.create", { ...shop, college: `College ${index}` }),
    );

    expect(statusesOf(answers)).toEqual({ 200: 1, 409: MANY - 1 });
    expect(refusalsOf(answers)).toEqual([expect.stringContaining("There is already a shop at")]);
  });

  test("one shops file: it is applied once, and all are answered", async () => {
    const { file } = expectDone(await admin.visitor.query("seeding.export"));
    const fresh = { ...file.shops[0], id: "at-one-moment", shopName: "At One Moment" };
    const answers = await together(5, () => mutate("seeding.write", { file: { shops: [fresh] }, base: {} }));

    expect(statusesOf(answers)).toEqual({ 200: 5 });
    const created = answers.map(({ body }) => body.result.data.shops.created);
    expect(created.toSorted()).toEqual([0, 0, 0, 0, 1]);
  });

  test("a shops file and a price list in it: the list is entirely from one of them, and the other is refused", async () => {
    const { id } = await shownShop(admin.visitor);
    const { file } = expectDone(await admin.visitor.query("seeding.export"));
    const [shop] = file.shops.filter((candidate: { id: string }) => candidate.id === id);
    for (let round = 0; round < ROUNDS; round++) {
      const edited = await editedPrices(admin.visitor, id, () => ({
        paperTypes: [priceEntry(`By hand ${round}`, 10)],
      }));
      const seeded = { shops: [{ ...shop, paperTypes: [{ name: `By file ${round}`, price: 1 }] }] };
      const { base } = expectDone(await mutate("seeding.preview", { file: seeded }));
      const [saved, written] = await Promise.all([
        mutate("prices.save", edited),
        mutate("seeding.write", { file: seeded, base }),
      ]);

      const isSeeded = written?.status === 200;
      expect([saved?.status, written?.status]).toEqual(isSeeded ? [409, 200] : [200, 409]);
      const names = (await getShop(visitor, id)).paperTypes.map(({ name }) => name);
      expect(names).toEqual([isSeeded ? `By file ${round}` : `By hand ${round}`]);
    }
  });

  test("a shop that is saved while a shops file with other prices for it waits: the file is refused, as its preview is old", async () => {
    const { id } = await shownShop(admin.visitor);
    const { file } = expectDone(await admin.visitor.query("seeding.export"));
    const shop = file.shops.find((candidate: { id: string }) => candidate.id === id);
    const seeded = { ...file, shops: [{ ...shop, paperTypes: [{ name: "By file", price: 1 }] }] };
    const { base } = expectDone(await mutate("seeding.preview", { file: seeded }));
    const edited = await editedPrices(admin.visitor, id, () => ({ paperTypes: [priceEntry("By hand", 10)] }));

    const answers = await behindLock(store.deps.db, (trx) => lockRow(trx, "shops", id), [
      () => mutate("prices.save", edited),
      () => mutate("seeding.write", { file: seeded, base }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(refusalsOf(answers)).toEqual([expect.stringContaining("saved since the preview")]);
    expect((await getShop(visitor, id)).paperTypes.map(({ name }) => name)).toEqual(["By hand"]);
  });

  test("publishing a shop and emptying its price list: no published shop lacks options", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await shownShop(admin.visitor);
      expectDone(await mutate("shops.admin.setHidden", { shopId: id, hidden: true }));
      const emptied = await editedPrices(admin.visitor, id, () => ({ paperTypes: [] }));
      await Promise.all([
        mutate("shops.admin.setHidden", { shopId: id, hidden: false }),
        mutate("prices.save", emptied),
      ]);

      const { hidden, gaps } = expectDone(await admin.visitor.query("shops.admin.byId", { shopId: id }));
      expect(hidden || gaps.length === 0).toBe(true);
    }
  });
});

test("of two clerks who mark the last two options of a list as out at the same moment one is warned", async () => {
  const { id: shopId } = await shownShop(admin.visitor, {
    ...smallPriceList(),
    paperTypes: [priceEntry("70 GSM", 0), priceEntry("100 GSM", 0)],
  });
  const { paperTypes } = await getShop(visitor, shopId);
  const answers = await behindLock(
    store.deps.db,
    // The last that such a mark writes.
    (trx) => sql`lock table audit_log in share mode`.execute(trx),
    paperTypes.map(
      ({ _id: optionId }) =>
        () =>
          mutate("stock.setOut", { shopId, optionId, isOut: true }),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  expect(refusalsOf(answers)).toEqual([expect.stringContaining("is the last paper type in stock")]);
});

test("a shop deleted while students order is gone or keeps their orders, and all are told which", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await shownShop(admin.visitor);
    const orders = await together(3, () => orderFor(visitor, { shopId: id }));
    const [removed, ...placed] = await Promise.all([
      mutate("shops.admin.remove", { shopId: id }),
      ...orders.map((order) => visitor.post("/api/v1/prints/printorder", order)),
    ]);

    const isGone = removed?.status === 200;
    // A call that had already found the shop finds no options in it.
    const expected = isGone ? [404, 422] : [200];
    for (const { status } of placed) expect(expected).toContain(status);
    const refusals = refusalsOf(removed ? [removed] : []);
    expect(refusals).toEqual(isGone ? [] : [expect.stringContaining("has orders")]);
  }
});

test("a shop deleted while staff are invited or moved to it has no staff left, and all are told", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await shownShop(admin.visitor);
    const owner = await signedInOwner(store, []);
    const [removed, ...answers] = await Promise.all([
      mutate("shops.admin.remove", { shopId: id }),
      mutate("staff.invite", { email: newStudent().email, role: "owner", shopIds: [id] }),
      changeStaff(admin.visitor, owner.userId, { role: "owner", shopIds: [id] }),
    ]);

    expect(removed?.status).toBe(200);
    for (const { status } of answers) expect([200, 422]).toContain(status);
    const { people, invitations } = expectDone(await admin.visitor.query("staff.list"));
    expect(JSON.stringify({ people, invitations })).not.toContain(id);
  }
});

describe("the button that undoes a new payment address", () => {
  /** Presses it at the same moment in the mails of these owners of a shop, whose address another owner has changed. */
  async function press(...indexes: (0 | 1)[]) {
    const { id: shopId, ...details } = await shownShop(admin.visitor, undefined, { upiId: "asha@okbank" });
    const thief = await signedInOwner(store, [shopId]);
    const owners = [await signedInOwner(store, [shopId]), await signedInOwner(store, [shopId])] as const;
    const changed = { ...details, upiId: "thief@okbank", shopId };
    const { version } = expectDone(await admin.visitor.query("shops.admin.byId", { shopId }));
    expectDone(await thief.visitor.mutate("shops.admin.update", { ...changed, version }));
    const links = await Promise.all(indexes.map((index) => undoLinkTo(store, owners[index].person.email)));
    const answers = await behindLock(
      store.deps.db,
      (trx) => lockRow(trx, "shops", shopId),
      links.map((link) => () => store.visitor().send("POST", link)),
    );
    const mails = await mailsTo(store, owners[0].person.email);
    return { answers, restored: mails.filter(({ subject }) => subject.includes("restored")) };
  }

  test("pressed by two people at the same moment undoes once", async () => {
    const { answers, restored } = await press(0, 1);
    expect(statusesOf(answers)).toEqual({ 200: 1, 404: 1 });
    expect(restored).toHaveLength(1);
  });

  test("pressed twice by one person at the same moment undoes once, and says so twice", async () => {
    const { answers, restored } = await press(0, 0);
    const isUndone = [200, expect.stringContaining("The change is undone")];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([isUndone, isUndone]);
    expect(restored).toHaveLength(1);
  });
});
