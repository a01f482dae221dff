import { beforeAll, expect, test } from "vitest";
import type { LimitUse } from "#server/http/rate-limit.ts";
import { indianDay } from "#shared/indian-time.ts";
import type { ShopForm } from "#shared/schemas/shop-admin.ts";
import { orderFor, uploadPages } from "../factories/orders.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { blackPng, twoColours } from "../factories/photos.ts";
import { type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { acceptedReprint, deliveredOrder, reportError, sendPhoto } from "../factories/reprints.ts";
import { expectDone, pricesOf, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter, signedInOwner } from "../factories/staff.ts";
import { newStudent, type Student, signedInStudent } from "../factories/students.ts";
import { codeAt, removeHours, visitOrderFor, walkInOrder } from "../factories/visits.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore({ RATE_LIMIT_SCALE: "1" });
let shop: ShopForm;
let admin: StaffPerson;
let owner: StaffPerson;
let clerk: StaffPerson;
let asha: { visitor: ApiClient; student: Student; id: string };
let delivered: PlacedOrder;
let accepted: PlacedOrder;
beforeAll(async () => {
  admin = await signedInAdmin(store);
  shop = await shownShop(admin.visitor);
  await removeHours(store, shop.id);
  [owner, clerk] = [await signedInOwner(store, [shop.id]), await signedInCounter(store, [shop.id])];
  const { visitor, student } = await signedInStudent(store);
  asha = { visitor, student, id: await idOf(visitor) };
  delivered = await deliveredOrder(store, clerk.visitor, shop.id);
  accepted = await acceptedReprint(store, clerk.visitor, shop.id);
});

const ADDRESS = "127.0.0.1";

const idOf = async (visitor: ApiClient): Promise<string> =>
  (await visitor.get("/api/v1/users/getuser")).body.data._id;

/** Saves the shop as it is in `shop` now. */
async function saveShop(): Promise<ApiAnswer> {
  const { id: shopId, ...details } = shop;
  const { version } = expectDone(await owner.visitor.query("shops.admin.byId", { shopId }));
  return owner.visitor.mutate("shops.admin.update", { ...details, shopId, version });
}

/** Expects that `call` is answered with `status`, and counted once for each of `uses` and for nothing else. */
async function expectUses(
  call: () => Promise<{ status: number }>,
  uses: LimitUse[],
  status = 200,
): Promise<void> {
  const { db, keyring } = store.deps;
  await db.deleteFrom("rate_limits").execute();
  const answer = await call();
  const rows = await db.selectFrom("rate_limits").select(["key", "points"]).execute();
  const names = new Map(
    uses.map((use) => [`${use[0]}:${keyring.mac("limit", use.join(" "))}`, use.join(" ")]),
  );
  const used = rows.map(({ key, points }) => `${names.get(key) ?? `${key.split(":")[0]} ?`}: ${points}`);
  expect([answer.status, ...used.sort()]).toEqual([
    status,
    ...uses.map((use) => `${use.join(" ")}: 1`).sort(),
  ]);
}

test("an order counts for its student", async () => {
  const order = await orderFor(asha.visitor, { shopId: shop.id });
  await expectUses(() => asha.visitor.post("/api/v1/prints/printorder", order), [["orderAccount", asha.id]]);
});

test("an upload counts for its student and address", async () => {
  const pdf = await pdfOfPages(1);
  await expectUses(
    () => asha.visitor.upload(pdf),
    [
      ["uploadAccount", asha.id],
      ["uploadAddress", ADDRESS],
    ],
  );
});

test("a wrong password of a locked PDF counts for its student", async () => {
  const pdf = new Uint8Array(await encryptedPdf(1, "AES-128", { user: "right" }));
  const guess = () => asha.visitor.upload(pdf, "marks.pdf", { password: "wrong" });
  await expectUses(
    guess,
    [
      ["uploadAccount", asha.id],
      ["uploadAddress", ADDRESS],
      ["filePasswordAccount", asha.id],
    ],
    422,
  );
});

test("a report of a printing error, its photo and the reprint count for the student", async () => {
  const { visitor } = delivered;
  const id = await idOf(visitor);
  const photo = new Uint8Array(blackPng(64));
  await expectUses(
    () => sendPhoto(visitor, photo),
    [
      ["uploadAccount", id],
      ["uploadAddress", ADDRESS],
    ],
  );
  await expectUses(() => reportError(delivered), [["reportAccount", id]]);
  const filesUrl = [await uploadPages(accepted.visitor, 3)];
  const order = () => accepted.visitor.mutate("reprints.order", { orderId: accepted.id, filesUrl });
  await expectUses(order, [["orderAccount", await idOf(accepted.visitor)]]);
});

test("a rating and a new name count for the account, and the same again for nothing", async () => {
  const { visitor, id: orderId } = delivered;
  const id = await idOf(visitor);
  const catalogue = () => store.deps.db.selectFrom("catalogue").select("version").executeTakeFirst();
  const rate = () => visitor.mutate("ratings.rate", { orderId, stars: 4 });
  await expectUses(rate, [["ratingAccount", id]]);
  const rated = await catalogue();
  await expectUses(rate, []);
  expect(await catalogue()).toEqual(rated);
  const rename = () => visitor.mutate("accounts.rename", { fullName: "Another Name" });
  await expectUses(rename, [["renameAccount", id]]);
  await expectUses(rename, []);
});

test("a receipt and the download of one's data count for the student", async () => {
  const { id } = await placeAnother(asha.visitor, asha.student, shop.id);
  await expectUses(() => asha.visitor.fetch(`/orders/${id}/receipt.pdf`), [["receiptAccount", asha.id]]);
  await expectUses(() => asha.visitor.fetch("/my-data"), [["downloadAccount", asha.id]]);
});

test("a message counts for its account, or for a guest's e-mail at the address and the address", async () => {
  const message = { fullName: "Meera", email: "meera@college.example", subject: "Hours", message: "Open?" };
  const send = (visitor: ApiClient) => () => visitor.post("/api/v1/users/contactus", message);
  await expectUses(send(asha.visitor), [["contactAccount", asha.id]]);
  await expectUses(send(store.visitor()), [
    ["contactPair", message.email, ADDRESS],
    ["contactAddress", ADDRESS],
  ]);
});

test("what is done at the counter counts for the visitor, the code, the shop and the address", async () => {
  const code = await codeAt(clerk.visitor, shop.id);
  const codeName = `${indianDay(store.clock.now())}.1`;
  const phone = store.visitor();
  const open = (given: string) => phone.mutate("visits.open", { shopId: shop.id, code: given });
  await expectUses(
    () => open("wrong code"),
    [
      ["visitWrongAddress", ADDRESS],
      ["visitWrongShop", shop.id],
    ],
    422,
  );
  await expectUses(
    () => open(code),
    [
      ["visitAddress", ADDRESS],
      ["visitCode", shop.id, codeName],
      ["visitShop", shop.id],
    ],
  );
  const { user_id: visitor } = await store.deps.db
    .selectFrom("visits")
    .select("user_id")
    .where("shop_id", "=", shop.id)
    .executeTakeFirstOrThrow();
  const pdf = await pdfOfPages(1);
  await expectUses(
    () => phone.upload(pdf),
    [
      ["uploadVisit", visitor],
      ["uploadAddress", ADDRESS],
    ],
  );
  const order = await visitOrderFor(phone, { shopId: shop.id });
  await expectUses(
    () => phone.mutate("visits.place", order),
    [
      ["orderVisit", visitor],
      ["orderVisitAddress", ADDRESS],
      ["orderVisitCode", shop.id, codeName],
    ],
  );
});

test("an order that a clerk enters counts for the clerk", async () => {
  const order = await walkInOrder(clerk.visitor, shop.id);
  const enter = () => clerk.visitor.mutate("visits.walkIn", order);
  await expectUses(enter, [["orderStaff", clerk.userId]]);
});

test("an order that is put on hold counts for its student at the shop and for the clerk, and the same again for nothing", async () => {
  const order = await placeAnother(asha.visitor, asha.student, shop.id);
  const hold = () => clerk.visitor.mutate("holds.hold", { orderId: order.id, reason: "A page is cut off" });
  await expectUses(hold, [
    ["holdStudent", asha.id, shop.id],
    ["holdStaff", clerk.userId],
  ]);
  await expectUses(hold, []);
});

test("an invitation counts for the owner and for whom it is sent to, each time it is sent; one by an admin for nobody", async () => {
  const { email } = newStudent();
  const inviteBy = (inviter: StaffPerson) => () =>
    inviter.visitor.mutate("staff.invite", { email, role: "counter", shopIds: [shop.id] });
  const uses: LimitUse[] = [
    ["invitingOwner", owner.userId],
    ["invitingRecipient", email],
  ];
  await expectUses(inviteBy(owner), uses);
  const { invitations } = expectDone(await owner.visitor.query("staff.list"));
  const { id } = invitations.find((invitation: { email: string }) => invitation.email === email);
  await expectUses(() => owner.visitor.mutate("staff.reinvite", { id }), uses);
  await expectUses(inviteBy(admin), []);
});

test("a new name or place counts for the shop, and a new payment address for the shop and who entered it", async () => {
  const change: LimitUse = ["shopChangeStaff", owner.userId];
  shop.shopName += " 2";
  await expectUses(() => saveShop(), [change, ["shopMove", shop.id]]);
  shop.shopLocation += " 2";
  await expectUses(() => saveShop(), [change, ["shopMove", shop.id]]);
  shop.upiId = "asha@okbank";
  await expectUses(() => saveShop(), [change, ["upiChangeShop", shop.id, owner.userId]]);
});

test("a change of a shop's prices, stock, times or counter counts for who makes it", async () => {
  const shopId = shop.id;
  const change = (staff: StaffPerson, procedure: string, input: object) =>
    expectUses(
      () => staff.visitor.mutate(procedure, { shopId, ...input }),
      [["shopChangeStaff", staff.userId]],
    );
  const { version, lists } = await pricesOf(owner.visitor, shopId);
  await change(owner, "prices.save", { version, lists });
  const [optionId] = lists.paperTypes.map(({ id }) => id);
  await change(clerk, "stock.setOut", { optionId, isOut: true, isLastAccepted: true });
  await change(clerk, "counter.switch", { isOn: true });
  await change(clerk, "counter.renew", {});
  await change(owner, "shops.admin.setOpen", { isOpen: false, closedNote: "" });
  await change(clerk, "schedule.open", {});
});

test("a photo of a shop counts for who uploads it and their address", async () => {
  const photo = new Uint8Array(await twoColours().png().toBuffer());
  const headers = { "Content-Type": "application/octet-stream" };
  await expectUses(
    () => owner.visitor.send("POST", "/api/trpc/shops.admin.uploadPhoto", photo, headers),
    [
      ["uploadAccount", owner.userId],
      ["uploadAddress", ADDRESS],
    ],
  );
});

test("a dead link counts for nothing, and a wrong code for its e-mail at its address and for the address", async () => {
  const visitor = store.visitor();
  const [token, password, { email }] = ["dead", "a new password", newStudent()];
  const reset = () =>
    visitor.post("/api/v1/users/reset-password", { token, password, confirmpassword: password });
  await expectUses(reset, [], 422);
  await expectUses(() => visitor.query("staff.invitation", { token }), [], 404);
  const enter = () => visitor.post("/api/v1/users/login-with-otp", { email, verifyCode: "000000" });
  await expectUses(
    enter,
    [
      ["otpTryAddress", ADDRESS],
      ["otpTryPair", email, "", ADDRESS],
    ],
    401,
  );
});
