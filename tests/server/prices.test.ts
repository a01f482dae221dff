import { beforeAll, describe, expect, test } from "vitest";
import type { Context, StaffMember } from "#server/context.ts";
import { getPriceList } from "#server/shops/prices.service.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import { orderFor, seenByStudent, uploadPages } from "../factories/orders.ts";
import {
  codeOf,
  editedPrices,
  expectDone,
  importSeed,
  namesOf,
  newShop,
  priceEntry,
  pricesOf,
  shownShop,
  smallPriceList,
} from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;
let owner: StaffPerson;
let shopId: string;
let otherShopId: string;
beforeAll(async () => {
  [shopId, otherShopId] = await shopIds(store);
  admin = await signedInAdmin(store);
  owner = await signedInOwner(store, [shopId]);
});

const save = (input: unknown, staff = owner) => staff.visitor.mutate("prices.save", input);
const seenByStudents = async (id = shopId) =>
  (await store.visitor().get(`/api/v1/prints/shopdata?id=${id}`)).body.data;

describe("the first price list of a new shop", () => {
  const empty = async () => {
    const shop = newShop();
    expectDone(await admin.visitor.mutate("shops.admin.create", shop));
    const { visitor: by } = await signedInOwner(store, [shop.id]);
    return { id: shop.id, by };
  };
  const first = (shopId: string) => ({ shopId, version: 0, lists: smallPriceList(), show: true });

  test("shows the shop, also by its owner, so that students order there", async () => {
    const { id, by } = await empty();
    expect(await seenByStudents(id)).toBeUndefined();
    expectDone(await by.mutate("prices.save", first(id)));
    const { visitor } = await signedInStudent(store);
    const placed = await visitor.post(
      "/api/v1/prints/printorder",
      await orderFor(visitor, { shopId: id, fulfilment: "delivery" }),
    );
    expect(placed.status).toBe(200);
    const log = store.deps.readDb.selectFrom("audit_log").select("action").where("subject_id", "=", id);
    expect((await log.execute()).map(({ action }) => action).sort()).toEqual([
      "prices.change",
      "shop.create",
      "shop.show",
    ]);
  });

  test("sent twice at once is saved once", async () => {
    const { id, by } = await empty();
    const both = await Promise.all([
      by.mutate("prices.save", first(id)),
      by.mutate("prices.save", first(id)),
    ]);
    expect(both.map(codeOf)).toEqual(["done", "done"]);
    expect((await pricesOf(by, id)).version).toBe(1);
  });

  test("with an empty list is refused as a whole, at that list", async () => {
    const { id, by } = await empty();
    const refused = await by.mutate("prices.save", {
      ...first(id),
      lists: { ...smallPriceList(), coverOptions: [] },
    });
    expect([refused.status, refused.body.error.data.issues[0].path]).toEqual([422, "lists.coverOptions"]);
    expect(await pricesOf(by, id)).toMatchObject({ version: 0, lists: { paperTypes: [] } });
    expect(await seenByStudents(id)).toBeUndefined();
  });

  test("is the only one with which an owner can show a shop that admins have hidden", async () => {
    const { id, by } = await empty();
    expectDone(await by.mutate("prices.save", first(id)));
    expectDone(await admin.visitor.mutate("shops.admin.setHidden", { shopId: id, hidden: true }));
    const none = Object.fromEntries(OPTION_KINDS.map((kind) => [kind, []]));
    expectDone(await by.mutate("prices.save", { shopId: id, version: 1, lists: none }));
    for (const version of [0, 2]) {
      const again = await by.mutate("prices.save", { ...first(id), version });
      expect([version, codeOf(again)]).toEqual([version, version === 0 ? "CONFLICT" : "FORBIDDEN"]);
    }
    // PostgreSQL cannot compare larger ones.
    expect(codeOf(await by.mutate("prices.save", { ...first(id), version: 2 ** 31 }))).toBe("INVALID_INPUT");
    expect(await seenByStudents(id)).toBeUndefined();
  });
});

describe("saving a price list", () => {
  test("again after its answer was lost answers as the first time, and saves nothing", async () => {
    const list = await editedPrices(owner.visitor, shopId, ({ bindingOptions: [first, ...rest] }) => ({
      bindingOptions: [...rest, priceEntry("Twine", 900), ...(first ? [first] : [])],
    }));
    const saved = expectDone(await save(list));
    expect(expectDone(await save(list))).toEqual(saved);
    expect(await pricesOf(owner.visitor, shopId)).toEqual(saved);
    expect(codeOf(await save({ ...list, lists: { ...saved.lists, bindingOptions: [] } }))).toBe("CONFLICT");
  });

  test("adds, renames, reprices, reorders, switches off and deletes at once, and keeps the ids of the rest", async () => {
    const before = (await pricesOf(owner.visitor, shopId)).lists.bindingOptions;
    const [first, second, third, ...rest] = before;
    if (!first || !second || !third) throw new Error("The demo shop has fewer than three bindings");
    const wanted = [
      { ...third, pricePaise: 4275, basis: "order" as const },
      priceEntry("Thread sewing", 12_550, { basis: "copy" }),
      { ...first, name: "Nothing" },
      ...rest.map((entry) => ({ ...entry, active: false })),
    ];
    const saved = expectDone(
      await save(await editedPrices(owner.visitor, shopId, () => ({ bindingOptions: wanted }))),
    );

    const { lists } = await pricesOf(owner.visitor, shopId);
    expect(saved.lists).toEqual(lists);
    expect(lists.bindingOptions).toEqual([
      wanted[0],
      { ...wanted[1], id: expect.any(String) },
      ...wanted.slice(2),
    ]);
    expect(lists.bindingOptions.map(({ id }) => id)).not.toContain(second.id);
    expect((await seenByStudents()).bindingOptions).toEqual([
      expect.objectContaining({ _id: third.id, name: third.name, price: 42.75, basis: "order" }),
      expect.objectContaining({ name: "Thread sewing", price: 125.5 }),
      expect.objectContaining({ _id: first.id, name: "Nothing" }),
    ]);
  });

  test("can swap the names and places of two options", async () => {
    const [one, other, ...rest] = (await pricesOf(owner.visitor, shopId)).lists.coverOptions;
    if (!one || !other) throw new Error("The demo shop has fewer than two covers");
    const swapped = [{ ...other, name: one.name }, { ...one, name: other.name }, ...rest];
    expectDone(await save(await editedPrices(owner.visitor, shopId, () => ({ coverOptions: swapped }))));
    expect((await pricesOf(owner.visitor, shopId)).lists.coverOptions).toEqual(swapped);
  });

  test("can give a new option the name of a deleted one", async () => {
    const [one, ...rest] = (await pricesOf(owner.visitor, shopId)).lists.paperTypes;
    if (!one) throw new Error("The demo shop has no paper");
    const replaced = [priceEntry(one.name, 123), ...rest];
    expectDone(await save(await editedPrices(owner.visitor, shopId, () => ({ paperTypes: replaced }))));
    const [stored] = (await pricesOf(owner.visitor, shopId)).lists.paperTypes;
    expect(stored).toMatchObject({ name: one.name, pricePaise: 123 });
    expect(stored?.id).not.toBe(one.id);
  });

  test("refuses two options of a list whose names differ by case and spaces only", async () => {
    const before = await pricesOf(owner.visitor, shopId);
    const names = ["Spiral  coil", " spiral Coil "];
    const input = await editedPrices(owner.visitor, shopId, () => ({
      bindingOptions: names.map((name) => priceEntry(name, 100)),
    }));
    const refused = await save(input);
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      expect.stringContaining('"spiral Coil" is here twice'),
    ]);
    expect(await pricesOf(owner.visitor, shopId)).toEqual(before);
  });

  test("writes the old and new values of each option to the audit log", async () => {
    const { id } = await shownShop(admin.visitor);
    const input = await editedPrices(admin.visitor, id, ({ bindingOptions, coverOptions }) => ({
      bindingOptions: bindingOptions.map((entry) => ({ ...entry, name: "Wire", pricePaise: 4050 })),
      coverOptions: [...coverOptions, priceEntry("Card", 900, { basis: "copy", active: false })],
    }));
    expectDone(await save(input, admin));
    const entries = await store.deps.readDb
      .selectFrom("audit_log")
      .select(["before", "after", "shop_id"])
      .where("action", "=", "prices.change")
      .where("subject_id", "=", id)
      .execute();
    expect(entries).toContainEqual({
      shop_id: id,
      before: JSON.stringify({ "Binding: Spiral": "₹35.00 a copy" }),
      after: JSON.stringify({ "Binding: Spiral": "Wire, ₹40.50 a copy", "Cover: Card": "₹9.00 a copy, off" }),
    });

    const turned = await editedPrices(admin.visitor, id, ({ coverOptions }) => ({
      coverOptions: coverOptions.toReversed(),
      bindingOptions: [priceEntry("Staples", 100)],
    }));
    expectDone(await save(turned, admin));
    const later = await store.deps.readDb
      .selectFrom("audit_log")
      .select(["before", "after"])
      .where("action", "=", "prices.change")
      .where("subject_id", "=", id)
      .execute();
    expect(later).toContainEqual({
      before: JSON.stringify({ "Cover in order": "No Cover, Card", "Binding: Wire": "₹40.50 a copy" }),
      after: JSON.stringify({ "Cover in order": "Card, No Cover", "Binding: Staples": "₹1.00 a page" }),
    });
  });
});

describe("two people editing one price list", () => {
  test("the second to save is told who saved when, nothing is written, and saving works after a reload", async () => {
    const mine = await editedPrices(owner.visitor, shopId, ({ paperSizes }) => ({
      paperSizes: paperSizes.map((entry) => ({ ...entry, pricePaise: 11 })),
    }));
    const theirs = await editedPrices(admin.visitor, shopId, ({ paperSizes }) => ({
      paperSizes: paperSizes.map((entry) => ({ ...entry, pricePaise: 22 })),
    }));
    expectDone(await save(theirs, admin));
    const savedAt = store.deps.now().toISOString();
    store.clock.advance({ minutes: 1 });

    const refused = await save(mine);

    expect(refused.status).toBe(409);
    expect(refused.body.error.message).toMatch(
      new RegExp(`^${admin.person.fullName} saved this price list while you were editing it \\(.+ IST\\)$`),
    );
    const { lists, version } = await pricesOf(owner.visitor, shopId);
    expect(refused.body.error.data.details).toEqual({
      version,
      savedBy: admin.person.fullName,
      savedAt,
    });
    expect(lists.paperSizes.every(({ pricePaise }) => pricePaise === 22)).toBe(true);
    expectDone(await save({ ...mine, version }));
  });

  test("a list that somebody saves while it is read cannot be saved over them", async () => {
    const theirs = await editedPrices(admin.visitor, shopId, ({ paperSizes }) => ({
      paperSizes: paperSizes.map((entry) => ({ ...entry, pricePaise: 33 })),
    }));
    let isSaved = false;
    const readDb = store.deps.readDb.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (!isSaved) expectDone(await save(theirs, admin));
        isSaved = true;
        return result;
      },
    });
    const { version, lists } = await getPriceList({ readDb } as Context<StaffMember>, { shopId });
    const bindingOptions = lists.bindingOptions.map((entry) => ({ ...entry, pricePaise: 44 }));
    expect(codeOf(await save({ shopId, version, lists: { ...lists, bindingOptions } }))).toBe("CONFLICT");
  });

  test("of simultaneous saves exactly one succeeds, completely", async () => {
    const { id } = await shownShop(admin.visitor);
    const inputs = await Promise.all(
      [100, 200, 300, 400, 500].map((pricePaise) =>
        editedPrices(admin.visitor, id, (lists) =>
          Object.fromEntries(
            OPTION_KINDS.map((kind) => [kind, lists[kind].map((entry) => ({ ...entry, pricePaise }))]),
          ),
        ),
      ),
    );

    const answers = await Promise.all(inputs.map((input) => save(input, admin)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const winner = inputs[answers.findIndex(({ status }) => status === 200)];
    expect((await pricesOf(admin.visitor, id)).lists).toEqual(winner?.lists);
  });

  test("a seed in between counts as a save", async () => {
    const input = await editedPrices(admin.visitor, otherShopId, () => ({}));
    const { file } = expectDone(await admin.visitor.query("seeding.export"));
    for (const shop of file.shops) shop.paperSizes[0].price = 9.99;
    expectDone(await importSeed(admin.visitor, file));
    expect((await save(input, admin)).status).toBe(409);
  });
});

describe("an invalid price list", () => {
  const faults: [string, string, (lists: ReturnType<typeof smallPriceList>) => unknown][] = [
    [
      "a missing name",
      "lists.coverOptions.1.name",
      (l) => ({ coverOptions: [...l.coverOptions, priceEntry(" ", 1)] }),
    ],
    [
      "half a paisa",
      "lists.coverOptions.1.pricePaise",
      (l) => ({ coverOptions: [...l.coverOptions, priceEntry("x", 0.5)] }),
    ],
    ["a negative price", "lists.paperTypes.0.pricePaise", () => ({ paperTypes: [priceEntry("x", -1)] })],
    [
      "a repeated name",
      "lists.paperSizes.1.name",
      () => ({ paperSizes: [priceEntry("A4", 0), priceEntry("A4 ", 5)] }),
    ],
    [
      "two sides on a cover",
      "lists.coverOptions.0.sides",
      () => ({ coverOptions: [priceEntry("x", 1, { sides: 2 })] }),
    ],
    [
      "an unknown basis",
      "lists.paperTypes.0.basis",
      () => ({ paperTypes: [{ ...priceEntry("x", 1), basis: "kilo" }] }),
    ],
    [
      "a list without an active option",
      "lists.bindingOptions",
      () => ({ bindingOptions: [priceEntry("x", 1, { active: false })] }),
    ],
    ["an empty list", "lists.printedColours", () => ({ printedColours: [] })],
    [
      "51 options",
      "lists.paperTypes",
      () => ({ paperTypes: Array.from({ length: 51 }, (_, i) => priceEntry(`P${i}`, 1)) }),
    ],
  ];

  test.each(faults)("with %s is refused entirely, naming %s", async (_, path, change) => {
    const before = await pricesOf(owner.visitor, shopId);
    const lists = smallPriceList();
    const answer = await save({
      shopId,
      version: before.version,
      lists: { ...lists, ...(change(lists) as object) },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.error.data.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(await pricesOf(owner.visitor, shopId)).toEqual(before);
  });

  test("with an option of another shop or list is refused entirely", async () => {
    const before = await pricesOf(owner.visitor, shopId);
    const foreign = (await pricesOf(admin.visitor, otherShopId)).lists.coverOptions[0];
    const [misplaced] = before.lists.bindingOptions;
    for (const id of [foreign?.id, misplaced?.id]) {
      const coverOptions = [...before.lists.coverOptions, priceEntry("Strayed", 1, { id })];
      const answer = await save({
        shopId,
        version: before.version,
        lists: { ...before.lists, coverOptions },
      });
      expect(codeOf(answer)).toBe("INVALID_INPUT");
    }
    expect(await pricesOf(owner.visitor, shopId)).toEqual(before);
  });

  test("may be incomplete while the shop is hidden", async () => {
    const { id } = await shownShop(admin.visitor);
    expectDone(await admin.visitor.mutate("shops.admin.setHidden", { shopId: id, hidden: true }));
    expectDone(await save(await editedPrices(admin.visitor, id, () => ({ coverOptions: [] })), admin));
    expect(namesOf((await pricesOf(admin.visitor, id)).lists).coverOptions).toEqual([]);
    expect(expectDone(await admin.visitor.query("shops.admin.byId", { shopId: id })).gaps).toEqual([
      "coverOptions",
    ]);
    const shown = await admin.visitor.mutate("shops.admin.setHidden", { shopId: id, hidden: false });
    expect(shown.body.error.message).toBe("Students cannot order here yet. Add prices to: Cover");
  });
});

describe("orders and prices", () => {
  test("an order keeps every line of its price, for the student as for the shop", async () => {
    const { id } = await shownShop(admin.visitor);
    const { visitor } = await signedInStudent(store);
    const other = await orderFor(visitor, { shopId });
    expect((await visitor.post("/api/v1/prints/printorder", other)).status).toBe(200);
    store.clock.advance({ minutes: 1 });
    const request = await orderFor(visitor, { shopId: id, pages: 5, copies: 3 });
    const placed = await visitor.post("/api/v1/prints/printorder", request);
    const { orderValue, _id: orderId } = placed.body.data;
    // Five pages on both sides take three sheets, and three copies nine.
    const lines = [
      ["printedColours", "Black & White", 50, "page", 15, 750],
      ["printingSides", "Both sides", 20, "page", 15, 300],
      ["paperTypes", "70 GSM", 30, "sheet", 9, 270],
      ["paperSizes", "A4", 0, "page", 15, 0],
      ["coverOptions", "No Cover", 0, "copy", 3, 0],
      ["bindingOptions", "Spiral", 3500, "copy", 3, 10_500],
    ] as const;
    expect(orderValue).toEqual({ subTotal: 119, tax: 4, deliveryFee: 19, orderTotal: 142 });
    for (const answer of [
      await visitor.query("orders.one", { orderId }),
      await admin.visitor.query("board.order", { orderId }),
    ]) {
      expect(expectDone(answer)).toMatchObject({
        pages: 5,
        copies: 3,
        totalPaise: 14_200,
        quote: {
          sheets: 9,
          jobs: [
            {
              lines: lines.map(([kind, name, unitPaise, basis, quantity, amountPaise]) => ({
                ...{ kind, name, unitPaise },
                ...{ basis, quantity, amountPaise },
              })),
            },
          ],
          roundingPaise: 80,
          subTotalPaise: 11_900,
          taxPaise: 400,
          deliveryFeePaise: 1900,
          totalPaise: 14_200,
        },
      });
    }
    const offered = (await pricesOf(admin.visitor, id)).lists;
    expect((await seenByStudent(visitor, orderId)).options).toEqual([
      Object.fromEntries(OPTION_KINDS.map((kind) => [kind, offered[kind][0]?.id])),
    ]);
    const mine = expectDone(await visitor.query("privacy.myData"));
    expect(mine.orders).toMatchObject([
      {
        ...{
          noOfPages: 5,
          noOfCopies: 3,
          sheets: 9,
          subTotal: 119,
          tax: 4,
          deliveryFee: 19,
          orderTotal: 142,
        },
        lines: [
          {
            ...{ option: "Printed colour", name: "Black & White", unitPrice: 0.5 },
            ...{ basis: "page", quantity: 15, amount: 7.5 },
          },
          ...lines.slice(1).map(([, name]) => ({ name })),
        ],
      },
      { noOfPages: 3, noOfCopies: 2 },
    ]);
  });

  test("an order of almost a crore of rupees is accepted, and one that is too large to be stored refused in plain words", async () => {
    const free = { basis: "order", sides: 1 } as const;
    const { id } = await shownShop(admin.visitor, {
      printedColours: [33_333, 71_582, 71_583].map((paise) => priceEntry(`At ${paise}`, paise)),
      printingSides: [priceEntry("One side", 0, free)],
      paperTypes: [priceEntry("Vellum", 0, free)],
      paperSizes: [priceEntry("A4", 0, free)],
      coverOptions: [priceEntry("No Cover", 0, free)],
      bindingOptions: [priceEntry("None", 0, free)],
    });
    const { visitor } = await signedInStudent(store);
    const filesUrl = [await uploadPages(visitor, 30)];
    const large = await orderFor(visitor, { shopId: id, pages: 30, copies: 1000, filesUrl });
    const at = async (printedColour: string, { orderValue } = large) => {
      const orderData = { ...large.orderData, printedColour, subTotal: orderValue.subTotal };
      const order = { ...large, orderData, orderValue };
      const { status, body } = await visitor.post("/api/v1/prints/printorder", order);
      return [status, body.message];
    };
    const agreed = (subTotal: number) => ({
      ...large,
      orderValue: { subTotal, tax: 0, deliveryFee: 0, orderTotal: subTotal },
    });
    // The total must stay below 2³¹ paise, which are 2,14,74,836.48 rupees.
    expect(await at("At 71583")).toEqual([422, "This order is too large. Please split it into smaller ones"]);
    expect(await at("At 71582")).toEqual([409, "The price of this order is ₹2,14,74,600.00"]);
    // The page computes the same price, which is refused in words or can be agreed to.
    const tooLarge = await at("At 71583", agreed(21_474_900));
    expect(tooLarge).toEqual([422, "This order is too large. Please split it into smaller ones"]);
    expect(await at("At 71582", agreed(21_474_600))).toEqual([200, expect.any(String)]);
    filesUrl[0] = await uploadPages(visitor, 30);
    expect(await at("At 33333")).toEqual([200, expect.any(String)]);
    expect(large.orderValue.orderTotal).toBe(9_999_900);
  });

  test("an order keeps its agreed options when they are repriced, renamed and deleted", async () => {
    const { id } = await shownShop(admin.visitor);
    const { visitor } = await signedInStudent(store);
    const placed = await visitor.post("/api/v1/prints/printorder", await orderFor(visitor, { shopId: id }));
    const linesOf = () =>
      store.deps.readDb
        .selectFrom("order_lines")
        .selectAll()
        .where("order_id", "=", placed.body.data._id)
        .orderBy("kind")
        .execute();
    const before = await linesOf();
    expect(before.find(({ kind }) => kind === "bindingOptions")).toMatchObject({
      name: "Spiral",
      unit_paise: 3500,
    });

    expectDone(
      await save(
        await editedPrices(admin.visitor, id, ({ printedColours }) => ({
          bindingOptions: [priceEntry("Wire", 9900)],
          printedColours: printedColours.map((entry) => ({ ...entry, name: "Mono", pricePaise: 999 })),
        })),
        admin,
      ),
    );

    expect(await linesOf()).toEqual(before);
  });

  test("an order at the old price is refused with the new one", async () => {
    const { id } = await shownShop(admin.visitor);
    const { visitor } = await signedInStudent(store);
    const order = await orderFor(visitor, { shopId: id, pages: 10, copies: 1 });
    const input = await editedPrices(admin.visitor, id, ({ printedColours }) => ({
      printedColours: printedColours.map((entry) => ({ ...entry, pricePaise: 1050 })),
    }));
    expectDone(await save(input, admin));

    const refused = await visitor.post("/api/v1/prints/printorder", order);

    expect([refused.status, refused.body.code]).toEqual([409, "PRICE_CHANGED"]);
    // 10 pages × (10.50 + 0.20), 5 sheets × 0.30 and 35.00 for the binding, up to whole rupees.
    expect(refused.body.data.orderValue.subTotal).toBe(144);
  });
});
