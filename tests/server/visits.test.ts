import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { transact } from "#db/transaction.ts";
import { closeVisit } from "#server/accounts/visits.service.ts";
import { endDueVisits } from "#server/privacy/privacy.service.ts";
import { seenByStaff, uploadPages } from "../factories/orders.ts";
import { payInFull, takeCash } from "../factories/payments.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import {
  logInAgain,
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { isOnDisk, makeUnremovable } from "../factories/stored-files.ts";
import { logIn, type Student, signedInStudent, visitorAs } from "../factories/students.ts";
import {
  codeAt,
  endVisits,
  placeAtCounter,
  removeHours,
  visitOrderFor,
  visitorAt,
  walkInOrder,
} from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { LiveStream } from "../setup/live-stream.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let otherShopId: string;
let clerk: StaffPerson;
let owner: StaffPerson;
let admin: StaffPerson;
beforeAll(async () => {
  [shopId, otherShopId] = await shopIds(store);
  await removeHours(store, shopId, otherShopId);
  clerk = await signedInCounter(store, [shopId]);
  owner = await signedInOwner(store, [shopId, otherShopId]);
  admin = await signedInAdmin(store);
  const tax = { gstin: "27AAPFU0939F1ZV", legalName: "Asha Prints LLP", address: "4 Mall Road, Pune" };
  expectDone(
    await admin.visitor.mutate("tax.save", { ...tax, ratePercent: 18, sac: "998912", series: "AP", shopId }),
  );
});
// Some tests wait for hours.
beforeEach(() => logInAgain(clerk, owner, admin));

const code = (at = shopId) => codeAt(owner.visitor, at);
const visitor = async () => visitorAt(store, shopId, await code());
const open = (phone: ApiClient, given: string, at = shopId) =>
  phone.mutate("visits.open", { shopId: at, code: given });
const page = async (phone: ApiClient, at = shopId) =>
  expectDone(await phone.query("visits.page", { shopId: at }));
const move = (orderId: string, from: string, to: string) =>
  clerk.visitor.mutate("board.move", { orderId, from, to });
const pay = (orderId: string) => payInFull(clerk.visitor, orderId);
const rowOf = (userId: string) =>
  store.deps.readDb.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();
const fileStatus = async (phone: ApiClient, fileId: string) => (await phone.get(`/files/${fileId}`)).status;

describe("the code of the day", () => {
  test.each([
    ["one second before midnight in India", "2027-03-01T18:29:59Z", 200],
    ["half an hour after it, to the second", "2027-03-01T18:59:59Z", 200],
    ["one second later", "2027-03-01T19:00:00Z", 422],
  ])("of 1 March opens a visit at this moment: %s", async (_when, moment, status) => {
    store.clock.set(new Date("2027-03-01T06:00:00Z"));
    await logInAgain(owner);
    const ofMarch = await code();
    store.clock.set(new Date(moment));
    expect((await open(store.visitor(), ofMarch)).status).toBe(status);
  });

  test("is another one on the next day, and the old one shows no shop's door any more", async () => {
    const today = await code();
    store.clock.advance({ days: 1, hours: 1 });
    await logInAgain(owner);
    expect(await code()).not.toBe(today);
    const answer = await open(store.visitor(), today);
    expect([answer.status, codeOf(answer)]).toEqual([422, "INVALID_INPUT"]);
  });

  test("of another shop, a forged one and none at all are refused", async () => {
    const right = await code();
    const forged = `${right.slice(0, -1)}${right.endsWith("A") ? "B" : "A"}`;
    for (const wrong of [await code(otherShopId), forged, right.toLowerCase().slice(0, 4), ""]) {
      const phone = store.visitor();
      expect([wrong, (await open(phone, wrong)).status]).toEqual([wrong, 422]);
      expect(phone.cookie("visit")).toBe("");
    }
  });

  test("is void once a clerk has made a new one, which the audit log tells; open visits go on", async () => {
    const leaked = await code();
    const inside = await visitorAt(store, shopId, leaked);
    const { url } = expectDone(await clerk.visitor.mutate("counter.renew", { shopId }));
    expect((await open(store.visitor(), leaked)).status).toBe(422);
    expect((await open(store.visitor(), new URL(url).searchParams.get("code") ?? "")).status).toBe(200);
    expect((await page(inside)).visit).toMatchObject({ ownerId: expect.any(String) });
    const entry = await store.deps.readDb
      .selectFrom("audit_log")
      .select(["by_user_id", "shop_id"])
      .where("action", "=", "counter.newCode")
      .executeTakeFirst();
    expect(entry).toEqual({ by_user_id: clerk.userId, shop_id: shopId });
  });

  test("takes no order that the shop promises for after the visit, when its file is gone, and says the way out", async () => {
    store.clock.set(new Date("2027-03-03T13:00:00+05:30"));
    await logInAgain(admin, clerk, owner);
    const shop = await shownShop(admin.visitor, undefined, { openingHours: "Mon-Fri 9:00-18:00" });
    const speed = { shopId: shop.id, holidays: [], pagesPerMinute: 1, handlingMinutes: 0 };
    expectDone(await admin.visitor.mutate("schedule.save", speed));
    const guest = async () => visitorAt(store, shop.id, await codeAt(admin.visitor, shop.id));
    const phone = await guest();
    expect(
      (await phone.mutate("visits.place", await visitOrderFor(phone, { shopId: shop.id, pages: 105 })))
        .status,
    ).toBe(200);

    const other = await guest();
    const input = await visitOrderFor(other, { shopId: shop.id, pages: 10 });
    const busy = await other.mutate("visits.place", input);
    expect([busy.status, codeOf(busy), busy.body.error.message]).toEqual([
      409,
      "CONFLICT",
      `${shop.shopName} can print this by 2:55 pm, but your visit ends at 3:00 pm and your files are deleted then. Please log in and order with your account`,
    ]);
    expect((await page(other, shop.id)).visit.orders).toEqual([]);
    expect(await fileStatus(other, input.orderData.filesUrl[0]?.split("/").at(-1) ?? "")).toBe(200);

    store.clock.set(new Date("2027-03-03T17:59:00+05:30"));
    await logInAgain(admin);
    const evening = await guest();
    const night = await evening.mutate(
      "visits.place",
      await visitOrderFor(evening, { shopId: shop.id, pages: 10 }),
    );
    expect([night.status, night.body.error.message]).toEqual([409, expect.stringContaining("by 4 Mar")]);
  });

  test("opens nothing while the counter is off or the shop is closed or hidden, and says so", async () => {
    const right = await code();
    const inside = await visitor();
    const order = await visitOrderFor(inside, { shopId });
    const switchTo = (isOn: boolean) => clerk.visitor.mutate("counter.switch", { shopId, isOn });
    const shownToStaff = async () => expectDone(await clerk.visitor.query("counter.today", { shopId }));
    await switchTo(false);
    await switchTo(false);
    const switched = store.deps.readDb
      .selectFrom("audit_log")
      .select("action")
      .where("action", "in", ["counter.on", "counter.off"])
      .where("shop_id", "=", shopId)
      .orderBy("id");
    expect(await switched.execute()).toEqual([{ action: "counter.off" }]);
    const off = await open(store.visitor(), right);
    expect([off.status, off.body.error.message]).toEqual([
      409,
      expect.stringContaining("ask at the counter"),
    ]);
    expect((await page(store.visitor())).counter.takesOrders).toBe(false);
    expect((await inside.mutate("visits.place", order)).status).toBe(409);
    await switchTo(true);
    expect(await switched.execute()).toEqual([{ action: "counter.off" }, { action: "counter.on" }]);

    await owner.visitor.mutate("shops.admin.setOpen", { shopId, isOpen: false, closedNote: "back at 4 pm" });
    const closed = await open(store.visitor(), right);
    expect([closed.status, closed.body.error.message]).toEqual([
      409,
      expect.stringContaining("back at 4 pm"),
    ]);
    expect(await shownToStaff()).toMatchObject({ isOn: true, isOpen: false, isShown: true });
    await owner.visitor.mutate("shops.admin.setOpen", { shopId, isOpen: true, closedNote: "" });

    await admin.visitor.mutate("shops.admin.setHidden", { shopId, hidden: true });
    expect((await open(store.visitor(), right)).status).toBe(404);
    expect((await inside.mutate("visits.place", order)).status).toBe(404);
    expect(await shownToStaff()).toMatchObject({ isOn: true, isOpen: true, isShown: false });
    await admin.visitor.mutate("shops.admin.setHidden", { shopId, hidden: false });
    expect((await open(store.visitor(), right)).status).toBe(200);
  });

  test("is shown to the staff of the shop only", async () => {
    const { visitor: student } = await signedInStudent(store);
    expect((await student.query("counter.today", { shopId })).status).toBe(403);
    expect((await store.visitor().query("counter.today", { shopId })).status).toBe(401);
    expect((await clerk.visitor.query("counter.today", { shopId: otherShopId })).status).toBe(404);
    const { body } = await clerk.visitor.query("counter.today", { shopId });
    expect(body.result.data.url).toMatch(new RegExp(`/at/${shopId}\\?code=c[\\w-]{8}$`));
  });
});

describe("a visit", () => {
  test("is kept as a hash, in a cookie that no script reads, and twice the same code opens one", async () => {
    const phone = await visitor();
    const token = phone.cookie("visit");
    const { visit } = await page(phone);
    const answer = await open(phone, await code());
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await page(phone)).visit).toMatchObject({ ownerId: visit.ownerId, name: "" });
    const rows = await store.deps.readDb.selectFrom("visits").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const fresh = await store
      .visitor()
      .send("POST", "/api/trpc/visits.open", JSON.stringify({ shopId, code: await code() }), {
        "Content-Type": "application/json",
      });
    expect(fresh.headers.getSetCookie()[0]).toMatch(/^visit=[\w-]{43}; .*HttpOnly; SameSite=Lax/);
  });

  test("belongs to nobody's account: not to log in, recover, invite or find among people", async () => {
    const phone = await visitor();
    const { ownerId } = (await page(phone)).visit;
    const row = await rowOf(ownerId);
    expect(row).toMatchObject({ role: "visitor", phone: null, password_hash: "", verified_at: null });
    const email = row?.email ?? "";
    const anyone = store.visitor();
    for (const path of ["login", "fpmail", "generate-otp-for-login"]) {
      const answer = await anyone.post(`/api/v1/users/${path}`, { email, password: "x" });
      expect([path, answer.status]).toEqual([path, 422]);
    }
    expect((await phone.get("/api/v1/users/getuser")).status).toBe(401);
    expect(expectDone(await phone.query("accounts.me"))).toBeNull();
    const people = expectDone(await admin.visitor.query("staff.list"));
    expect(JSON.stringify(people)).not.toContain(ownerId);
  });

  test("opens no page of logged-in people, and no route but that of its own files", async () => {
    const theirs = await placeOrder(store, shopId);
    const phone = await visitor();
    const far = { "X-Forwarded-For": "203.0.113.7" };
    for (const [path, status] of [
      [`/files/${theirs.fileId}`, 404],
      ["/files/%00", 404],
      ["/reprint-photos/%00", 404],
      ["/my-data", 401],
      [`/orders/${theirs.id}/receipt.pdf`, 404],
      [`/admin/orders/${theirs.id}/pack.pdf`, 401],
      ["/mailbox", 404],
      ["/metrics", 404],
    ] as const) {
      const answer = await phone.send("GET", path, undefined, far);
      expect([path, answer.status >= 400, answer.body]).toEqual([
        path,
        true,
        expect.not.stringContaining("%PDF"),
      ]);
      expect([path, answer.status]).toEqual([path, status]);
    }
    // Whoever takes the phone next must not come back to the page of the visit.
    const { headers } = await phone.get(`/at/${shopId}`);
    expect(headers.get("cache-control")).toBe("private, no-store");
  });

  test("sees and deletes its own files and those of no other visit", async () => {
    const [mine, theirs] = [await visitor(), await visitor()];
    const { body } = await theirs.upload(new Uint8Array(plainPdf(2)));
    const url = body.secure_url as string;
    const id = body.public_id as string;
    expect(await fileStatus(theirs, id)).toBe(200);
    expect(await fileStatus(mine, id)).toBe(404);
    expect((await mine.mutate("files.remove", { id })).status).toBe(404);
    expect(expectDone(await mine.query("files.colours", { ids: [id] }))).toEqual([]);
    const order = await visitOrderFor(mine, { shopId });
    order.orderData.filesUrl = [url];
    expect((await mine.mutate("visits.place", order)).status).toBe(422);
    expect((await theirs.mutate("files.remove", { id })).status).toBe(200);
    expect(await fileStatus(theirs, id)).toBe(404);
  });

  test("at another shop begins by that shop's code", async () => {
    const phone = await visitor();
    const { ownerId } = (await page(phone)).visit;
    expectDone(await open(phone, await code(otherShopId), otherShopId));
    const there = await page(phone, otherShopId);
    expect([there.visit.ownerId === ownerId, there.isElsewhere]).toEqual([false, false]);
    expect(await page(phone)).toMatchObject({ visit: null, isElsewhere: true });
  });

  test("of somebody who is logged in is not used: the session counts, and the code asks to log out", async () => {
    const { visitor: student } = await signedInStudent(store);
    const answer = await open(student, await code());
    expect([answer.status, codeOf(answer)]).toEqual([409, "CONFLICT"]);

    const phone = await visitor();
    const { student: person } = await signedInStudent(store);
    await logIn(phone, person);
    expect(phone.cookie("visit")).toBe("");
    expect(await page(phone)).toMatchObject({ visit: null, isElsewhere: false });
    expect((await phone.mutate("visits.place", {})).status).toBe(403);
    expect((await phone.get("/api/v1/users/getuser")).body.data.email).toBe(person.email);
  });

  test.each([
    ["logs out", (phone: ApiClient) => phone.post("/api/v1/users/logout")],
    [
      "ends the session from another device",
      async (_phone: ApiClient, student: Student) => {
        const other = await visitorAs(store, student);
        return other.mutate("accounts.endOtherDevices");
      },
    ],
    [
      "deletes the account",
      (phone: ApiClient, { password }: Student) => phone.mutate("privacy.deleteAccount", { password }),
    ],
  ])("is not shown to the next person on this device after somebody %s", async (_what, end) => {
    const phone = await visitor();
    await placeAtCounter(phone, { shopId });
    const { student } = await signedInStudent(store);
    await logIn(phone, student);
    expect((await end(phone, student)).status).toBe(200);
    expect(await page(phone)).toMatchObject({ visit: null, isElsewhere: false });
  });

  test("can be left: uploads go at once, what was ordered stays with the shop", async () => {
    const phone = await visitor();
    const order = await placeAtCounter(phone, { shopId });
    const left = (await uploadPages(phone, 1)).split("/").at(-1) ?? "";
    expect((await phone.mutate("visits.leave")).status).toBe(200);
    expect(phone.cookie("visit")).toBe("");
    const files = await store.deps.readDb
      .selectFrom("files")
      .select(["id", "deleted_at"])
      .where("id", "in", [left, order.fileId])
      .execute();
    expect(new Map(files.map((file) => [file.id, file.deleted_at !== null]))).toEqual(
      new Map([
        [left, true],
        [order.fileId, false],
      ]),
    );
  });
});

describe("an order at the counter", () => {
  test("costs subtotal and tax, has no address and no code, and mails nobody", async () => {
    const mails = () => store.deps.readDb.selectFrom("outbox").select("id").execute();
    const before = await mails();
    const phone = await visitor();
    const input = await visitOrderFor(phone, { shopId, name: "Meera", pages: 7 });
    const answer = await phone.mutate("visits.place", input);
    expect([answer.status, answer.body.result.data.orderValue]).toEqual([200, input.orderValue]);
    expect(input.orderValue.deliveryFee).toBe(0);
    const { _id: id } = answer.body.result.data;
    expect(await seenByStaff(clerk.visitor, id)).toMatchObject({
      fulfilment: "counter",
      student: { fullName: "Meera", email: "", phone: "" },
      address: null,
      state: "placed",
    });
    for (const [from, to] of [
      ["placed", "printing"],
      ["printing", "printed"],
      ["printed", "delivered"],
    ] as const)
      expect([to, (await move(id, from, to)).status]).toEqual([to, 200]);
    expect(await mails()).toEqual(before);
  });

  test("is answered once more to a phone that lost the answer, also when the counter takes no orders any more", async () => {
    const phone = await visitor();
    const input = await visitOrderFor(phone, { shopId });
    const placed = expectDone(await phone.mutate("visits.place", input));
    const switchCounter = (isOn: boolean) => owner.visitor.mutate("counter.switch", { shopId, isOn });
    onTestFinished(async () => void expectDone(await switchCounter(true)));
    expectDone(await switchCounter(false));
    expect(expectDone(await phone.mutate("visits.place", input))).toEqual(placed);
    const another = await phone.mutate("visits.place", { ...input, idempotencyKey: crypto.randomUUID() });
    expect(codeOf(another)).toBe("CONFLICT");
  });

  test("is refused where its visit is ended while the request is under way", async () => {
    const phone = await visitor();
    const input = await visitOrderFor(phone, { shopId });
    const { ownerId } = (await page(phone)).visit;
    const at = store.deps.now().toISOString();
    await store.deps.db.updateTable("users").set({ deleted_at: at }).where("id", "=", ownerId).execute();
    expect((await phone.mutate("visits.place", input)).status).toBe(401);
  });

  test("is on the board at once, under the name, and found by it", async () => {
    const stream = await LiveStream.open(clerk.visitor);
    onTestFinished(() => stream.close());
    await stream.until(1);
    const phone = await visitor();
    const { id, number } = await placeAtCounter(phone, { shopId, name: "Kavya Nambiar" });
    const [, event] = await stream.until(2);
    expect(event).toMatchObject({ kind: "placed", orderId: id, shopId });
    const found = expectDone(await clerk.visitor.query("board.page", { state: "all", search: "nambiar" }));
    expect(found.rows.map((row: { number: string }) => row.number)).toEqual([number]);
  });

  test("goes only to the shop whose code was scanned", async () => {
    const phone = await visitor();
    expect(await page(phone, otherShopId)).toMatchObject({ visit: null, isElsewhere: true });
    const elsewhere = await visitOrderFor(phone, { shopId: otherShopId });
    const { shopId: _, ...byName } = elsewhere.orderData;
    for (const orderData of [elsewhere.orderData, byName]) {
      const answer = await phone.mutate("visits.place", { ...elsewhere, orderData });
      expect([answer.status, codeOf(answer)]).toEqual([422, "INVALID_INPUT"]);
    }
  });

  test("renames the visitor when the second order corrects the name", async () => {
    const phone = await visitor();
    const first = await placeAtCounter(phone, { shopId, name: "Imtiza" });
    const second = await placeAtCounter(phone, { shopId, name: "Imtiaz" });
    expect((await seenByStaff(clerk.visitor, first.id)).student.fullName).toBe("Imtiaz");
    expect((await page(phone)).visit).toMatchObject({ name: "Imtiaz", orders: [{}, {}] });
    const found = expectDone(await clerk.visitor.query("board.page", { state: "all", search: "imtiaz" }));
    const ids = found.rows.map((row: { id: string }) => row.id);
    expect(ids.toSorted()).toEqual([first.id, second.id].toSorted());
  });

  test("tells the phone how far it is", async () => {
    const phone = await visitor();
    const other = await placeAtCounter(phone, { shopId });
    store.clock.advance({ seconds: 1 });
    const { id } = await placeAtCounter(phone, { shopId });
    expectDone(await takeCash(clerk.visitor, id, 100));
    const { totalPaise } = await seenByStaff(clerk.visitor, id);
    const [partlyPaid] = (await page(phone)).visit.orders;
    expect(partlyPaid).toMatchObject({ id, paidPaise: 100, duePaise: totalPaise - 100, refundDuePaise: 0 });
    await pay(id);
    expectDone(await clerk.visitor.mutate("holds.hold", { orderId: id, reason: "Page 2 is faint" }));
    const reason = "The printer is broken";
    expectDone(await takeCash(clerk.visitor, other.id, 100));
    expectDone(await owner.visitor.mutate("board.cancel", { orderId: other.id, from: "placed", reason }));
    expect((await page(phone)).visit.orders).toMatchObject([
      { holdReason: "Page 2 is faint", cancelReason: null },
      {
        holdReason: null,
        cancelReason: reason,
        state: "cancelled",
        paidPaise: 100,
        duePaise: 0,
        refundDuePaise: 100,
      },
    ]);
    const [{ id: holdId }] = (await seenByStaff(clerk.visitor, id)).holds;
    expectDone(await clerk.visitor.mutate("holds.release", { orderId: id, holdId }));
    await move(id, "placed", "printing");
    await move(id, "printing", "printed");
    expect((await page(phone)).visit.orders[0]).toMatchObject({
      holdReason: null,
      state: "printed",
      paidPaise: totalPaise,
      duePaise: 0,
      files: { status: "kept", deleteAt: expect.any(String) },
    });
  });
});

describe("two hours after a visit began", () => {
  test("it is over, and not one second before; its last ten minutes are for handing over only", async () => {
    const phone = await visitor();
    const { fileId } = await placeAtCounter(phone, { shopId });
    const endsAt = new Date(store.clock.now().getTime() + 2 * 60 * 60_000).toISOString();
    expect((await page(phone)).visit.endsAt).toBe(endsAt);
    const last = await visitOrderFor(phone, { shopId });
    store.clock.advance({ hours: 1, minutes: 50 });
    expect((await page(phone)).counter).toEqual({ takesOrders: true });
    store.clock.advance({ seconds: 1 });
    const why = expect.stringMatching(/^Your visit ends at .* scan the code again after that/);
    expect((await page(phone)).counter).toEqual({ takesOrders: false, why });
    const tooLate = await phone.mutate("visits.place", last);
    expect([tooLate.status, tooLate.body.error.message]).toEqual([409, why]);
    store.clock.advance({ minutes: 9, seconds: 58 });
    await endVisits(store);
    expect((await page(phone)).visit).toMatchObject({ ownerId: expect.any(String) });
    expect(await fileStatus(phone, fileId)).toBe(200);
    store.clock.advance({ seconds: 1 });
    expect((await page(phone)).visit).toBeNull();
    expect(await fileStatus(phone, fileId)).toBe(404);
    const answer = await phone.mutate("visits.place", {});
    expect([answer.status, answer.body.error.message]).toEqual([
      401,
      expect.stringContaining("scan the code at the shop again"),
    ]);
    const account = await phone.query("orders.mine", {});
    expect([account.status, account.body.error.message]).toEqual([401, "Please log in to continue"]);
  });

  test.each([
    ["printed and paid was handed over", ["printing", "printed"], "all", "delivered"],
    ["printed and not paid was not collected", ["printing", "printed"], "nothing", "cancelled"],
    [
      "printed and paid in part stays open, for people to settle",
      ["printing", "printed"],
      "a part",
      "printed",
    ],
    ["paid and not printed stays open, for people to settle", [], "all", "placed"],
  ])("an order that is %s", async (_what, moves, paid, state) => {
    const { id } = await placeAtCounter(await visitor(), { shopId });
    let from = "placed";
    for (const to of moves) {
      await move(id, from, to);
      from = to;
    }
    if (paid === "all") await pay(id);
    if (paid === "a part") expectDone(await takeCash(clerk.visitor, id, 100));
    store.clock.advance({ hours: 2 });
    await logInAgain(clerk);
    await endDueVisits(store.deps);
    expect((await seenByStaff(clerk.visitor, id)).filesDeleteAt, "deleted, and not erased yet").toBeNull();
    await endVisits(store);
    const invoices = store.deps.readDb.selectFrom("invoices").select("kind").where("order_id", "=", id);
    expect(await invoices.execute()).toEqual(state === "delivered" ? [{ kind: "invoice" }] : []);
    const order = await seenByStaff(clerk.visitor, id);
    expect([order.state, order.paidAt !== null, order.student.fullName]).toEqual([
      state,
      paid === "all",
      "Visitor",
    ]);
    expect(order.files[0].erasedAt).toEqual(expect.any(String));
  });

  test("an order that is paid, printed and on hold stays open with the reason, until staff release and hand it over", async () => {
    const { id } = await placeAtCounter(await visitor(), { shopId });
    await move(id, "placed", "printing");
    await move(id, "printing", "printed");
    await pay(id);
    expectDone(await clerk.visitor.mutate("holds.hold", { orderId: id, reason: "Page 2 is faint" }));
    store.clock.advance({ hours: 2 });
    await endVisits(store);
    await logInAgain(clerk);
    const { state, holds, filesDeleteAt } = await seenByStaff(clerk.visitor, id);
    expect([state, holds]).toMatchObject(["printed", [{ reason: "Page 2 is faint", resolvedAt: null }]]);
    // Its files are gone, so that it cannot be printed again.
    expect([filesDeleteAt, codeOf(await move(id, "printed", "printing"))]).toEqual([null, "GONE"]);
    expectDone(await clerk.visitor.mutate("holds.release", { orderId: id, holdId: holds[0].id }));
    expectDone(await move(id, "printed", "delivered"));
  });

  test("the network that it came from is forgotten at once, before its files are erased", async () => {
    const { ownerId: userId } = (await page(await visitor())).visit;
    const row = store.deps.readDb.selectFrom("visits").select("address_hash").where("user_id", "=", userId);
    expect(await row.executeTakeFirst()).toEqual({ address_hash: expect.stringMatching(/./) });
    await transact(store.deps.db, (trx) => closeVisit(trx, { userId, at: store.deps.now().toISOString() }));
    expect(await row.executeTakeFirst()).toEqual({ address_hash: "" });
  });

  test("a visit that cannot be ended keeps nobody else's data in the store, and is ended once it can be", async () => {
    // The store's own job may find it too.
    const logged = vi.spyOn(store.deps.log, "error").mockImplementation(() => {});
    onTestFinished(() => logged.mockRestore());
    const [broken, ended] = await Promise.all(
      [1, 2].map(async () => (await page(await visitor())).visit.ownerId),
    );
    // The one that is longest overdue comes first.
    await sql`update visits set expires_at = ${store.clock.now().toISOString()} where user_id = ${broken}`.execute(
      store.deps.db,
    );
    await sql`create trigger cannot_end before update on visits when old.user_id = ${sql.lit(broken)}
      begin select raise(abort, 'not this one'); end`.execute(store.deps.db);
    store.clock.advance({ hours: 2 });
    await expect(endDueVisits(store.deps)).rejects.toThrow("not this one");
    expect(await rowOf(ended)).toBeUndefined();
    expect(await rowOf(broken)).toMatchObject({ deleted_at: null });
    await sql`drop trigger cannot_end`.execute(store.deps.db);
    await endDueVisits(store.deps);
    expect(await rowOf(broken)).toBeUndefined();
  });

  test("a visit without an order leaves no row, and no file whose bytes nothing would delete any more", async () => {
    const logged = vi.spyOn(store.deps.log, "error").mockImplementation(() => {});
    onTestFinished(() => logged.mockRestore());
    const phone = await visitor();
    const { ownerId } = (await page(phone)).visit;
    const id = (await uploadPages(phone, 1)).split("/").at(-1) ?? "";
    const release = await makeUnremovable(store, id);
    store.clock.advance({ hours: 2 });
    await endVisits(store);
    const files = store.deps.readDb.selectFrom("files").select("id").where("owner_id", "=", ownerId);
    expect(await files.execute()).toEqual([{ id }]);
    await release();
    await endVisits(store);
    expect(await isOnDisk(store, id)).toBe(false);
    expect(await files.execute()).toEqual([]);
    expect(await rowOf(ownerId)).toBeUndefined();
  });
});

describe("an order that a clerk enters for somebody at the counter", () => {
  const walkInFor = (by = clerk, at = shopId) => walkInOrder(by.visitor, at);
  const enter = (input: unknown, by = clerk) => by.visitor.mutate("visits.walkIn", input);

  test("is refused in plain words when its press is sent once more after its two hours", async () => {
    const input = await walkInFor();
    const { _id: id } = expectDone(await enter(input));
    const { user_id: userId } = await store.deps.readDb
      .selectFrom("orders")
      .select("user_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    store.clock.advance({ hours: 2, minutes: 1 });
    await logInAgain(clerk);
    // Ended, and not deleted yet: the whole job would delete it where the files are erased before it comes to its end.
    await transact(store.deps.db, (trx) => closeVisit(trx, { userId, at: store.deps.now().toISOString() }));
    const late = await enter(input);
    expect([late.status, late.body.error.message]).toEqual([
      409,
      "This order was entered before, and its two hours at the counter are over. Please start a new one",
    ]);
  });

  test("that the shop would print only when its files are gone is entered once the clerk says to print it first, and tells until when", async () => {
    store.clock.set(new Date("2027-03-10T17:58:00+05:30"));
    await logInAgain(admin);
    const shop = await shownShop(admin.visitor, undefined, { openingHours: "Mon-Fri 9:00-18:00" });
    const input = await walkInFor(admin, shop.id);
    const late = await enter(input, admin);
    expect([late.status, late.body.error.message, late.body.error.data.details]).toEqual([
      409,
      expect.stringMatching(/^This would be ready by 11 Mar, .* its files are deleted at 7:58 pm/),
      { isLate: true },
    ]);
    const { _id: orderId } = expectDone(await enter({ ...input, isLateAccepted: true }, admin));
    expect(expectDone(await enter(input, admin))._id).toBe(orderId);
    const seen = () => seenByStaff(admin.visitor, orderId);
    expect((await seen()).filesDeleteAt).toBe("2027-03-10T14:28:00.000Z");
    store.clock.advance({ hours: 1, minutes: 45 });
    for (const [from, to] of [
      ["placed", "printing"],
      ["printing", "printed"],
    ])
      expectDone(await admin.visitor.mutate("board.move", { orderId, from, to }));
    // The time of grace would be longer.
    expect((await seen()).filesDeleteAt).toBe("2027-03-10T14:28:00.000Z");
    expectDone(await admin.visitor.mutate("board.move", { orderId, from: "printed", to: "delivered" }));
    expect((await seen()).filesDeleteAt).toBeNull();
  });

  test("belongs to nobody who can log in: neither the clerk nor a visitor sees it as theirs, and its files go with it", async () => {
    const { _id: id } = expectDone(await enter(await walkInFor()));
    expect((await clerk.visitor.query("orders.one", { orderId: id })).status).toBe(404);
    const { user_id } = await store.deps.readDb
      .selectFrom("orders")
      .select("user_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(await rowOf(user_id)).toMatchObject({ role: "visitor", phone: null, full_name: "Meera" });

    expectDone(await move(id, "placed", "printing"));
    expectDone(await move(id, "printing", "printed"));
    store.clock.advance({ hours: 2, minutes: 1 });
    await logInAgain(clerk);
    await endVisits(store);
    expect(await seenByStaff(clerk.visitor, id)).toMatchObject({
      state: "delivered",
      student: { fullName: "Visitor" },
    });
    expect(
      (await seenByStaff(clerk.visitor, id)).files.every(
        ({ deletedAt }: { deletedAt: string | null }) => deletedAt,
      ),
    ).toBe(true);
    const entries = store.deps.readDb.selectFrom("audit_log").selectAll().where("subject_id", "=", id);
    expect(JSON.stringify(await entries.execute())).not.toMatch(/meera/i);
  });

  test("is refused as a whole: at another price, for more money than it costs, from somebody else's file, at another shop", async () => {
    const input = await walkInFor();
    const count = async () =>
      (await store.deps.readDb.selectFrom("visits").select("id").where("code", "=", "staff").execute())
        .length;
    const before = await count();
    const dearer = { ...input.orderValue, orderTotal: input.orderValue.orderTotal + 1 };
    const stranger = await signedInCounter(store, [otherShopId]);
    const elsewhere = await walkInFor(owner);
    const { shopId: _, ...byName } = elsewhere.orderData;
    const refused = [
      await enter({ ...input, orderValue: dearer }),
      await enter({ ...input, payment: { ...input.payment, amountPaise: input.payment.amountPaise + 1 } }),
      await enter(input, owner),
      await enter(input, stranger),
      await enter({ ...elsewhere, shopId: otherShopId }, owner),
      await enter({ ...elsewhere, shopId: otherShopId, orderData: byName }, owner),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 422, 404, 422, 422]);
    expect(await count()).toBe(before);
    expectDone(await enter(input));
  });
});
