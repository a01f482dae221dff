import type { AnyProcedure } from "@trpc/server";
import { TOTP } from "otpauth";
import { transact } from "#db/transaction.ts";
import { ensureAdmin } from "#server/accounts/admin.service.ts";
import { extendSession } from "#server/accounts/sessions.queries.ts";
import { deleteAbandonedSignups } from "#server/accounts/signup.service.ts";
import { isFileRecorded, markEraseFailed } from "#server/files/files.queries.ts";
import { deleteUnordered, eraseDeleted, withLease } from "#server/files/files.service.ts";
import { createPendingRows } from "#server/files/storage/pending-uploads.ts";
import { changeLocation } from "#server/files/storage/storage.queries.ts";
import { isReplaced, markFailed, retryFailedMail, scheduleRetry } from "#server/mail/mail.queries.ts";
import { deleteShortLivedMails } from "#server/mail/mail.service.ts";
import { deletePrintedFiles } from "#server/orders/board/moves.service.ts";
import { deleteOldEvents } from "#server/orders/live/live.service.ts";
import { deleteUnusedReportPhotos } from "#server/orders/reprints/report-photos.service.ts";
import { deleteReportPhotoRow, isReportPhoto } from "#server/orders/reprints/reprints.queries.ts";
import { endDueVisits } from "#server/privacy/privacy.service.ts";
import {
  claimDueMessages,
  deleteClaimed,
  deleteSubscription,
  findRecipient,
  postponeClaimed,
} from "#server/push/push.queries.ts";
import { appRouter } from "#server/router.ts";
import { deletePhotoRow, isShopPhoto } from "#server/shops/photos.queries.ts";
import {
  deleteUnusedSharedPhotos,
  deleteUnusedShopPhotos,
  readSharedPhoto,
  sharePhoto,
} from "#server/shops/photos.service.ts";
import { deleteEndedInvitations } from "#server/staff/invitations.service.ts";
import { BOOK_FILTERS } from "#shared/schemas/book.ts";
import { confirmShopEmail, mailsTo } from "../factories/mails.ts";
import { ADDRESS, orderFor, seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { SoftwareKey } from "../factories/passkeys.ts";
import { payInFull, refundCash, reverseLast } from "../factories/payments.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { moveTo, type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { acceptedReprint } from "../factories/reprints.ts";
import { editedPrices, expectDone, importSeed, shownShop } from "../factories/shops.ts";
import { changeStaff, invitationToken, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import {
  logIn,
  newestCode,
  newStudent,
  register,
  signedInStudent,
  signedUpStudent,
} from "../factories/students.ts";
import { codeAt, placeAtCounter, removeHours, visitOrderFor, visitorAt } from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { LiveStream } from "../setup/live-stream.ts";
import { startPushService } from "../setup/push-service.ts";
import type { TestStore } from "../setup/test-store.ts";
import { placeFiles } from "./packs.fixtures.ts";
import { callsAbout } from "./strangers.calls.ts";
import { createBelongings } from "./strangers.data.ts";

const LATEST = { createdAt: "2100-01-01T00:00:00.000Z", id: "last" };
const MOMENTS = { from: "2020-01-01T00:00:00.000Z", until: LATEST.createdAt };

const procedures: Record<string, unknown> = appRouter._def.procedures;

function ask(visitor: ApiClient, procedure: string, input?: unknown) {
  const { type } = (procedures[procedure] as AnyProcedure)._def;
  return type === "query" ? visitor.query(procedure, input) : visitor.mutate(procedure, input);
}

/** Each filter of the board alone, and all of them. */
const BOARD_FILTERS = [
  { unpaid: true },
  { fulfilment: "pickup" },
  { paper: "A4" },
  { colour: "Colour" },
  { onHold: true },
  { due: "late" },
  { due: "today", onHold: true, colour: "Colour", paper: "A4", fulfilment: "pickup", unpaid: true },
];
const AUTUMN = { from: "2026-10-01", until: "2026-12-31" };

/** Does what people do in a store, and what it does by itself. */
export async function runScenario(store: TestStore): Promise<void> {
  const { visitor: admin, person } = await signedInAdmin(store);
  const [shopId] = await shopIds(store);
  await walkLists(store, admin, shopId);
  await walkAccount(store);
  // Weeks have passed.
  await logIn(admin, person);
  await admin.mutate("accounts.confirm", { password: person.password });
  await walkOrders(store, admin, shopId);
  // The cached ranking is updated.
  await admin.query("stats.shops", AUTUMN);
  await walkShops(store, admin);
  await walkStaff(store, admin, shopId);
  await walkSecondFactors(store, admin);
  await walkVisits(store, admin, shopId);
  await walkJobs(store);
  await walkPush(store, admin, shopId);
  await walkSharedFiles(store);
  await walkAccountDeletedMail(store, shopId);
}

/** A browser gets messages, one at a push service that fails, until its keys are replaced. */
async function walkPush(store: TestStore, admin: ApiClient, shopId: string): Promise<void> {
  const { db, now } = store.deps;
  const { visitor, student } = await signedInStudent(store);
  const service = await startPushService();
  const { subscription } = service.newBrowser();
  await service.stop();
  expectDone(await visitor.mutate("push.subscribe", subscription));
  await visitor.query("push.device");
  const order = await placeAnother(visitor, student, shopId);
  await moveTo(admin, order.id, "dispatched");
  const lease = { now: LATEST.createdAt, leaseUntil: LATEST.createdAt, limit: 1 };
  await claimDueMessages(db, lease);
  const message = {
    subscription_id: "none",
    topic: "none",
    user_id: "none",
    payload: "",
    due_at: LATEST.createdAt,
    expires_at: LATEST.createdAt,
    attempts: 1,
    leased_until: LATEST.createdAt,
  };
  await findRecipient(db, message, now().toISOString());
  await postponeClaimed(db, message, LATEST.createdAt);
  await deleteClaimed(db, message);
  await deleteSubscription(db, "none");
  await visitor.mutate("push.unsubscribe");
  await visitor.query("orders.promise", { shopId, pages: 1 });
  await admin.query("schedule.settings", { shopId });
  await admin.query("schedule.closed");
  await admin.mutate("schedule.open", { shopId });
  await admin.query("tax.settings", { shopId });
  await admin.mutate("tax.save", {
    shopId,
    gstin: "27AAPFU0939F1ZV",
    legalName: "Lamp Post",
    address: "1 Mall Road",
    ratePercent: 18,
    sac: "998912",
    series: "LP",
  });
  const schedule = { holidays: [], pagesPerMinute: 20, handlingMinutes: 5 };
  await admin.mutate("schedule.save", { shopId, ...schedule });
  const changed = { ...schedule, pagesPerMinute: 30 };
  await admin.mutate("schedule.save", { shopId, ...changed, base: { ...schedule, handlingMinutes: 6 } });
}

/** People at the counter: one orders twice, one only uploads, one leaves. */
async function walkVisits(store: TestStore, admin: ApiClient, shopId: string): Promise<void> {
  await admin.mutate("counter.switch", { shopId, isOn: true });
  const code = await codeAt(admin, shopId);
  const visitor = await visitorAt(store, shopId, code);
  await removeHours(store, shopId);
  const { id: orderId } = await placeAtCounter(visitor, { shopId });
  await seenByStaff(admin, orderId);
  await placeAtCounter(visitor, { shopId, name: "Another" });
  await visitor.query("visits.page", { shopId });
  const { idempotencyKey: key, ...entered } = await visitOrderFor(admin, { shopId });
  await admin.mutate("visits.walkIn", { ...entered, key, shopId });
  await uploadPages(await visitorAt(store, shopId, code), 1);
  const leaving = await visitorAt(store, shopId, code);
  await uploadPages(leaving, 1);
  await leaving.mutate("visits.leave");
  await admin.query("board.read", {});
  await admin.query("board.read", { shopId });
  store.clock.advance({ hours: 2 });
  await endDueVisits(store.deps);
  await eraseDeleted(store.deps);
  await endDueVisits(store.deps);
}

async function walkLists(store: TestStore, admin: ApiClient, shopId: string): Promise<void> {
  const mine = await createBelongings(store, shopId);
  for (const [procedure, calls] of Object.entries(callsAbout(mine))) {
    if (typeof calls === "string") continue;
    for (const { input } of calls)
      for (const visitor of [mine.student, mine.staff, admin]) await ask(visitor, procedure, input);
  }
  await store.visitor().post("/api/v1/users/contactus", { ...newStudent(), message: "Hello" });
  const { rows } = expectDone(await ask(admin, "contact.list", {}));
  const lists = {
    "contact.list": [{}, { state: "new" }, { cursor: LATEST }],
    "contact.counts": [undefined],
    "contact.mark": [{ id: rows[0].id, state: "read" }],
    "mail.stats": [undefined],
    "mail.byId": [{ id: mine.mailId }],
    "mail.resend": [{ id: mine.mailId }],
    "mail.list": [
      ...["waiting", "sent", "failed"].map((state) => ({ state })),
      { search: "student", cursor: LATEST },
    ],
    "audit.list": [{}, { shopId, search: "student", action: "order.move", cursor: LATEST, ...MOMENTS }],
    "board.read": [{}, { shopId }].flatMap((shops) =>
      [{}, ...BOARD_FILTERS].map((filter) => ({ ...shops, ...filter })),
    ),
    "board.page": [
      ...BOARD_FILTERS.flatMap((filter) => [
        filter,
        { shopId, state: "all", search: "student aar", ...filter },
      ]),
      ...["open", "all", "placed", "delivered"].flatMap((state) => [
        { state },
        { state, shopId, ...MOMENTS },
        { state, search: "student aar" },
        { state, shopId, search: "student aar", reported: true },
      ]),
    ],
    "stats.read": [AUTUMN],
    "stats.shops": [AUTUMN],
    "stats.export": [AUTUMN],
  };
  for (const [procedure, inputs] of Object.entries(lists))
    for (const input of inputs)
      for (const visitor of [admin, mine.staff]) await ask(visitor, procedure, input);
  for (const path of [
    `/api/v1/prints/shopdata?id=${shopId}`,
    "/api/v1/prints/shopslocation",
    "/readyz",
    "/metrics",
  ])
    await store.visitor().get(path);
  for (const visitor of [mine.student, mine.staff, admin]) {
    await visitor.get(`/files/${mine.fileId}`);
    await visitor.get(`/reprint-photos/${mine.photoId}`);
  }
  await mine.staff.mutate("shops.admin.setOpen", { shopId, isOpen: true });
  await admin.get("/mailbox");
}

async function walkAccount(store: TestStore): Promise<void> {
  const { visitor, student } = await signedUpStudent(store);
  const { email, password, phone } = student;
  await register(store.visitor(), { ...newStudent(), phone });
  const unverified = newStudent();
  for (let twice = 0; twice < 2; twice++) await register(store.visitor(), unverified);
  await store.visitor().post("/api/v1/users/login", unverified);
  await store.visitor().mutate("accounts.resendVerification", { phone: unverified.phone });
  store.clock.advance({ seconds: 1 });
  await store.visitor().post("/api/v1/users/generate-otp-for-login", { email: unverified.email });
  const claim = { email: unverified.email, verifyCode: await newestCode(store, unverified.email) };
  await store.visitor().post("/api/v1/users/login-with-otp", claim);
  for (const kind of ["dispatched", "delivered"])
    for (const wanted of [false, true, false]) await visitor.mutate("accounts.chooseMail", { kind, wanted });
  store.clock.advance({ days: 20 });
  await visitor.mutate("accounts.rename", { fullName: "Asha Rao" });
  await visitor.mutate("accounts.requestPhoneCode", { phone: newStudent().phone });
  await visitor.mutate("accounts.confirmPhone", { verifyCode: await newestCode(store, email) });
  const first = expectDone(await visitor.mutate("addresses.add", { address: ADDRESS }));
  const second = expectDone(await visitor.mutate("addresses.add", { address: { ...ADDRESS, flatno: "9" } }));
  await visitor.mutate("addresses.update", { id: second.id, address: ADDRESS });
  await visitor.mutate("addresses.makeDefault", { id: second.id });
  await visitor.mutate("addresses.remove", { id: second.id });
  await visitor.mutate("addresses.remove", { id: first.id });
  store.clock.advance({ seconds: 1 });
  await store.visitor().post("/api/v1/users/generate-otp-for-login", { email });
  await store
    .visitor()
    .post("/api/v1/users/login-with-otp", { email, verifyCode: await newestCode(store, email) });
  await visitor.mutate("accounts.endOtherDevices");
  const changed = { currentPassword: password, password: `${password}!`, confirmpassword: `${password}!` };
  await visitor.mutate("accounts.changePassword", changed);
  const newEmail = newStudent().email;
  await visitor.mutate("accounts.requestEmailCode", { email: newEmail, password: changed.password });
  expectDone(
    await visitor.mutate("accounts.confirmEmail", { verifyCode: await newestCode(store, newEmail) }),
  );
  store.clock.advance({ seconds: 1 });
  await store.visitor().post("/api/v1/users/fpmail", { email: newEmail });
  const [mail] = await mailsTo(store, newEmail);
  const token = /reset-password\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
  await store.visitor().post("/api/v1/users/reset-password", { token, password, confirmpassword: password });
  await visitor.post("/api/v1/users/logout");
}

async function walkBook(admin: ApiClient, shopId: string): Promise<void> {
  const [from, until] = ["2026-01-01", "2026-12-31"];
  for (const shops of [{}, { shopId }]) {
    await admin.query("book.totals", { ...shops, from, until });
    await admin.query("book.outstanding", { ...shops, before: until });
    for (const filter of BOOK_FILTERS) await admin.query("book.orders", { ...shops, from, until, filter });
    const query = new URLSearchParams({ from, until, ...(shops as Record<string, string>) });
    for (const name of ["orders", "payments", "invoices"])
      await admin.get(`/admin/export/${name}.csv?${query}`);
  }
  const { cashTaken } = (await admin.query("book.day", { shopId, day: "2026-11-21" })).body.result.data
    .figures;
  const closing = { shopId, day: "2026-11-21", expectedCashPaise: cashTaken, countedCashPaise: cashTaken };
  for (let twice = 0; twice < 2; twice++) await admin.mutate("book.close", closing);
}

async function walkOrders(store: TestStore, admin: ApiClient, shopId: string): Promise<void> {
  const { visitor, student } = await signedInStudent(store);
  const shop = (await shownShop(admin, undefined, { offersPickup: true, upiId: "lamp.post@okbank" })).id;
  const request = await orderFor(visitor, { shopId });
  for (let twice = 0; twice < 2; twice++)
    await visitor.post("/api/v1/prints/printorder", request, { "Idempotency-Key": "walk" });
  const file = { name: "Thesis.pdf", bytes: numberedPdf("Thesis", 2) };
  await placeFiles(store, shopId, [file], { parts: [{ pages: { 0: "2" } }] });
  const order = await placeAnother(visitor, student, shop);
  const seen = await LiveStream.open(admin, "0");
  const own = await LiveStream.openOwn(visitor, "0");
  for (let twice = 0; twice < 2; twice++)
    await admin.mutate("board.note", { orderId: order.id, body: "Ask for the cover", key: "walk-note" });
  for (let twice = 0; twice < 2; twice++) await payInFull(admin, order.id);
  await refundCash(admin, order.id, 100);
  await reverseLast(admin, order.id);
  await walkBook(admin, shop);
  await moveTo(admin, order.id, "delivered");
  await own.until(2);
  for (const stream of [seen, own]) stream.close();
  for (const stars of [4, 5]) await visitor.mutate("ratings.rate", { orderId: order.id, stars });
  const again = await LiveStream.open(admin, "1");
  const ownAgain = await LiveStream.openOwn(visitor, "1");
  await ownAgain.until(1);
  for (const stream of [again, ownAgain]) stream.close();
  const pickup = await placeAnother(visitor, student, shop, "pickup");
  await moveTo(admin, pickup.id, "printed");
  await admin.mutate("board.move", { orderId: pickup.id, from: "printed", to: "printing" });
  await admin.mutate("board.move", { orderId: pickup.id, from: "printing", to: "printed" });
  await payInFull(admin, pickup.id);
  const forgotten = await placeAnother(visitor, student, shop, "pickup");
  await moveTo(admin, forgotten.id, "printed");
  const later = new Date(store.clock.now().getTime() + 30 * 60_000);
  await deletePrintedFiles({ ...store.deps, now: () => later });
  for (const code of ["0000", "0001"])
    await admin.mutate("board.handOver", { orderId: pickup.id, proof: { by: "code", code } });
  await admin.mutate("board.handOver", { orderId: pickup.id, proof: { by: "note", note: "Known" } });
  const cancelled = await placeAnother(visitor, student, shop);
  const refused = { orderId: cancelled.id, from: "placed", reason: "No paper" };
  for (let twice = 0; twice < 2; twice++) await admin.mutate("board.cancel", refused);
  await walkHolds(admin, visitor, await placeAnother(visitor, student, shop));
  await visitor.query("orders.mine", {});
  await visitor.get(`/orders/${order.id}/receipt.pdf`);
  await admin.get(`/admin/orders/${pickup.id}/pack.pdf`);
  const reported = await acceptedReprint(store, admin, shop);
  const filesUrl = [await uploadPages(reported.visitor, 3)];
  await reported.visitor.mutate("reprints.order", { orderId: reported.id, filesUrl });
  const unwanted = await uploadPages(visitor, 1);
  const id = unwanted.split("/").at(-1);
  for (let twice = 0; twice < 2; twice++) await visitor.mutate("files.remove", { id });
}

/** An order on hold that is asked about twice, answered, changed, and cancelled in the end. */
async function walkHolds(admin: ApiClient, visitor: ApiClient, { id, fileId }: PlacedOrder): Promise<void> {
  const orderId = id;
  for (const reason of ["A page is cut off", "Are you sure?"]) {
    await admin.mutate("holds.hold", { orderId, reason });
    const { hold } = await seenByStudent(visitor, orderId);
    await visitor.mutate("holds.answer", { orderId, holdId: hold.id, answer: "Print it as it is" });
  }
  const { hold, totalPaise } = await seenByStudent(visitor, orderId);
  const files = [{ fileId, fileUrl: await uploadPages(visitor, 3) }];
  const changes = { orderId, holdId: hold.id, files };
  await visitor.query("holds.quote", changes);
  expectDone(await visitor.mutate("holds.change", { ...changes, expectedTotalPaise: totalPaise }));
  for (const act of ["release", "cancel"]) {
    await admin.mutate("holds.hold", { orderId, reason: "The paper has run out" });
    const order = await seenByStudent(visitor, orderId);
    const by = act === "release" ? admin : visitor;
    expectDone(await by.mutate(`holds.${act}`, { orderId, holdId: order.hold.id }));
  }
}

async function walkShops(store: TestStore, admin: ApiClient): Promise<void> {
  const { id, ...fields } = await shownShop(admin);
  const changed = { ...fields, shopId: id, version: 1, college: "IIT Ropar" };
  for (const _answer of ["lost", "come"]) expectDone(await admin.mutate("shops.admin.update", changed));
  const paid = { ...fields, shopId: id, version: 2, upiId: "lamp.post@okbank" };
  // The undo logs out whoever made the change.
  const { visitor: another } = await signedInAdmin(store);
  expectDone(await another.mutate("shops.admin.update", paid));
  const mails = await store.deps.readDb
    .selectFrom("outbox")
    .select("content")
    .where("kind", "=", "payment-address")
    .execute();
  const undoing =
    /\/payment-address\?token=[\w.-]+/.exec(mails.map(({ content }) => content).join())?.[0] ?? "";
  await store.visitor().get(undoing);
  await store.visitor().send("POST", undoing);
  await confirmShopEmail(store, expectDone(await admin.query("shops.admin.byId", { shopId: id })).email);
  for (const isOpen of [false, true]) await admin.mutate("shops.admin.setOpen", { shopId: id, isOpen });
  const edited = await editedPrices(admin, id, ({ paperTypes }) => ({
    paperTypes: paperTypes.map((entry) => ({ ...entry, name: "Recycled" })),
    bindingOptions: paperTypes.map(({ id: _, ...entry }) => entry),
  }));
  await admin.mutate("prices.save", edited);
  const [option] = expectDone(await admin.query("stock.list", { shopId: id }));
  const out = { shopId: id, optionId: option.id, isLastAccepted: true };
  await admin.mutate("stock.setOut", { ...out, isOut: true });
  expectDone(await admin.mutate("stock.ask", { shopId: id, optionId: option.id }));
  await admin.mutate("stock.setOut", { ...out, isOut: false });
  expectDone(await admin.query("shops.admin.list", { search: "prints" }));
  expectDone(await admin.query("staff.myShops", { ids: [id] }));
  const { file } = expectDone(await admin.query("seeding.export"));
  await importSeed(admin, file);
  const { email, shopName, shopLocation } = fields;
  const { visitor } = await signedInStudent(store);
  const order = await orderFor(visitor, { shopId: id });
  const named = { ...order.orderData, shopEmail: email, shopName, shopLocation };
  await visitor.post("/api/v1/prints/printorder", { ...order, orderData: named });
  await admin.mutate("shops.admin.remove", { shopId: id });
}

async function walkStaff(store: TestStore, admin: ApiClient, shopId: string): Promise<void> {
  const { visitor, student } = await signedInStudent(store);
  const duties = { role: "owner", shopIds: [shopId] };
  await admin.mutate("staff.invite", { email: student.email, ...duties });
  await admin.mutate("staff.invite", { email: newStudent().email, ...duties });
  const { invitations } = expectDone(await admin.query("staff.list"));
  for (const { id } of invitations) await admin.mutate("staff.reinvite", { id });
  store.clock.advance({ seconds: 1 });
  await admin.mutate("staff.invite", { email: student.email, ...duties });
  const token = await invitationToken(store, student.email);
  await visitor.query("staff.invitation", { token });
  const newPassword = { password: student.password, confirmpassword: student.password };
  const { _id: userId } = expectDone(await visitor.mutate("staff.accept", { token, newPassword }));
  expectDone(await visitor.query("staff.list"));
  for (const role of ["admin", "owner"]) await changeStaff(admin, userId, { ...duties, role });
  const { email, password } = newStudent();
  await admin.mutate("staff.invite", { email, ...duties, role: "counter" });
  const account = { fullName: "Kit", phone: "", password, confirmpassword: password };
  const join = { token: await invitationToken(store, email), account };
  expectDone(await store.visitor().mutate("staff.accept", join));
  await admin.mutate("staff.remove", { userId });
  const waiting = expectDone(await admin.query("staff.list"));
  for (const { id } of waiting.invitations) await admin.mutate("staff.withdraw", { id });
}

async function walkSecondFactors(store: TestStore, admin: ApiClient): Promise<void> {
  const { visitor, person, userId } = await signedInOwner(store, []);
  const { secret, enrolment } = expectDone(await visitor.mutate("accounts.startTotp"));
  const code = () => new TOTP({ secret }).generate({ timestamp: store.clock.now().getTime() });
  expectDone(await visitor.mutate("accounts.addTotp", { enrolment, code: code() }));
  const key = new SoftwareKey();
  const here = { origin: store.url };
  const passkey = key.create(expectDone(await visitor.mutate("accounts.startPasskey")), here);
  expectDone(await visitor.mutate("accounts.addPasskey", { name: "Office PC", passkey }));
  const { recoveryCodes } = expectDone(await visitor.mutate("accounts.newRecoveryCodes"));
  store.clock.advance({ seconds: 30 });
  for (const given of [code(), recoveryCodes[0]]) {
    await visitor.post("/api/v1/users/login", person);
    await visitor.query("accounts.pendingLogin");
    expectDone(await visitor.mutate("accounts.finishLogin", { code: given }));
  }
  const signed = key.get(expectDone(await visitor.mutate("accounts.passkeyChallenge")), here);
  expectDone(await visitor.mutate("accounts.loginWithPasskey", { passkey: signed }));
  expectDone(await visitor.query("accounts.secondFactors"));
  expectDone(await visitor.mutate("accounts.removePasskey", { id: key.id.toString("base64url") }));
  expectDone(await visitor.mutate("accounts.removeTotp"));
  for (const required of [true, false])
    expectDone(await admin.mutate("staff.setSecondFactorRule", { required }));
  expectDone(await admin.query("staff.secondFactorRule"));
  expectDone(await admin.mutate("staff.resetSecondFactor", { userId }));
}

/** Scheduled jobs that would not run within a minute. */
async function walkJobs(store: TestStore): Promise<void> {
  const { deps } = store;
  const { email } = (await signedInStudent(store)).student;
  const at = deps.now().toISOString();
  await deps.sessions.deleteExpired();
  await deps.limits.deleteExpired();
  await deleteAbandonedSignups(deps);
  await deleteEndedInvitations(deps);
  await deleteUnordered(deps);
  await deleteOldEvents(deps);
  await deleteShortLivedMails(deps);
  await deleteUnusedShopPhotos(deps);
  await deleteUnusedReportPhotos(deps);
  const large = Buffer.from("a photo");
  for (let twice = 0; twice < 2; twice++) await sharePhoto(deps, "/shop-photos/walk", large);
  await readSharedPhoto(deps, "/shop-photos/walk");
  await deleteUnusedSharedPhotos(deps, new Date(deps.now().getTime() + 1));
  await changeLocation(deps.db, { from: "nowhere", to: "elsewhere" });
  await isFileRecorded(deps.readDb, "none");
  await deletePhotoRow(deps.db, "none");
  await deleteReportPhotoRow(deps.db, "none");
  await isReportPhoto(deps.readDb, "none");
  await isShopPhoto(deps.readDb, "none");
  await extendSession(deps.db, "none", deps.now());
  await transact(deps.db, (trx) => retryFailedMail(trx, "none", at));
  await ensureAdmin(deps, { email, password: "another long pass phrase" });
  await markEraseFailed(deps.db, "none", at);
  await scheduleRetry(deps.db, { id: "none", leasedUntil: at }, { dueAt: at, error: "busy" });
  await markFailed(deps.db, { id: "none", leasedUntil: at }, { now: at, error: "busy", erase: true });
  await isReplaced(deps.db, { to: email, kind: "account-login", createdAt: at });
}

/** What a server with shared files does. */
async function walkSharedFiles({ deps, clock }: TestStore): Promise<void> {
  const pending = createPendingRows(deps);
  const nothing = async () => {};
  const steps = { store: nothing, record: nothing, undo: nothing };
  await pending.during("stored", steps);
  await pending
    .during("left", { ...steps, record: () => Promise.reject(new Error("no row today")) })
    .catch(nothing);
  clock.advance({ minutes: 10 });
  await pending.removeAbandoned(async () => false, nothing);
  await pending.during("stored later", steps);
  const present = deps.db.selectFrom("files").select("id").where("deleted_at", "is", null);
  const { id } = await present.limit(1).executeTakeFirstOrThrow();
  await deps.db.updateTable("files").set({ colour_checked_pages: null }).where("id", "=", id).execute();
  const files = { ...deps.files, isShared: true };
  for (const work of ["colours", "erasure"] as const)
    await withLease({ ...deps, files }, { id, work }, nothing);
}

async function walkAccountDeletedMail(store: TestStore, shopId: string): Promise<void> {
  const { visitor, student } = await signedInStudent(store);
  await visitor.post("/api/v1/users/contactus", { ...student, message: "Goodbye" });
  const order = await placeAnother(visitor, student, shopId);
  await visitor.query("privacy.myData");
  await visitor.get("/my-data");
  await visitor.mutate("privacy.deleteAccount", { password: student.password });
  const admin = (await signedInAdmin(store)).visitor;
  await moveTo(admin, order.id, "delivered");
  await visitor.mutate("privacy.deleteAccount", { password: student.password });
}
