import { sql } from "kysely";
import { TOTP } from "otpauth";
import { beforeAll, expect, test } from "vitest";
import { HOLD_REASONS } from "#shared/holds.ts";
import { addDays, indianDay, startOfDay } from "#shared/indian-time.ts";
import { mailsTo } from "../factories/mails.ts";
import { ADDRESS, seenByStudent, uploadPages } from "../factories/orders.ts";
import { payInFull, refundCash, reverseLast } from "../factories/payments.ts";
import { transparentPicture } from "../factories/photos.ts";
import { moveTo, type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { answerReport, reportError, sendPhoto } from "../factories/reprints.ts";
import { expectDone, pricesOf, shownShop } from "../factories/shops.ts";
import {
  logInAgain,
  type StaffPerson,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { newestCode, newStudent, type Student, signedInStudent, visitorAs } from "../factories/students.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

// What is done to one row must not reach the row beside it. Of each kind there are two alike, and what happens to the one
// leaves every row in the database that does not name it as it was.

const store = testStore();
let admin: StaffPerson;
let shopId: string;
let owner: StaffPerson;
beforeAll(async () => {
  admin = await signedInAdmin(store);
  shopId = (await shownShop(admin.visitor, undefined, { offersPickup: true })).id;
  owner = await signedInOwner(store, [shopId]);
  await logInAgain(admin, owner);
});

/** Sums, counters, and the queue that sends mails at the same time. */
const SHARED = ["rate_limits", "live_event_head", "daily_stats", "daily_option_stats", "outbox", "catalogue"];

async function rowsWithout(own: string[]): Promise<string[]> {
  const { readDb } = store.deps;
  const tables = (await readDb.introspection.getTables()).filter(({ name }) => !SHARED.includes(name));
  const found = await Promise.all(
    tables.map(async ({ name }) =>
      (await sql`select * from ${sql.table(name)}`.execute(readDb)).rows.map(
        (row) => `${name} ${JSON.stringify(row)}`,
      ),
    ),
  );
  return found.flat().filter((row) => !own.some((trace) => row.includes(trace)));
}

/** Nothing else may change rows meanwhile: jobs have looked for colours in every file and erased the deleted ones. */
async function untilQuiet(): Promise<void> {
  const files = () => store.deps.readDb.selectFrom("files").select("id");
  const unchecked = files().where("colour_checked_pages", "is", null).where("deleted_at", "is", null);
  const unerased = files().where("erased_at", "is", null).where("deleted_at", "is not", null);
  await expect.poll(async () => [await unchecked.execute(), await unerased.execute()]).toEqual([[], []]);
}

/** Does this, and expects every row that names none of `own` to stay. Gives the data of the answer. */
async function changesOnly(own: string[], what: string, act: () => Promise<ApiAnswer>) {
  await untilQuiet();
  const before = await rowsWithout(own);
  const { status, body } = await act();
  expect([what, status, body?.error?.message]).toEqual([what, 200, undefined]);
  const after = new Set(await rowsWithout(own));
  expect([what, before.filter((row) => !after.has(row))]).toEqual([what, []]);
  return body?.result?.data;
}

const idOf = async ({ email }: Student) =>
  (
    await store.deps.readDb
      .selectFrom("users")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirstOrThrow()
  ).id;

test("what happens to one order changes nothing of another one of the same student at the same shop", async () => {
  const { visitor, student } = await signedInStudent(store);
  const staff = owner.visitor;
  const pair = () =>
    Promise.all([
      placeAnother(visitor, student, shopId, "pickup"),
      placeAnother(visitor, student, shopId, "pickup"),
    ]);
  const one = (id: string) => seenByStudent(visitor, id);
  const doTo = (order: PlacedOrder, what: string, act: () => Promise<ApiAnswer>) =>
    changesOnly([order.id, order.fileId], what, act);

  const [held, other] = await pair();
  const reason = HOLD_REASONS[0];
  await doTo(held, "hold", () => staff.mutate("holds.hold", { orderId: held.id, reason }));
  expectDone(await staff.mutate("holds.hold", { orderId: other.id, reason }));
  const hold = { orderId: held.id, holdId: (await one(held.id)).hold.id };
  await doTo(held, "answer", () => visitor.mutate("holds.answer", { ...hold, answer: "Yes, please" }));
  const files = [{ fileId: held.fileId, fileUrl: await uploadPages(visitor, 7) }];
  const { after } = expectDone(await visitor.query("holds.quote", { ...hold, files }));
  const fileId = files[0]?.fileUrl.split("/").at(-1) ?? "";
  await changesOnly([held.id, held.fileId, fileId], "change", () =>
    visitor.mutate("holds.change", { ...hold, files, expectedTotalPaise: after.totalPaise }),
  );
  expectDone(await staff.mutate("holds.hold", { orderId: held.id, reason }));
  const again = { orderId: held.id, holdId: (await one(held.id)).hold.id };
  await doTo(held, "release", () => staff.mutate("holds.release", again));
  const { hold: second } = await one(other.id);
  await doTo(other, "the student's cancellation", () =>
    visitor.mutate("holds.cancel", { orderId: other.id, holdId: second.id }),
  );

  const [order, twin] = await pair();
  await doTo(order, "note", () => staff.mutate("board.note", { orderId: order.id, body: "By the window" }));
  await doTo(order, "payment", () => payInFull(staff, order.id));
  expectDone(await payInFull(staff, twin.id));
  await doTo(order, "refund", () => refundCash(staff, order.id, 100));
  await doTo(order, "reversal", () => reverseLast(staff, order.id));
  const move = (from: string, to: string) => () =>
    staff.mutate("board.move", { orderId: order.id, from, to });
  await doTo(order, "printing", move("placed", "printing"));
  await doTo(order, "placed again", move("printing", "placed"));
  for (const { id } of [order, twin]) await moveTo(staff, id, "printing");
  await doTo(order, "printed", move("printing", "printed"));
  expectDone(await staff.mutate("board.move", { orderId: twin.id, from: "printing", to: "printed" }));
  await doTo(order, "printing again", move("printed", "printing"));
  await doTo(order, "printed again", move("printing", "printed"));
  const { pickupCode } = await one(order.id);
  const proof = { by: "code", code: pickupCode === "0000" ? "0001" : "0000" };
  const [tries] = await rowsWithTries(twin.id);
  await staff.mutate("board.handOver", { orderId: order.id, proof });
  expect(await rowsWithTries(twin.id)).toEqual([tries]);
  await doTo(order, "hand-over", () =>
    staff.mutate("board.handOver", { orderId: order.id, proof: { by: "code", code: pickupCode } }),
  );
  await doTo(twin, "hand-over without a code", () =>
    staff.mutate("board.handOver", { orderId: twin.id, proof: { by: "note", note: "Showed the mail" } }),
  );

  await changesOnly([order.id, shopId], "rating", () =>
    visitor.mutate("ratings.rate", { orderId: order.id, stars: 2 }),
  );
  const photo = async () =>
    expectDone(await sendPhoto(visitor, new Uint8Array(await transparentPicture()))).id;
  const [own, of] = [await photo(), await photo()];
  await changesOnly([order.id, own], "report", () => reportError({ id: order.id, visitor }, [own]));
  expectDone(await reportError({ id: twin.id, visitor }, [of]));
  await doTo(order, "answer to the report", () => answerReport(staff, order.id, true));
  expectDone(await answerReport(staff, twin.id, true));
  const filesUrl = [await uploadPages(visitor, 3)];
  const newFile = filesUrl[0]?.split("/").at(-1) ?? "";
  await changesOnly([order.id, newFile], "reprint", () =>
    visitor.mutate("reprints.order", { orderId: order.id, filesUrl }),
  );

  const [gone] = await pair();
  await doTo(gone, "cancellation", () =>
    staff.mutate("board.cancel", { orderId: gone.id, from: "placed", reason: "No toner" }),
  );
});

function rowsWithTries(id: string) {
  return store.deps.readDb.selectFrom("orders").select("pickup_tries_left").where("id", "=", id).execute();
}

test("deleting an upload leaves the others of the same student", async () => {
  const { visitor } = await signedInStudent(store);
  const urls = [await uploadPages(visitor, 1), await uploadPages(visitor, 2)];
  const id = urls[0]?.split("/").at(-1) ?? "";
  await changesOnly([id], "deletion", () => visitor.mutate("files.remove", { id }));
});

/** A student with addresses, choices, codes that wait and a second device. */
async function busyStudent() {
  const { visitor, student } = await signedInStudent(store);
  const id = await idOf(student);
  const [first, second] = [
    expectDone(await visitor.mutate("addresses.add", { address: ADDRESS })),
    expectDone(await visitor.mutate("addresses.add", { address: { ...ADDRESS, flatno: "2" } })),
  ];
  for (const kind of ["placed", "delivered"])
    await visitor.mutate("accounts.chooseMail", { kind, wanted: false });
  await visitorAs(store, student);
  await store.visitor().post("/api/v1/users/fpmail", { email: student.email });
  await store.visitor().post("/api/v1/users/generate-otp-for-login", { email: student.email });
  const { phone, email } = newStudent();
  store.clock.advance({ seconds: 1 });
  expectDone(await visitor.mutate("accounts.requestPhoneCode", { phone }));
  const phoneCode = await newestCode(store, student.email);
  expectDone(await visitor.mutate("accounts.requestEmailCode", { email, password: student.password }));
  return { visitor, student, id, first, second, phoneCode, email, own: [id, student.email] };
}

test("what a student does to the own account changes nothing of another student's", async () => {
  await busyStudent();
  const { visitor, student, id, first, second, phoneCode, email, own } = await busyStudent();
  const mutate = (procedure: string, input?: unknown) =>
    changesOnly(own, procedure, () => visitor.mutate(procedure, input));
  await mutate("accounts.rename", { fullName: "Somebody Else" });
  await mutate("accounts.chooseMail", { kind: "placed", wanted: true });
  const refused = await store.deps.readDb
    .selectFrom("mail_refusals")
    .select("kind")
    .where("user_id", "=", id)
    .execute();
  expect(refused).toEqual([{ kind: "delivered" }]);
  await mutate("addresses.makeDefault", { id: second.id });
  await mutate("addresses.update", { id: first.id, address: { ...ADDRESS, flatno: "Another" } });
  expect(expectDone(await visitor.query("addresses.list"))).toMatchObject([
    { flatno: "2", isDefault: true },
    { flatno: "Another" },
  ]);
  await mutate("addresses.remove", { id: second.id });
  await mutate("accounts.confirmPhone", { verifyCode: phoneCode });
  store.clock.advance({ seconds: 1 });
  await mutate("accounts.requestEmailCode", { email, password: student.password });
  await mutate("accounts.confirmEmail", { verifyCode: await newestCode(store, email) });
  for (let device = 0; device < 2; device++)
    await store.visitor().post("/api/v1/users/login", { ...student, email });
  const devices: { id: string; isThis: boolean }[] = expectDone(await visitor.query("accounts.devices"));
  await mutate("accounts.endDevice", { id: devices.find(({ isThis }) => !isThis)?.id });
  expect(expectDone(await visitor.query("accounts.devices"))).toHaveLength(2);
  await mutate("accounts.endOtherDevices");
  expect(expectDone(await visitor.query("accounts.devices"))).toHaveLength(1);

  store.clock.advance({ seconds: 1 });
  await store.visitor().post("/api/v1/users/generate-otp-for-login", { email });
  const verifyCode = await newestCode(store, email);
  await changesOnly(own, "login by a code", () =>
    store.visitor().post("/api/v1/users/login-with-otp", { email, verifyCode }),
  );
  store.clock.advance({ seconds: 1 });
  await store.visitor().post("/api/v1/users/fpmail", { email });
  const [mail] = await mailsTo(store, email);
  const token = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  const password = "a rather different phrase";
  await changesOnly(own, "reset", () =>
    store.visitor().post("/api/v1/users/reset-password", { token, password, confirmpassword: password }),
  );
  await visitor.post("/api/v1/users/login", { email, password });
  const passwords = {
    currentPassword: password,
    password: "yet another phrase",
    confirmpassword: "yet another phrase",
  };
  await mutate("accounts.changePassword", passwords);
  await changesOnly(own, "logout", () => visitor.mutate("accounts.logout"));
});

async function withApp(person: StaffPerson) {
  const { secret, enrolment } = expectDone(await person.visitor.mutate("accounts.startTotp"));
  const code = () => new TOTP({ secret }).generate({ timestamp: store.clock.now().getTime() });
  expectDone(await person.visitor.mutate("accounts.addTotp", { enrolment, code: code() }));
  return { ...person, code, own: [person.userId, person.person.email] };
}

test("what staff do to their second factor, or an admin to one of them, changes nothing of a colleague's", async () => {
  const [clerk, colleague] = [await signedInCounter(store, [shopId]), await signedInCounter(store, [shopId])];
  await logInAgain(clerk, colleague);
  const one = await withApp(clerk);
  await withApp(colleague);
  const mutate = (procedure: string) => changesOnly(one.own, procedure, () => one.visitor.mutate(procedure));
  await mutate("accounts.newRecoveryCodes");
  await mutate("accounts.removeTotp");
  await withApp(clerk);
  await changesOnly([one.person.email], "half a login", async () => {
    await store.visitor().post("/api/v1/users/login", one.person);
    return store.visitor().get("/healthz");
  });
  await store.visitor().post("/api/v1/users/login", colleague.person);
  const { userId } = clerk;
  const byAdmin = (procedure: string, input: object) =>
    changesOnly([...one.own, admin.userId], procedure, () =>
      admin.visitor.mutate(procedure, { userId, ...input }),
    );
  const [invited, withdrawn] = [newStudent().email, newStudent().email];
  for (const email of [invited, withdrawn])
    expectDone(await admin.visitor.mutate("staff.invite", { email, role: "counter", shopIds: [shopId] }));
  const { invitations } = expectDone(await admin.visitor.query("staff.list"));
  const { id } = invitations.find(({ email }: { email: string }) => email === withdrawn);
  await changesOnly([id], "staff.withdraw", () => admin.visitor.mutate("staff.withdraw", { id }));
  await byAdmin("staff.resetSecondFactor", {});
  const base = { role: "counter", shopIds: [shopId] };
  await byAdmin("staff.change", { ...base, role: "owner", base });
  await byAdmin("staff.remove", {});
});

test("what is set for one shop changes nothing of another one", async () => {
  const noon = Date.parse(startOfDay(addDays(indianDay(store.deps.now()), 1))) + 12 * 60 * 60 * 1000;
  store.clock.set(new Date(noon));
  await logInAgain(admin);
  const hours = { openingHours: "Mon-Sun 9:00-20:00" };
  const [one, other] = [
    await shownShop(admin.visitor, undefined, hours),
    await shownShop(admin.visitor, undefined, hours),
  ];
  const tax = { gstin: "27AAPFU0939F1ZV", legalName: "Asha Prints", address: "4 Mall Road, Pune" };
  const settings = (id: string, series: string): [string, object][] => [
    ["tax.save", { shopId: id, ...tax, ratePercent: 18, sac: "998912", series }],
    ["schedule.save", { shopId: id, holidays: ["2030-01-26"], pagesPerMinute: 20, handlingMinutes: 5 }],
    ["schedule.closeEarly", { shopId: id, isClosing: true }],
    ["shops.admin.setOpen", { shopId: id, isOpen: false, closedNote: "Back on Monday" }],
    ["counter.switch", { shopId: id, isOn: false }],
    ["counter.renew", { shopId: id }],
  ];
  for (const [procedure, input] of settings(other.id, "OTH"))
    expectDone(await admin.visitor.mutate(procedure, input));
  const mutate = (procedure: string, input: object) =>
    changesOnly([one.id], procedure, () => admin.visitor.mutate(procedure, input));
  for (const [procedure, input] of settings(one.id, "ONE")) await mutate(procedure, input);
  await mutate("shops.admin.setOpen", { shopId: one.id, isOpen: true });
  await mutate("counter.switch", { shopId: one.id, isOn: true });
  await mutate("schedule.open", { shopId: one.id });
  const { version, lists } = await pricesOf(admin.visitor, one.id);
  const paperTypes = lists.paperTypes.map((entry) => ({ ...entry, pricePaise: entry.pricePaise + 10 }));
  await mutate("prices.save", { shopId: one.id, version, lists: { ...lists, paperTypes } });
  const [option] = expectDone(await admin.visitor.query("stock.list", { shopId: one.id }));
  await mutate("stock.setOut", { shopId: one.id, optionId: option.id, isOut: true, isLastAccepted: true });
  const { version: edited } = expectDone(await admin.visitor.query("shops.admin.byId", { shopId: one.id }));
  await logInAgain(admin);
  const { id: _, ...details } = one;
  const change = { shopId: one.id, version: edited, ...details, upiId: "new.lamp@okbank" };
  await mutate("shops.admin.update", change);
  await mutate("shops.admin.setHidden", { shopId: one.id, hidden: true });
  await mutate("shops.admin.remove", { shopId: one.id });
});

test("what is done to one message of the inbox, or one mail, leaves the others as they are", async () => {
  for (const subject of ["First", "Second"]) {
    const sent = { fullName: "Tara", email: "tara@college.example", subject, message: "Hi" };
    await store.visitor().post("/api/v1/users/contactus", sent);
  }
  const { rows } = expectDone(await admin.visitor.query("contact.list", {}));
  const { id } = rows[0];
  await changesOnly([id], "contact.mark", () => admin.visitor.mutate("contact.mark", { id, state: "read" }));
});
