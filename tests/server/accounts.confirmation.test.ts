import type { AnyProcedure } from "@trpc/server";
import { beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "#server/router.ts";
import { recentAuth } from "#server/trpc.ts";
import { mailsTo } from "../factories/mails.ts";
import { payInFull, reverseLast } from "../factories/payments.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { codeOf } from "../factories/shops.ts";
import {
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { newestCode, visitorAs } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore({ RATE_LIMIT_SCALE: "1" });
let shops: [string, string, ...string[]];
beforeAll(async () => {
  shops = await shopIds(store);
});

const DAYS = { from: "2026-11-01", until: "2026-11-02" };
const NOBODY = { userId: "nobody" };

/** A session opened some minutes ago and used since. */
async function minutesLater({ visitor }: StaffPerson, minutes: number): Promise<void> {
  store.clock.advance({ minutes });
  expect((await visitor.query("staff.myShops")).status).toBe(200);
}

const confirm = ({ visitor }: StaffPerson, password: string) =>
  visitor.mutate("accounts.confirm", { password });

const GUARDED: [procedure: string, kind: "query" | "mutate", input?: unknown][] = [
  ["staff.invite", "mutate", { email: "new@shop.example", role: "admin", shopIds: [] }],
  ["staff.reinvite", "mutate", { id: "none" }],
  ["staff.withdraw", "mutate", { id: "none" }],
  ["staff.change", "mutate", { ...NOBODY, role: "admin", shopIds: [], base: { role: "admin", shopIds: [] } }],
  ["staff.remove", "mutate", NOBODY],
  ["stats.export", "query", DAYS],
  ["seeding.export", "query"],
  ["seeding.write", "mutate", { file: { shops: [] }, base: {} }],
];

describe("ten minutes after login", () => {
  let admin: StaffPerson;
  beforeAll(async () => {
    admin = await signedInAdmin(store);
  });

  test.each(GUARDED)(
    "%s asks the user to confirm their identity, and then works",
    async (procedure, kind, input) => {
      await minutesLater(admin, 10);
      const refused = await admin.visitor[kind](procedure, input);
      expect([refused.status, codeOf(refused)]).toEqual([403, "CONFIRMATION_REQUIRED"]);

      expect((await confirm(admin, admin.person.password)).status).toBe(200);
      expect(codeOf(await admin.visitor[kind](procedure, input))).not.toBe("CONFIRMATION_REQUIRED");
    },
  );
});

test.each([
  ["staff.invite", { email: "new@shop.example", role: "counter", shopIds: [] }],
  ["staff.change", { ...NOBODY, role: "counter", shopIds: [], base: { role: "admin", shopIds: [] } }],
])("%s says what is missing before it asks for a confirmation", async (procedure, input) => {
  const { visitor } = await signedInAdmin(store);
  store.clock.advance({ minutes: 10 });
  const refused = await visitor.mutate(procedure, input);
  expect([codeOf(refused), JSON.stringify(refused.body)]).toEqual([
    "INVALID_INPUT",
    expect.stringContaining("Choose at least one shop"),
  ]);
});

test("these calls and those about second factors are all that always ask for a confirmation", async () => {
  const { visitor } = await signedInAdmin(store);
  store.clock.advance({ minutes: 10 });
  const procedures = Object.entries<AnyProcedure>(appRouter._def.procedures as never);
  const asking = [];
  for (const [name, { _def }] of procedures) {
    if (name === "accounts.logout" || _def.type === "subscription") continue;
    // Some check their input before.
    const { middlewares } = _def as unknown as { middlewares: unknown[] };
    const answer = await (_def.type === "query" ? visitor.query(name) : visitor.mutate(name));
    if (
      codeOf(answer) === "CONFIRMATION_REQUIRED" ||
      recentAuth._middlewares.some((check) => middlewares.includes(check))
    )
      asking.push(name);
  }
  const factors = ["startTotp", "startPasskey", "removeTotp", "removePasskey", "newRecoveryCodes"];
  expect(asking.toSorted()).toEqual(
    [
      ...GUARDED.map(([name]) => name),
      ...factors.map((name) => `accounts.${name}`),
      "book.confirmExport",
      "staff.resetSecondFactor",
      "staff.setSecondFactorRule",
    ].toSorted(),
  );
});

test("a confirmation is valid for 10 minutes", async () => {
  const admin = await signedInAdmin(store);
  store.clock.advance({ minutes: 10, ms: -1 });
  expect(codeOf(await admin.visitor.query("seeding.export"))).toBe("done");
  store.clock.advance({ ms: 1 });
  expect(codeOf(await admin.visitor.query("seeding.export"))).toBe("CONFIRMATION_REQUIRED");
});

test("a wrong password does not confirm, and may be tried ten times", async () => {
  const admin = await signedInAdmin(store);
  await minutesLater(admin, 10);
  const codes: string[] = [];
  for (let time = 0; time < 11; time++) codes.push(codeOf(await confirm(admin, "not my password")));

  expect(codes).toEqual([...Array(10).fill("INVALID_INPUT"), "RATE_LIMITED"]);
  expect(codeOf(await confirm(admin, admin.person.password))).toBe("RATE_LIMITED");
  expect(codeOf(await admin.visitor.query("seeding.export"))).toBe("CONFIRMATION_REQUIRED");
});

test("a confirmation applies only to its own session", async () => {
  const admin = await signedInAdmin(store);
  await minutesLater(admin, 10);
  const elsewhere = await visitorAs(store, admin.person);

  expect(codeOf(await elsewhere.query("seeding.export"))).toBe("done");
  expect(codeOf(await admin.visitor.query("seeding.export"))).toBe("CONFIRMATION_REQUIRED");
});

test("a confirmation renews the session token, and the old token stops working", async () => {
  const admin = await signedInAdmin(store);
  await minutesLater(admin, 10);
  const copy = admin.visitor.at(store);
  const before = admin.visitor.cookie("session");
  const [device] = (await admin.visitor.query("accounts.devices")).body.result.data;

  expect((await confirm(admin, "not my password")).status).toBe(422);
  expect(admin.visitor.cookie("session")).toBe(before);
  expect((await confirm(admin, admin.person.password)).status).toBe(200);

  expect(admin.visitor.cookie("session")).not.toBe(before);
  expect(codeOf(await copy.query("seeding.export"))).toBe("UNAUTHENTICATED");
  expect(codeOf(await admin.visitor.query("seeding.export"))).toBe("done");
  // It is still the same login: same place in the list, same end after seven days.
  expect((await admin.visitor.query("accounts.devices")).body.result.data).toEqual([device]);
});

test("of two confirmations at the same moment only one renews the token, and its cookie works", async () => {
  const admin = await signedInAdmin(store);
  await minutesLater(admin, 10);
  const answers = await Promise.all([1, 2, 3].map(() => confirm(admin, admin.person.password)));
  expect(answers.map(codeOf).toSorted()).toEqual(["UNAUTHENTICATED", "UNAUTHENTICATED", "done"]);
  expect(answers.filter(({ headers }) => headers.has("set-cookie"))).toHaveLength(1);
  expect(codeOf(await admin.visitor.query("seeding.export"))).toBe("done");
});

test("a login with a mailed code does not count as a confirmation", async () => {
  const { person } = await signedInAdmin(store);
  store.clock.advance({ minutes: 1 });
  const visitor = store.visitor();
  await visitor.post("/api/v1/users/generate-otp-for-login", { email: person.email });
  const verifyCode = await newestCode(store, person.email);
  const login = await visitor.post("/api/v1/users/login-with-otp", { verifyCode, email: person.email });
  expect(login.status).toBe(200);

  expect(codeOf(await visitor.query("seeding.export"))).toBe("CONFIRMATION_REQUIRED");
  await visitor.mutate("accounts.confirm", { password: person.password });
  expect(codeOf(await visitor.query("seeding.export"))).toBe("done");
});

describe("the payment address of a shop", () => {
  test("can only be changed after a recent confirmation; other fields need none", async () => {
    const owner = await signedInOwner(store, [shops[0]]);
    await minutesLater(owner, 10);
    const shop = async () =>
      (await owner.visitor.query("shops.admin.byId", { shopId: shops[0] })).body.result.data;
    const save = async (changes: Record<string, unknown>) => {
      const { _id: shopId, staffRatings: ratings, ...fields } = await shop();
      return owner.visitor.mutate("shops.admin.update", { ...fields, shopId, ratings, ...changes });
    };

    expect((await save({ college: "City College" })).status).toBe(200);
    expect(codeOf(await save({ upiId: "somebody@bank", college: "Elsewhere" }))).toBe(
      "CONFIRMATION_REQUIRED",
    );
    expect(await shop()).toMatchObject({
      college: "City College",
      upiId: expect.not.stringMatching("somebody"),
    });

    await confirm(owner, owner.person.password);
    expect((await save({ upiId: "somebody@bank" })).status).toBe(200);
    expect(await shop()).toMatchObject({ upiId: "somebody@bank" });
  });

  test("of a new shop needs a confirmation too", async () => {
    const admin = await signedInAdmin(store);
    await minutesLater(admin, 10);
    const { body } = await admin.visitor.query("shops.admin.byId", { shopId: shops[0] });
    const { _id, ...fields } = body.result.data;
    const shop = { ...fields, id: "new-shop", shopName: "New Shop", upiId: "new@bank" };

    expect(codeOf(await admin.visitor.mutate("shops.admin.create", shop))).toBe("CONFIRMATION_REQUIRED");
    await confirm(admin, admin.person.password);
    expect(codeOf(await admin.visitor.mutate("shops.admin.create", shop))).toBe("done");
  });
});

test("the e-mail that a shop's orders go to can only be changed after a recent confirmation, and the old one is told", async () => {
  const owner = await signedInOwner(store, [shops[1]]);
  await minutesLater(owner, 10);
  const shop = async () =>
    (await owner.visitor.query("shops.admin.byId", { shopId: shops[1] })).body.result.data;
  const { _id: shopId, staffRatings: ratings, ...fields } = await shop();
  const moved = { ...fields, shopId, ratings, email: "elsewhere@shop.example" };
  expect(codeOf(await owner.visitor.mutate("shops.admin.update", moved))).toBe("CONFIRMATION_REQUIRED");
  expect((await shop()).email).toBe(fields.email);

  await confirm(owner, owner.person.password);
  for (let time = 0; time < 2; time++)
    expect((await owner.visitor.mutate("shops.admin.update", moved)).status).toBe(200);
  const told = (await mailsTo(store, fields.email)).filter(({ kind }) => kind === "shop-email");
  expect(told.map(({ subject }) => subject)).toEqual([
    `Orders of ${fields.shopName} will go to another email`,
  ]);
  expect(told[0]?.text).not.toContain("elsewhere");
  expect(told[0]?.text).toContain(`${store.url}/contact-us\n`);

  await minutesLater(owner, 10);
  const another = { ...moved, version: (await shop()).version, offersPickup: !moved.offersPickup };
  expect((await owner.visitor.mutate("shops.admin.update", another)).status).toBe(200);
  expect((await mailsTo(store, moved.email)).map(({ kind }) => kind)).toEqual(["shop-email-confirm"]);
});

describe("refunds", () => {
  /** An owner whose last proof of identity is ten minutes old, and a paid order. */
  async function setting() {
    const owner = await signedInOwner(store, [shops[0]]);
    const order = await placeOrder(store, shops[0]);
    expect(codeOf(await payInFull(owner.visitor, order.id))).toBe("done");
    await minutesLater(owner, 10);
    const paidAt = () =>
      store.deps.readDb
        .selectFrom("orders")
        .select(["paid_at", "state"])
        .where("id", "=", order.id)
        .executeTakeFirstOrThrow();
    return { owner, order, paidAt };
  }

  test("reversing a payment needs a recent confirmation, taking one does not", async () => {
    const { owner, order, paidAt } = await setting();
    const takeBack = () => reverseLast(owner.visitor, order.id);
    expect(codeOf(await takeBack())).toBe("CONFIRMATION_REQUIRED");
    expect((await paidAt()).paid_at).toEqual(expect.any(String));
    await confirm(owner, owner.person.password);
    expect(codeOf(await takeBack())).toBe("done");
    await minutesLater(owner, 10);
    expect(codeOf(await payInFull(owner.visitor, order.id))).toBe("done");
  });

  test("cancelling a paid order needs a recent confirmation, cancelling an unpaid one does not", async () => {
    const { owner, order, paidAt } = await setting();
    const cancel = (orderId: string) =>
      owner.visitor.mutate("board.cancel", { orderId, from: "placed", reason: "No toner" });
    expect(codeOf(await cancel(order.id))).toBe("CONFIRMATION_REQUIRED");
    expect((await paidAt()).state).toBe("placed");
    const unpaid = await placeOrder(store, shops[0]);
    expect(codeOf(await cancel(unpaid.id))).toBe("done");
    await confirm(owner, owner.person.password);
    expect(codeOf(await cancel(order.id))).toBe("done");
  });

  test("counter staff may not refund, even after a confirmation", async () => {
    const { order } = await setting();
    const counter = await signedInCounter(store, [shops[0]]);
    for (const minutes of [0, 10]) {
      await minutesLater(counter, minutes);
      const back = await reverseLast(counter.visitor, order.id);
      const cancel = { orderId: order.id, from: "placed", reason: "No toner" };
      expect([codeOf(back), codeOf(await counter.visitor.mutate("board.cancel", cancel))]).toEqual([
        "FORBIDDEN",
        "FORBIDDEN",
      ]);
    }
  });
});
