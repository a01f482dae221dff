import { beforeAll, describe, expect, test } from "vitest";
import type { AuditAction } from "#shared/audit-actions.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { orderFor } from "../factories/orders.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { codeOf, expectDone, newShop, pricesOf, shownShop } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { newStudent, signedInStudent } from "../factories/students.ts";
import { refusalsOf } from "../factories/together.ts";
import { recordQueries } from "../setup/query-plans.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;
let owner: StaffPerson;
let ownShop: string;
let otherShop: string;
beforeAll(async () => {
  [ownShop, otherShop] = await shopIds(store);
  admin = await signedInAdmin(store);
  owner = await signedInOwner(store, [ownShop]);
});

const managed = async (shopId: string) =>
  expectDone(await admin.visitor.query("shops.admin.byId", { shopId }));
const listedIds = async () =>
  (await store.visitor().get("/api/v1/prints/shopslocation")).body.data.map(
    ({ _id }: { _id: string }) => _id,
  );
const auditOf = (shopId: string, action: AuditAction) =>
  store.deps.readDb
    .selectFrom("audit_log")
    .select(["by_name", "before", "after"])
    .where("subject_id", "=", shopId)
    .where("shop_id", "=", shopId)
    .where("action", "=", action)
    .execute();

describe("a new shop", () => {
  test("has all its fields, and is hidden until its six lists have prices", async () => {
    const shop = newShop();
    expectDone(await admin.visitor.mutate("shops.admin.create", shop));

    const { id, ...fields } = shop;
    expect(await managed(id)).toMatchObject({ _id: id, ...fields, isOpen: true, hidden: true, version: 1 });
    expect(await listedIds()).not.toContain(id);
    const [created] = await auditOf(id, "shop.create");
    expect([created?.by_name, created?.before]).toEqual([admin.person.fullName, null]);
    expect(JSON.parse(created?.after ?? "")).toMatchObject({ ...fields, upiId: "", hidden: true });
    const listed = expectDone(await admin.visitor.query("shops.admin.list", { search: shop.shopName }));
    expect(listed).toMatchObject({ total: 1, next: null });
    expect(listed.rows[0]).toMatchObject({
      _id: id,
      ...{ hidden: true, hasOrders: false, samplePaise: null, gaps: OPTION_KINDS, ratingCount: 0 },
      ...{ savedBy: admin.person.fullName, savedAt: store.deps.now().toISOString() },
    });
    const refused = await admin.visitor.mutate("shops.admin.setHidden", { shopId: id, hidden: false });
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      "Students cannot order here yet. Add prices to: Printed colour, Printing side, Paper type, Paper size, Cover, Binding",
    ]);
    expect(await managed(id)).toMatchObject({ hidden: true });
  });

  test("accepts a UPI ID, pickup and separator sheets, and is written to the audit log", async () => {
    const shop = { ...newShop(), upiId: "lamp.post-1@okbank", offersPickup: true };
    expectDone(await admin.visitor.mutate("shops.admin.create", shop));
    const { id: shopId, ...fields } = shop;
    expect(await managed(shopId)).toMatchObject({ upiId: "lamp.post-1@okbank", offersPickup: true });

    const none = { ...fields, upiId: "", offersPickup: false, separatesFiles: true };
    expectDone(await admin.visitor.mutate("shops.admin.update", { shopId, version: 1, ...none }));
    expect(await managed(shopId)).toMatchObject({
      upiId: "",
      offersPickup: false,
      separatesFiles: true,
      takesUpi: false,
    });
    expect(await auditOf(shopId, "shop.change")).toMatchObject([
      {
        before: '{"offersPickup":true,"upiId":"lamp.post-1@okbank","separatesFiles":false}',
        after: '{"offersPickup":false,"upiId":"","separatesFiles":true}',
      },
    ]);
    for (const upiId of ["lamp post@okbank", "lamp.post", "@okbank", "a@b@c", "a@b&am=1"]) {
      const answer = await admin.visitor.mutate("shops.admin.update", { shopId, version: 2, ...none, upiId });
      expect([upiId, answer.body.error?.data.issues?.[0]?.path]).toEqual([upiId, "upiId"]);
    }
    // PostgreSQL cannot compare larger ones.
    const beyond = await admin.visitor.mutate("shops.admin.update", { shopId, version: 2 ** 31, ...none });
    expect([beyond.status, beyond.body.error?.data.issues?.[0]?.path]).toEqual([422, "version"]);
  });

  test("again after its answer was lost answers as the first time, and is created once", async () => {
    const shop = newShop();
    for (let press = 0; press < 2; press++) {
      expect(expectDone(await admin.visitor.mutate("shops.admin.create", shop))).toEqual({ id: shop.id });
    }
    expect(await auditOf(shop.id, "shop.create")).toHaveLength(1);
    const other = await admin.visitor.mutate("shops.admin.create", { ...shop, college: "Another College" });
    expect(other.status).toBe(409);
  });

  test("cannot take the id of another shop", async () => {
    const answer = await admin.visitor.mutate("shops.admin.create", { ...newShop(), id: ownShop });
    expect([answer.status, answer.body.error.data.issues]).toEqual([
      409,
      [{ path: "id", message: expect.stringContaining(ownShop) }],
    ]);
  });

  test.each([
    ["shopName", " "],
    ["shopLocation", ""],
    ["college", ""],
    ["shopImage", "javascript:alert(1)"],
    ["shopImage", "https://elsewhere.example/x.png"],
    ["shopImage", "//elsewhere.example/x.png"],
    ["shopImage", "/\\elsewhere.example/x.png"],
    ["shopImage", "/\t/elsewhere.example/x.png"],
    ["shopImage", "/shop-images/../api/v1/prints/shopslocation"],
    ["shopImage", "/api/v1/prints/shopslocation"],
    ["shopImage", "data:image/svg+xml,<svg/>"],
    ["ratings", 5.1],
    ["ratings", 4.25],
    ["perPageCost", -1],
    ["perPageCost", 1.005],
    ["email", "nobody"],
    ["contactNumber", ""],
    ["id", "with space"],
  ])("is refused with %s %j, naming the field", async (field, value) => {
    const answer = await admin.visitor.mutate("shops.admin.create", { ...newShop(), [field]: value });
    expect(answer.status).toBe(422);
    expect(answer.body.error.data.issues.map(({ path }: { path: string }) => path)).toEqual([field]);
  });
});

describe("editing a shop", () => {
  test("is visible to students at once, and writes the changes to the audit log", async () => {
    const { id, ...fields } = await shownShop(admin.visitor);
    const shopName = "Lamp Post Prints & Co";
    expectDone(
      await admin.visitor.mutate("shops.admin.update", { ...fields, shopId: id, version: 1, shopName }),
    );

    const seen = (await store.visitor().get(`/api/v1/prints/shopdata?id=${id}`)).body.data;
    expect(seen).toMatchObject({ shopName, shopLocation: fields.shopLocation });
    expect(await auditOf(id, "shop.change")).toEqual([
      {
        by_name: admin.person.fullName,
        before: JSON.stringify({ shopName: fields.shopName }),
        after: JSON.stringify({ shopName }),
      },
    ]);
  });

  test("tells the slower of two editors who saved when, and keeps the first one's changes", async () => {
    const { version, ...shop } = await managed(ownShop);
    const save = (staff: StaffPerson, college: string) =>
      staff.visitor.mutate("shops.admin.update", { ...shop, shopId: ownShop, version, college });
    expectDone(await save(owner, "First College"));
    const at = store.deps.now().toISOString();
    store.clock.advance({ minutes: 3 });

    const lost = await save(admin, "Second College");

    expect(lost.status).toBe(409);
    expect(lost.body.error.message).toMatch(
      new RegExp(`^${owner.person.fullName} saved this shop while you were editing it \\(.+ IST\\)$`),
    );
    expect(lost.body.error.data.details).toEqual({
      version: version + 1,
      savedBy: owner.person.fullName,
      savedAt: at,
    });
    expect(await managed(ownShop)).toMatchObject({ college: "First College", version: version + 1 });
  });

  test("again after its answer was lost answers as the first time, and saves nothing", async () => {
    const { version, ...shop } = await managed(ownShop);
    const save = (college: string) =>
      owner.visitor.mutate("shops.admin.update", { ...shop, shopId: ownShop, version, college });
    const logged = (await auditOf(ownShop, "shop.change")).length;
    for (let press = 0; press < 2; press++) {
      expect(expectDone(await save("Twice College"))).toEqual({ version: version + 1 });
    }
    expect((await save("Another College")).status).toBe(409);
    expect(await managed(ownShop)).toMatchObject({ college: "Twice College", version: version + 1 });
    expect(await auditOf(ownShop, "shop.change")).toHaveLength(logged + 1);
  });

  test("accepts exactly one of several simultaneous saves", async () => {
    const { version, ...shop } = await managed(ownShop);
    const answers = await Promise.all(
      ["One", "Two", "Three", "Four"].map((college) =>
        admin.visitor.mutate("shops.admin.update", { ...shop, shopId: ownShop, version, college }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(refusalsOf(answers)).toEqual([
      expect.stringContaining("saved this shop while you were editing it"),
    ]);
  });

  test("keeps a missing picture, but accepts no removal and no picture from another site", async () => {
    const { id, ...fields } = await shownShop(admin.visitor);
    const save = async (shopImage: unknown) => {
      const { version } = await managed(id);
      return admin.visitor.mutate("shops.admin.update", { ...fields, shopId: id, version, shopImage });
    };
    const refusal = ({ status, body }: Awaited<ReturnType<typeof save>>) => [
      status,
      body.error?.data.issues?.map(({ path }: { path: string }) => path),
    ];
    expect(refusal(await save(""))).toEqual([422, ["shopImage"]]);
    await store.deps.db.updateTable("shops").set({ image: "" }).where("id", "=", id).execute();

    expectDone(await save(""));

    expect(refusal(await save(undefined))).toEqual([422, ["shopImage"]]);
    expect(refusal(await save("https://elsewhere.example/x.png"))).toEqual([422, ["shopImage"]]);
    expect(await managed(id)).toMatchObject({ shopImage: "", version: 2 });
    expectDone(await save(fields.shopImage));
    expect(await managed(id)).toMatchObject({ shopImage: fields.shopImage, version: 3 });
  });

  test("leaves the rating to admins", async () => {
    const opened = await managed(ownShop);
    const saveAs = (staff: StaffPerson, changes: object) =>
      staff.visitor.mutate("shops.admin.update", { ...opened, shopId: ownShop, ...changes });
    const ratings = opened.ratings === 5 ? 4 : 5;
    const { version } = expectDone(await saveAs(admin, { ratings }));
    expect(codeOf(await saveAs(owner, { college: "Late College" }))).toBe("CONFLICT");
    expectDone(await saveAs(owner, { version, college: "Late College" }));
    expect(await managed(ownShop)).toMatchObject({ ratings, college: "Late College" });
  });
});

describe("a closed shop", () => {
  test("says so with its note in the list and on its page, and refuses orders until it opens", async () => {
    const { visitor } = await signedInStudent(store);
    const order = await orderFor(visitor, { shopId: ownShop });
    const close = { shopId: ownShop, isOpen: false, closedNote: "back at 4 pm" };
    for (let press = 0; press < 2; press++)
      expectDone(await owner.visitor.mutate("shops.admin.setOpen", close));

    const list = (await visitor.get("/api/v1/prints/shopslocation")).body.data;
    const card = list.find(({ _id }: { _id: string }) => _id === ownShop);
    expect(card).toMatchObject({ isOpen: false, closedNote: "back at 4 pm" });
    const closed = list.filter(({ isOpen }: { isOpen: boolean }) => !isOpen);
    expect(closed.map(({ _id }: { _id: string }) => _id)).toEqual([ownShop]);
    const refused = await visitor.post("/api/v1/prints/printorder", order);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `${order.orderData.shopName} is closed and takes no orders right now: back at 4 pm`,
    ]);

    expectDone(await owner.visitor.mutate("shops.admin.setOpen", { shopId: ownShop, isOpen: true }));
    expect(await managed(ownShop)).toMatchObject({ isOpen: true, closedNote: "" });
    expect((await visitor.post("/api/v1/prints/printorder", order)).status).toBe(200);
    expect(await auditOf(ownShop, "shop.close")).toEqual([
      {
        by_name: owner.person.fullName,
        before: '{"isOpen":true,"closedNote":""}',
        after: '{"isOpen":false,"closedNote":"back at 4 pm"}',
      },
    ]);
    expect(await auditOf(ownShop, "shop.open")).toHaveLength(1);
  });

  test("still confirms an order placed before, when its key is sent again", async () => {
    const { visitor } = await signedInStudent(store);
    const order = { ...(await orderFor(visitor, { shopId: ownShop })), idempotencyKey: "once" };
    const first = await visitor.post("/api/v1/prints/printorder", order);
    expectDone(await owner.visitor.mutate("shops.admin.setOpen", { shopId: ownShop, isOpen: false }));

    const again = await visitor.post("/api/v1/prints/printorder", order);

    expect([again.status, again.body.data._id]).toEqual([200, first.body.data._id]);
    expectDone(await owner.visitor.mutate("shops.admin.setOpen", { shopId: ownShop, isOpen: true }));
  });
});

describe("a hidden shop", () => {
  test("is invisible to students: in the list, by id, and by name in an order", async () => {
    const { visitor } = await signedInStudent(store);
    const { id: shopId } = await shownShop(admin.visitor);
    const order = await orderFor(visitor, { shopId });
    const listed: string[] = await listedIds();
    expect(listed).toContain(shopId);

    expectDone(await admin.visitor.mutate("shops.admin.setHidden", { shopId, hidden: true }));

    expect(await listedIds()).toEqual(listed.filter((id) => id !== shopId));
    const by_name = admin.person.fullName;
    const [hidden, shown] = ['{"hidden":true}', '{"hidden":false}'];
    expect(await auditOf(shopId, "shop.show")).toEqual([{ by_name, before: hidden, after: shown }]);
    expect(await auditOf(shopId, "shop.hide")).toEqual([{ by_name, before: shown, after: hidden }]);
    expect((await visitor.get(`/api/v1/prints/shopdata?id=${shopId}`)).status).toBe(404);
    const byName = await visitor.post("/api/v1/prints/printorder", order);
    const byId = await visitor.post("/api/v1/prints/printorder", {
      ...order,
      orderData: { ...order.orderData, shopId },
    });
    expect([byName.status, byId.status]).toEqual([404, 404]);
    expect(await managed(shopId)).toMatchObject({ hidden: true });
  });
});

describe("deleting a shop", () => {
  test("deletes its price list, its staff assignments and the invitations to it alone", async () => {
    const { id: shopId } = await shownShop(admin.visitor);
    const invited = { shop: newStudent().email, both: newStudent().email, store: newStudent().email };
    const invite = async (email: string, role: string, shops: string[]) =>
      expectDone(await admin.visitor.mutate("staff.invite", { email, role, shopIds: shops }));
    await invite(invited.shop, "counter", [shopId]);
    await invite(invited.both, "owner", [shopId, otherShop]);
    await invite(invited.store, "admin", []);
    const own = await signedInOwner(store, [shopId]);
    expect((await pricesOf(own.visitor, shopId)).version).toBe(1);

    expectDone(await admin.visitor.mutate("shops.admin.remove", { shopId }));

    expect(codeOf(await admin.visitor.query("shops.admin.byId", { shopId }))).toBe("NOT_FOUND");
    expect(codeOf(await own.visitor.query("prices.get", { shopId }))).toBe("NOT_FOUND");
    const rows = await store.deps.readDb
      .selectFrom("shop_options")
      .select("id")
      .where("shop_id", "=", shopId)
      .execute();
    expect(rows).toEqual([]);
    const waiting = store.deps.readDb.selectFrom("staff_invitations").select("email");
    const left = await waiting.where("email", "in", Object.values(invited)).execute();
    expect(left.map(({ email }) => email).toSorted()).toEqual([invited.both, invited.store].toSorted());
    expect(await auditOf(shopId, "shop.delete")).toMatchObject([{ after: null }]);
  });

  test("is refused once someone has ordered there", async () => {
    await placeOrder(store, ownShop);
    const answer = await admin.visitor.mutate("shops.admin.remove", { shopId: ownShop });
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      "This shop has orders, so it cannot be deleted. Hide it instead",
    ]);
    expect(await managed(ownShop)).toMatchObject({ hasOrders: true });
  });
});

describe("the list of many shops", () => {
  const word = `Zephyr${crypto.randomUUID().slice(0, 6)}`;
  const namesOf = (shops: { shopName: string }[]) => shops.map(({ shopName }) => shopName);
  const names = Array.from(
    { length: LIST_ROWS + 2 },
    (_, index) => `${word} ${String(index).padStart(2, "0")}`,
  );
  const created = names.map((shopName) => ({ ...newShop(), shopName }));
  const ofName = (shopName: string | undefined) => created.find((shop) => shop.shopName === shopName);
  beforeAll(async () => {
    for (const shop of created.toReversed()) {
      expectDone(await admin.visitor.mutate("shops.admin.create", shop));
    }
  });

  test("comes by the page and by name, and is searched by all words, in any case, of name, place and college", async () => {
    const list = async (input: object) => expectDone(await admin.visitor.query("shops.admin.list", input));
    const first = await list({ search: word.toUpperCase() });
    expect([namesOf(first.rows), first.total]).toEqual([names.slice(0, LIST_ROWS), names.length]);
    const second = await list({ search: word, cursor: first.next });
    expect([namesOf(second.rows), second.next]).toEqual([names.slice(LIST_ROWS), null]);
    const one = ofName(names[3]);
    const found = await list({ search: `${one?.college} ${one?.shopLocation} 03 ${word}` });
    expect(namesOf(found.rows)).toEqual([names[3]]);
    expect(await list({ search: `${word} nowhere` })).toEqual({ rows: [], total: 0, next: null });
    expect(namesOf((await list({ shopId: one?.id })).rows)).toEqual([names[3]]);
  });

  test("is not read whole for a page of it: only its own shops and their options", async () => {
    const { queries } = recordQueries();
    expectDone(await admin.visitor.query("shops.admin.list", { search: names[3] }));
    const read = [...queries.values()].filter(({ sql }) => /from "shop_options"|has_orders/.test(sql));
    expect(read.map(({ parameters }) => parameters.includes(ofName(names[3])?.id))).toEqual([true, true]);
  });

  test("is a choice of the first that match, says that there are more, and names those that are chosen", async () => {
    const choose = async (person: StaffPerson, input: object) =>
      expectDone(await person.visitor.query("staff.myShops", input));
    const many = await choose(admin, { search: word });
    expect(many.shops.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, LIST_ROWS));
    expect(many.hasMore).toBe(true);
    const label = `${names[26]}, ${ofName(names[26])?.shopLocation}`;
    const [id] = [ofName(names[26])?.id];
    const last = {
      shops: [{ id, name: names[26], location: ofName(names[26])?.shopLocation }],
      hasMore: false,
    };
    expect(await choose(admin, { search: label })).toEqual(last);
    expect(await choose(admin, { ids: [id] })).toEqual(last);
    expect(await choose(owner, { ids: [id] })).toEqual({ shops: [], hasMore: false });
    expect(await choose(owner, { search: word })).toEqual({ shops: [], hasMore: false });
  });

  test("of somebody else's shop is refused", async () => {
    const answer = await owner.visitor.query("shops.admin.list", { shopId: ofName(names[0])?.id });
    expect(codeOf(answer)).toBe("NOT_FOUND");
  });
});

describe("the staff of one shop", () => {
  test("see and change that shop only", async () => {
    const { queries } = recordQueries();
    const list = expectDone(await owner.visitor.query("shops.admin.list"));
    expect(list.rows.map(({ _id }: { _id: string }) => _id)).toEqual([ownShop]);
    // A store may have a hundred thousand options.
    const read = [...queries.values()].filter(({ sql }) => sql.includes('from "shop_options"'));
    expect(read.map(({ parameters }) => parameters.includes(ownShop))).toEqual([true]);
    const { version, ...other } = await managed(otherShop);
    const attempts = [
      owner.visitor.query("shops.admin.byId", { shopId: otherShop }),
      owner.visitor.mutate("shops.admin.update", { ...other, shopId: otherShop, version }),
      owner.visitor.mutate("shops.admin.setOpen", { shopId: otherShop, isOpen: false }),
      owner.visitor.query("prices.get", { shopId: otherShop }),
      owner.visitor.mutate("prices.save", { shopId: otherShop, version: 0, lists: {} }),
    ];
    for (const attempt of attempts) expect(codeOf(await attempt)).toBe("NOT_FOUND");
    expect(await managed(otherShop)).toEqual({ version, ...other });
  });

  test("cannot create, hide or delete shops", async () => {
    const attempts = [
      owner.visitor.mutate("shops.admin.create", newShop()),
      owner.visitor.mutate("shops.admin.setHidden", { shopId: ownShop, hidden: true }),
      owner.visitor.mutate("shops.admin.remove", { shopId: ownShop }),
    ];
    for (const attempt of attempts) expect(codeOf(await attempt)).toBe("FORBIDDEN");
  });
});
