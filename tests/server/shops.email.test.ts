import { Hono } from "hono";
import pino from "pino";
import { beforeAll, expect, test, vi } from "vitest";
import { AppError } from "#server/errors.ts";
import type { Env } from "#server/http/request-context.ts";
import { mountMailedForms } from "#server/shops/shops.http.ts";
import { confirmShopEmail, mailsTo, shopEmailLink } from "../factories/mails.ts";
import { seenByStudent, uploadPages } from "../factories/orders.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { answerReport, reportError } from "../factories/reprints.ts";
import { codeOf, expectDone, importSeed, newShop, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;
beforeAll(async () => {
  admin = await signedInAdmin(store);
});

/** A shop whose e-mail is confirmed. */
async function confirmedShop() {
  const shop = await shownShop(admin.visitor);
  await confirmShopEmail(store, shop.email);
  return shop;
}

const managed = async (shopId: string) =>
  expectDone(await admin.visitor.query("shops.admin.byId", { shopId }));

async function move(shopId: string, email: string) {
  const { _id, staffRatings: ratings, ...fields } = await managed(shopId);
  return admin.visitor.mutate("shops.admin.update", { ...fields, shopId, ratings, email });
}

const kindsTo = async (email: string) => (await mailsTo(store, email)).map(({ kind }) => kind).toSorted();
const press = (link: string) => store.visitor().send("POST", link);

test("a new shop's e-mail gets no orders before it has confirmed that it is the shop's, and then the next", async () => {
  const shop = await shownShop(admin.visitor);
  await placeOrder(store, shop.id);
  expect(await kindsTo(shop.email)).toEqual(["shop-email-confirm"]);
  expect((await managed(shop.id)).orderEmail).toBe("");

  await confirmShopEmail(store, shop.email);
  const { number } = await placeOrder(store, shop.id);
  const mails = await mailsTo(store, shop.email);
  expect(mails.filter(({ kind }) => kind === "order-shop").map(({ subject }) => subject)).toEqual([
    expect.stringContaining(number),
  ]);
});

test("orders go on to the confirmed e-mail, which is told, while a mistyped one gets nothing of a student", async () => {
  const shop = await confirmedShop();
  const stranger = `${shop.id}@gmial.example`;
  expectDone(await move(shop.id, stranger));
  const { student } = await placeOrder(store, shop.id);

  expect(await kindsTo(shop.email)).toEqual(["order-shop", "shop-email", "shop-email-confirm"]);
  const [mail, ...more] = await mailsTo(store, stranger);
  expect([mail?.kind, more]).toEqual(["shop-email-confirm", []]);
  expect(mail?.text).toContain(shop.shopName);
  expect(mail?.text).not.toContain(student.fullName);
  const toStudent = (await mailsTo(store, student.email)).find(({ kind }) => kind === "order-student");
  expect(toStudent?.reply_to).toBe(shop.email);
  expect(await managed(shop.id)).toMatchObject({ email: stranger, orderEmail: shop.email });
});

test("students read the e-mail that the shop shows, and their replies go to the confirmed one, or else to that", async () => {
  const confirmed = await confirmedShop();
  const shown = `shown-${confirmed.email}`;
  expectDone(await move(confirmed.id, shown));
  const first = await placeOrder(store, confirmed.id);
  const placed = (await mailsTo(store, first.student.email)).find(({ kind }) => kind === "order-student");
  expect([placed?.reply_to, placed?.text]).toEqual([confirmed.email, expect.stringContaining(shown)]);

  const shop = await shownShop(admin.visitor);
  const order = await placeOrder(store, shop.id);
  const right = `right-${shop.email}`;
  expectDone(await move(shop.id, right));
  const hold = { orderId: order.id, reason: "Page 2 is cut off" };
  expectDone(await admin.visitor.mutate("holds.hold", hold));
  const held = (await mailsTo(store, order.student.email)).find(({ kind }) => kind === "order-held");
  expect(held?.reply_to).toBe(right);

  const shownOrder = await seenByStudent(order.visitor, order.id);
  const release = { orderId: order.id, holdId: shownOrder.hold.id };
  expectDone(await admin.visitor.mutate("holds.release", release));
  await moveTo(admin.visitor, order.id, "delivered");
  expectDone(await reportError(order));
  expectDone(await answerReport(admin.visitor, order.id, true));
  const filesUrl = [await uploadPages(order.visitor, 3)];
  expectDone(await order.visitor.mutate("reprints.order", { orderId: order.id, filesUrl }));
  const reprint = await store.deps.readDb
    .selectFrom("orders")
    .select("shop_email")
    .where("reprint_of", "=", order.id)
    .executeTakeFirstOrThrow();
  expect(reprint.shop_email).toBe(right);
});

test("opening the link changes nothing; its button confirms, and says the same when it is pressed again", async () => {
  const shop = await shownShop(admin.visitor);
  const link = await shopEmailLink(store, shop.email);
  const page = await store.visitor().get(link);
  expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(page.body).toContain(`Is ${shop.email} the email of ${shop.shopName}?`);
  expect((await managed(shop.id)).orderEmail).toBe("");

  const { version } = await managed(shop.id);
  for (let time = 0; time < 2; time++) {
    const { status, body } = await press(link);
    expect([status, body]).toEqual([200, expect.stringContaining(`are mailed to ${shop.email}`)]);
  }
  expect(await managed(shop.id)).toMatchObject({ orderEmail: shop.email, version });
  const entries = await store.deps.readDb
    .selectFrom("audit_log")
    .select(["by_name", "before", "after"])
    .where("action", "=", "shop.confirmEmail")
    .where("shop_id", "=", shop.id)
    .execute();
  expect(entries).toEqual([
    {
      by_name: "Whoever reads the shop's email",
      before: JSON.stringify({ ordersMailedTo: "" }),
      after: JSON.stringify({ ordersMailedTo: shop.email }),
    },
  ]);
});

test("a link ends after seven days, with the next e-mail, and confirms no other shop or e-mail", async () => {
  const shop = await shownShop(admin.visitor);
  const link = await shopEmailLink(store, shop.email);
  const [text = "", mac = ""] = link.split("token=")[1]?.split(".") ?? [];
  const claim = JSON.parse(Buffer.from(text, "base64url").toString());
  const other = await shownShop(admin.visitor);
  for (const forged of [{ shopId: other.id }, { email: other.email }, { until: claim.until + 1 }]) {
    const token = Buffer.from(JSON.stringify({ ...claim, ...forged })).toString("base64url");
    expect((await press(`/shop-email?token=${token}.${mac}`)).status).toBe(404);
  }
  for (const token of ["", "none", `${text}.`, mac]) {
    expect((await press(`/shop-email?token=${token}`)).status).toBe(404);
    expect((await store.visitor().get(`/shop-email?token=${token}`)).status).toBe(404);
  }

  store.clock.advance({ days: 7, ms: -1 });
  expect((await store.visitor().get(link)).status).toBe(200);
  store.clock.advance({ ms: 1 });
  for (const answer of [await store.visitor().get(link), await press(link)])
    expect([answer.status, answer.body]).toEqual([404, expect.stringContaining("Nothing to confirm")]);

  admin = await signedInAdmin(store);
  expectDone(await admin.visitor.mutate("shops.admin.sendConfirmation", { shopId: shop.id }));
  const renewed = await shopEmailLink(store, shop.email);
  expectDone(await move(shop.id, `other-${shop.email}`));
  expect((await press(renewed)).status).toBe(404);
  expect((await managed(shop.id)).orderEmail).toBe("");
  expectDone(await move(shop.id, shop.email));
  expect((await press(renewed)).status).toBe(200);
});

test("an e-mail that is set back to the confirmed one needs nothing, and its link is not sent again", async () => {
  const shop = await confirmedShop();
  expectDone(await move(shop.id, `moved-${shop.email}`));
  const before = await kindsTo(shop.email);
  expectDone(await move(shop.id, shop.email));
  expectDone(await admin.visitor.mutate("shops.admin.sendConfirmation", { shopId: shop.id }));
  expect(await kindsTo(shop.email)).toEqual(before);
  await placeOrder(store, shop.id);
  expect(await kindsTo(shop.email)).toEqual(["order-shop", ...before]);
});

test("the link is sent again to those who may change the shop, ten times a day with new e-mails together", async () => {
  const limited = await tempStore({ RATE_LIMIT_SCALE: "1" });
  const boss = await signedInAdmin(limited);
  const shop = await shownShop(boss.visitor);
  const owner = await signedInOwner(limited, [shop.id]);
  const send = () => owner.visitor.mutate("shops.admin.sendConfirmation", { shopId: shop.id });
  for (let time = 0; time < 10; time++) expectDone(await send());
  expect(codeOf(await send())).toBe("RATE_LIMITED");
  expect(await mailsTo(limited, shop.email)).toHaveLength(11);
});

test("an imported shop's e-mail must be confirmed, and so must one that a file changes", async () => {
  const shop = await confirmedShop();
  const { file } = expectDone(await admin.visitor.query("seeding.export"));
  const own = file.shops.find(({ id }: { id: string }) => id === shop.id);
  const added = { ...own, ...newShop() };
  const changed = { ...own, email: `imported-${shop.email}` };
  expectDone(await importSeed(admin.visitor, { shops: [changed, added] }));
  for (const { id } of [shop, added]) await placeOrder(store, id);
  for (const { email } of [changed, added]) expect(await kindsTo(email)).toEqual(["shop-email-confirm"]);
  expect((await mailsTo(store, shop.email)).map(({ kind }) => kind)).toContain("order-shop");
});

test.each([
  [new Error("a secret"), 500, "Please try again", 1],
  [new AppError("RATE_LIMITED", "Not so fast"), 429, "Please try again", 0],
  [new AppError("NOT_FOUND", "This link is over"), 404, "Nothing to confirm", 0],
] as const)(
  "the page of a mailed link that fails with %s says so, and the log says what is ours to mend",
  async (error, status, title, logged) => {
    const app = new Hono<Env>();
    const log = pino({ level: "silent" });
    const logError = vi.spyOn(log, "error");
    mountMailedForms(app, { log }, () => Promise.reject(error));
    for (const method of ["GET", "POST"]) {
      logError.mockClear();
      const page = await app.request("/shop-email?token=one", { method });
      const html = await page.text();
      expect([page.status, html.includes(`<h1>${title}</h1>`), html.includes("secret")]).toEqual([
        status,
        true,
        false,
      ]);
      expect(logError).toHaveBeenCalledTimes(logged);
    }
  },
);
