import { beforeEach, expect, test } from "vitest";
import type { AuditAction } from "#shared/audit-actions.ts";
import { indianTime } from "#shared/indian-time.ts";
import { mailsTo } from "../factories/mails.ts";
import { orderFor, seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { payInFull } from "../factories/payments.ts";
import { moveTo, placeAnother } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import { codeAt, placeAtCounter, visitorAt } from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { TestClock } from "../setup/test-clock.ts";
import { testStore } from "../setup/test-store.ts";

/** A moment in India; Wednesday if no day is given. */
const at = (clock: string, day = "2026-11-25") => new Date(`${day}T${clock}:00+05:30`);
const HOURS = "Mon-Fri 9:00-20:00; Sat 10:00-14:00";

// The store starts at this moment too.
const clock = new TestClock();
clock.set(at("17:00"));
const store = testStore({}, undefined, clock);
let staff: ApiClient;
let visitor: ApiClient;
let student: Student;
let shopId: string;
beforeEach(async () => {
  store.clock.set(at("17:00"));
  staff = (await signedInAdmin(store)).visitor;
  ({ visitor, student } = await signedInStudent(store));
  shopId = (await shownShop(staff, undefined, { openingHours: HOURS, offersPickup: true })).id;
});

async function settings(changes: object = {}) {
  const speed = { holidays: [], pagesPerMinute: 1, handlingMinutes: 4 };
  expectDone(await staff.mutate("schedule.save", { shopId, ...speed, ...changes }));
}

/** What a student is told before ordering 6 printed pages. */
async function offered(): Promise<string | null> {
  return expectDone(await store.visitor().query("orders.promise", { shopId, pages: 6 })).promisedAt;
}

/** What an order of 6 printed pages is promised. */
async function promised(): Promise<string | null> {
  const { id } = await placeAnother(visitor, student, shopId, "pickup");
  return (await seenByStudent(visitor, id)).promisedAt;
}

const iso = (moment: Date) => moment.toISOString();

test("what is offered before ordering is promised on the order, on the board and in the mail, after what waits", async () => {
  await settings({ handlingMinutes: 9 });
  expect(await offered()).toBe(iso(at("17:15")));
  await settings();
  expect(await offered()).toBe(iso(at("17:10")));
  expect(await promised()).toBe(iso(at("17:10")));
  expect(await offered()).toBe(iso(at("17:20")));

  const order = await placeAnother(visitor, student, shopId, "pickup");
  const { columns } = expectDone(await staff.query("board.read", { shopId }));
  const card = columns[0].cards.find(({ id }: { id: string }) => id === order.id);
  expect(card.promisedAt).toBe(iso(at("17:20")));
  expect((await seenByStaff(staff, order.id)).promisedAt).toBe(iso(at("17:20")));
  const [mail] = (await mailsTo(store, student.email)).filter(({ subject }) =>
    subject.includes(order.number),
  );
  expect(mail?.text).toContain("Ready by: 25 Nov 2026, 5:20 pm IST");

  await moveTo(staff, order.id, "printed");
  expect(await offered()).toBe(iso(at("17:20")));
});

test("what somebody has not paid moves the times of others by half an hour of pages at most, until it is paid or being printed", async () => {
  await settings({ pagesPerMinute: 20, handlingMinutes: 5 });
  const place = async (pages: number, copies: number) => {
    const order = await orderFor(visitor, { shopId, pages, copies, fulfilment: "pickup" });
    return (await visitor.post("/api/v1/prints/printorder", order)).body.data._id;
  };
  const huge = await place(10, 500);
  expect(await offered()).toBe(iso(at("17:45")));
  await place(10, 100);
  for (let count = 0; count < 5; count++) await place(1, 1);
  expect(await offered()).toBe(iso(at("18:05")));

  await moveTo(staff, huge, "printing");
  expect(await offered()).toBe(iso(at("11:20", "2026-11-26")));
  expectDone(await staff.mutate("board.move", { orderId: huge, from: "printing", to: "placed" }));
  expect(await offered()).toBe(iso(at("18:05")));
  expectDone(await payInFull(staff, huge));
  expect(await offered()).toBe(iso(at("11:20", "2026-11-26")));

  ({ visitor } = await signedInStudent(store));
  await place(10, 100);
  expect(await offered(), "half an hour of each person's pages").toBe(iso(at("11:55", "2026-11-26")));
});

test("what visitors at the counter have not paid counts as that of one person, however many visits they open", async () => {
  await settings({ pagesPerMinute: 20, handlingMinutes: 5 });
  const code = await codeAt(staff, shopId);
  const placeByNewVisit = async () => {
    const phone = await visitorAt(store, shopId, code);
    return (await placeAtCounter(phone, { shopId, pages: 10, copies: 60 })).id;
  };
  const first = await placeByNewVisit();
  expect(await offered()).toBe(iso(at("17:45")));
  for (let count = 0; count < 3; count++) await placeByNewVisit();
  expect(await offered()).toBe(iso(at("18:00")));
  for (let count = 0; count < 3; count++) await placeByNewVisit();
  expect(await offered()).toBe(iso(at("18:05")));

  expectDone(await payInFull(staff, first));
  expect(await offered(), "what is paid counts wholly").toBe(iso(at("18:40")));
  const order = await orderFor(visitor, { shopId, pages: 10, copies: 60, fulfilment: "pickup" });
  expect((await visitor.post("/api/v1/prints/printorder", order)).status).toBe(200);
  expect(await offered(), "so does a student's part").toBe(iso(at("19:15")));
});

test("an order is promised for the time that all of its copies take", async () => {
  await settings();
  const order = await orderFor(visitor, { shopId, pages: 10, copies: 2, fulfilment: "pickup" });
  const { body } = await visitor.post("/api/v1/prints/printorder", order);
  const { promisedAt } = await seenByStudent(visitor, body.data._id);
  expect(promisedAt).toBe(iso(at("17:25")));
});

test("an order keeps its promise when the shop changes its speed, closes early or has more to do", async () => {
  await settings();
  const { id } = await placeAnother(visitor, student, shopId, "pickup");
  await settings({ pagesPerMinute: 1000, handlingMinutes: 0 });
  expectDone(await staff.mutate("schedule.closeEarly", { shopId, isClosing: true }));
  await promised();
  expect((await seenByStudent(visitor, id)).promisedAt).toBe(iso(at("17:10")));
});

test("an order on hold is promised anew once it goes on, by what printing it takes from then, and never earlier", async () => {
  await settings();
  const held = async () => {
    const { id, fileId } = await placeAnother(visitor, student, shopId, "pickup");
    expectDone(await staff.mutate("holds.hold", { orderId: id, reason: "Page 2 is cut off" }));
    const { hold } = await seenByStudent(visitor, id);
    return { fileId, open: { orderId: id, holdId: hold.id } };
  };
  const promisedTo = async ({ orderId }: { orderId: string }) =>
    (await seenByStudent(visitor, orderId)).promisedAt;
  const [late, changed] = [await held(), await held()];
  // The second was promised while the first was on hold, and does not wait for it.
  for (const { open } of [late, changed]) expect(await promisedTo(open)).toBe(iso(at("17:10")));
  store.clock.set(at("18:00"));
  expectDone(await staff.mutate("holds.release", late.open));
  expect(await promisedTo(late.open)).toBe(iso(at("18:10")));

  const files = [{ fileId: changed.fileId, fileUrl: await uploadPages(visitor, 20) }];
  const { after } = expectDone(await visitor.query("holds.quote", { ...changed.open, files }));
  const agreed = { ...changed.open, files, expectedTotalPaise: after.totalPaise };
  expectDone(await visitor.mutate("holds.change", agreed));
  expect(await promisedTo(changed.open)).toBe(iso(at("18:45")));

  const { open } = await held();
  const before = await promisedTo(open);
  expectDone(await staff.mutate("holds.release", open));
  expect(await promisedTo(open)).toBe(before);
});

test("an order that was put on hold once it was printed keeps its promise: staff can take the print back", async () => {
  await settings();
  const { id: orderId } = await placeAnother(visitor, student, shopId, "pickup");
  await moveTo(staff, orderId, "printed");
  expectDone(await staff.mutate("holds.hold", { orderId, reason: "Page 2 is cut off" }));
  store.clock.set(at("18:00"));
  const { hold } = await seenByStudent(visitor, orderId);
  expectDone(await staff.mutate("holds.release", { orderId, holdId: hold.id }));
  expect((await seenByStudent(visitor, orderId)).promisedAt).toBe(iso(at("17:10")));
});

test("an order at night is taken and promised for the morning, one before a holiday for the day after", async () => {
  await settings({ holidays: ["2026-11-27", "2026-11-27"] });
  store.clock.set(at("23:00"));
  expect(await promised()).toBe(iso(at("09:10", "2026-11-26")));
  store.clock.set(at("23:00", "2026-11-26"));
  const next = await signedInStudent(store);
  ({ visitor, student } = next);
  expect(await offered()).toBe(iso(at("10:20", "2026-11-28")));
});

test("a shop that closes early takes orders for its next opening, when it works again by itself, and can take it back", async () => {
  await settings();
  const working = async () => expectDone(await staff.query("schedule.settings", { shopId }));
  expect(await working()).toMatchObject({ isWorking: true, closedUntil: null });
  expectDone(await staff.mutate("schedule.closeEarly", { shopId, isClosing: true }));
  expect(await working()).toMatchObject({ isWorking: false, closedUntil: iso(at("09:00", "2026-11-26")) });
  expect(await offered()).toBe(iso(at("09:10", "2026-11-26")));
  expectDone(await staff.mutate("schedule.closeEarly", { shopId, isClosing: false }));
  expect(await offered()).toBe(iso(at("17:10")));

  expectDone(await staff.mutate("schedule.closeEarly", { shopId, isClosing: true }));
  store.clock.set(at("09:00", "2026-11-26"));
  staff = (await signedInAdmin(store)).visitor;
  expect(await working()).toMatchObject({ isWorking: true, closedUntil: null });
  expectDone(await staff.mutate("schedule.closeEarly", { shopId, isClosing: true }));
  expect(await working()).toMatchObject({ isWorking: false, closedUntil: iso(at("09:00", "2026-11-27")) });
});

test("a shop that closed early until a day that becomes a holiday says the day after", async () => {
  await settings();
  expectDone(await staff.mutate("schedule.closeEarly", { shopId, isClosing: true }));
  const told = async (holidays: string[]) => {
    await settings({ holidays });
    const [own] = expectDone(await staff.query("schedule.closed")).filter(
      ({ id }: { id: string }) => id === shopId,
    );
    const { closedUntil } = expectDone(await staff.query("schedule.settings", { shopId }));
    const cards: { _id: string; closedUntil: string }[] = expectDone(
      await store.visitor().query("shops.list"),
    );
    return [own.closedUntil, closedUntil, cards.find(({ _id }) => _id === shopId)?.closedUntil];
  };
  const morning = (day: string) => iso(at("09:00", day));
  expect(await told(["2026-12-25"])).toEqual(Array(3).fill(morning("2026-11-26")));
  expect(await told(["2026-11-26"])).toEqual(Array(3).fill(morning("2026-11-27")));
  expect(await told([])).toEqual(Array(3).fill(morning("2026-11-26")));
});

const auditOf = (action: AuditAction) =>
  store.deps.readDb
    .selectFrom("audit_log")
    .select(["before", "after"])
    .where("subject_id", "=", shopId)
    .where("shop_id", "=", shopId)
    .where("action", "=", action)
    .orderBy("id")
    .execute();

test("two who close a shop early, or one whose answer was lost, close it once, and so with taking it back", async () => {
  await settings();
  for (const isClosing of [true, true, false, false]) {
    expectDone(await staff.mutate("schedule.closeEarly", { shopId, isClosing }));
  }
  const closedUntil = indianTime(iso(at("09:00", "2026-11-26")));
  expect(await auditOf("shop.closeEarly")).toEqual([
    { before: null, after: JSON.stringify({ closedUntil }) },
    { before: null, after: JSON.stringify({ closedUntil: null }) },
  ]);
});

test("a change of the speed or the holidays is written to the audit log, before and after", async () => {
  await settings();
  await settings({ holidays: ["2026-12-24", "2026-12-25"] });
  expect((await auditOf("shop.schedule")).slice(1)).toEqual([
    {
      before: JSON.stringify({ holidays: "" }),
      after: JSON.stringify({ holidays: "2026-12-24,2026-12-25" }),
    },
  ]);
});

test("a shop cannot close early where it is closed by its hours, has none or never closes", async () => {
  store.clock.set(at("21:00"));
  staff = (await signedInAdmin(store)).visitor;
  const closed = await staff.mutate("schedule.closeEarly", { shopId, isClosing: true });
  expect([closed.status, closed.body.error.message]).toEqual([409, expect.stringContaining("is closed now")]);
  shopId = (await shownShop(staff)).id;
  const never = await staff.mutate("schedule.closeEarly", { shopId, isClosing: true });
  expect([never.status, never.body.error.message]).toEqual([
    409,
    expect.stringContaining("no opening hours"),
  ]);
  shopId = (await shownShop(staff, undefined, { openingHours: "Daily 0-24" })).id;
  const always = await staff.mutate("schedule.closeEarly", { shopId, isClosing: true });
  expect([always.status, always.body.error.message]).toEqual([
    409,
    expect.stringMatching(/does not close and open again.*close it by hand/),
  ]);
});

test("a shop that is closed by hand promises nothing and takes no order", async () => {
  const order = await orderFor(visitor, { shopId });
  expectDone(await staff.mutate("shops.admin.setOpen", { shopId, isOpen: false, closedNote: "" }));
  expect(await offered()).toBeNull();
  expect((await visitor.post("/api/v1/prints/printorder", order)).status).toBe(409);
});

test("a shop without hours promises nothing, on no screen and in no mail", async () => {
  shopId = (await shownShop(staff, undefined, { offersPickup: true })).id;
  expect(await offered()).toBeNull();
  expect(await promised()).toBeNull();
  const [mail] = await mailsTo(store, student.email);
  expect(mail?.text).not.toContain("Ready by");
});

test.each([
  ["a day that does not exist", { holidays: ["2026-02-30"] }],
  ["no speed", { pagesPerMinute: 0 }],
  ["a negative time", { handlingMinutes: -1 }],
  [
    "more holidays than a hundred",
    { holidays: Array.from({ length: 101 }, (_, n) => `20${10 + (n % 80)}-01-01`) },
  ],
])("%s is refused", async (_what, changes) => {
  const input = { shopId, holidays: [], pagesPerMinute: 1, handlingMinutes: 0, ...changes };
  expect((await staff.mutate("schedule.save", input)).status).toBe(422);
});

test("a line that is no day is named, as it is one of many", async () => {
  const holidays = ["2026-12-25", "Diwali"];
  const input = { shopId, holidays, pagesPerMinute: 1, handlingMinutes: 0 };
  const { body } = await staff.mutate("schedule.save", input);
  expect(body.error.message).toBe("Write each holiday as a day such as 2026-12-25, not “Diwali”");
});

test("counter staff see that their shop is closed, by hand or early, and open it with one press, which is recorded once", async () => {
  await settings();
  const clerk = await signedInCounter(store, [shopId]);
  const closed = async () => expectDone(await clerk.visitor.query("schedule.closed"));
  const open = async () => expectDone(await clerk.visitor.mutate("schedule.open", { shopId }));
  const name = expectDone(await staff.query("shops.admin.byId", { shopId })).shopName;
  expect(await closed()).toEqual([]);

  expectDone(await staff.mutate("schedule.closeEarly", { shopId, isClosing: true }));
  expect(await closed()).toEqual([
    { id: shopId, name, note: "", closedUntil: iso(at("09:00", "2026-11-26")) },
  ]);
  const closing = { shopId, isOpen: false, closedNote: "Exam week" };
  expectDone(await staff.mutate("shops.admin.setOpen", closing));
  expect(await closed()).toEqual([{ id: shopId, name, note: "Exam week", closedUntil: null }]);

  await Promise.all([open(), open()]);
  expect(await closed()).toEqual([]);
  expect(await offered()).toBe(iso(at("17:10")));
  const opened = await store.deps.readDb
    .selectFrom("audit_log")
    .select("action")
    .where("by_name", "=", clerk.person.fullName)
    .where("subject_id", "=", shopId)
    .orderBy("action")
    .execute();
  expect(opened.map(({ action }) => action)).toEqual(["shop.closeEarly", "shop.open"]);
});

test("an early closing is shown until the moment it ends", async () => {
  await settings();
  expectDone(await staff.mutate("schedule.closeEarly", { shopId, isClosing: true }));
  const ids = async (visitor: ApiClient) =>
    expectDone(await visitor.query("schedule.closed")).map(({ id }: { id: string }) => id);
  store.clock.set(new Date(at("09:00", "2026-11-26").getTime() - 1));
  expect(await ids((await signedInAdmin(store)).visitor)).toContain(shopId);
  store.clock.set(at("09:00", "2026-11-26"));
  expect(await ids((await signedInAdmin(store)).visitor)).not.toContain(shopId);
});
