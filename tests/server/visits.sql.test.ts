import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { VISIT_BYTES } from "#shared/visits.ts";
import { seenByStaff } from "../factories/orders.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { codeOf, expectDone } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, shopIds, signedInAdmin, signedInCounter } from "../factories/staff.ts";
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
import { storedAndComputedStats } from "../setup/computed-stats.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let clerk: StaffPerson;
let admin: StaffPerson;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  await removeHours(store, shopId);
  clerk = await signedInCounter(store, [shopId]);
  admin = await signedInAdmin(store);
});
// One test waits for hours.
beforeEach(() => logInAgain(clerk, admin));

const visitor = async (address?: string) =>
  visitorAt(store, shopId, await codeAt(clerk.visitor, shopId), address);
const visitOf = async (phone: ApiClient) => expectDone(await phone.query("visits.page", { shopId })).visit;

describe("an order at the counter", () => {
  test("is one, however often and at once the button is pressed", async () => {
    const phone = await visitor();
    const input = await visitOrderFor(phone, { shopId });
    const presses = await Promise.all([1, 2, 3].map(() => phone.mutate("visits.place", input)));
    const numbers = presses.map(({ body }) => body.result?.data.orderNumber ?? body.error.data.appCode);
    expect(new Set(numbers).size).toBe(1);
    expect((await visitOf(phone)).orders).toHaveLength(1);
  });
});

describe("two hours after a visit began", () => {
  test("files, name and words are gone and an unpaid order is cancelled; the shop's figures stay", async () => {
    const phone = await visitor();
    const { ownerId } = await visitOf(phone);
    const { id, number, fileId } = await placeAtCounter(phone, { shopId, name: "Zubeida Quadri" });
    const before = await seenByStaff(clerk.visitor, id);
    store.clock.advance({ hours: 2 });
    await endVisits(store);
    await logInAgain(clerk);
    const after = await seenByStaff(clerk.visitor, id);
    expect(after).toMatchObject({ number, state: "cancelled", totalPaise: before.totalPaise });
    expect(after.history.at(-1)).toMatchObject({ by: null, reason: "Not collected within two hours" });
    expect(after.files[0]).toMatchObject({ erasedAt: expect.any(String) });
    expect((await clerk.visitor.get(`/files/${fileId}`)).status).toBe(404);
    const events = store.deps.readDb.selectFrom("live_events").select(["kind", "state"]);
    expect(await events.where("order_id", "=", id).orderBy("seq").execute()).toEqual([
      { kind: "placed", state: "placed" },
      { kind: "moved", state: "cancelled" },
    ]);
    const { kept, plain } = await storedAndComputedStats(store.deps.readDb);
    expect(kept).toEqual(plain);
    const owner = store.deps.readDb.selectFrom("users").selectAll().where("id", "=", ownerId);
    expect(await owner.executeTakeFirst()).toMatchObject({
      full_name: "Visitor",
      deleted_at: expect.any(String),
    });
    const tables = ["users", "visits", "files", "orders", "student_words", "order_events", "outbox"] as const;
    for (const table of tables) {
      const rows = JSON.stringify(await store.deps.readDb.selectFrom(table).selectAll().execute());
      expect([table, /zubeida|quadri/i.test(rows)]).toEqual([table, false]);
    }
  });
});

describe("what visitors can make the store hold is bounded", () => {
  /** A file row of this size, of the visit's owner. */
  async function hold(phone: ApiClient, bytes: number): Promise<string> {
    const id = crypto.randomUUID();
    const owner_id = (await visitOf(phone)).ownerId;
    const created_at = store.deps.now().toISOString();
    const file = { id, owner_id, original_filename: "big.pdf" };
    await store.deps.db
      .insertInto("files")
      .values({ ...file, bytes, pages: 1, page_sizes: "{}", sha256: "", created_at, colour_checked_pages: 0 })
      .execute();
    return id;
  }
  const release = (ids: string[]) =>
    store.deps.db
      .updateTable("files")
      .set({ erased_at: store.deps.now().toISOString() })
      .where("id", "in", ids)
      .execute();
  const pdf = new Uint8Array(plainPdf(1));
  const upload = (phone: ApiClient) => phone.upload(pdf);
  // A form with the length of its request, which is what is reserved.
  const FRAME = 2048;
  const MiB = 1024 ** 2;

  test("a visit: 200 MB, with what it has ordered", async () => {
    const phone = await visitor();
    const ordered = await placeAtCounter(phone, { shopId });
    const held = await hold(phone, VISIT_BYTES.visit - pdf.length - FRAME - 3 * MiB);
    await store.deps.db
      .updateTable("files")
      .set({ bytes: 3 * MiB })
      .where("id", "=", ordered.fileId)
      .execute();
    expect((await upload(phone)).status).toBe(200);
    const more = await hold(phone, FRAME);
    const refused = await upload(phone);
    expect([refused.status, refused.body.code]).toEqual([413, "NO_ROOM"]);
    expect((await upload(await visitor())).status).toBe(200);
    await release([held, more]);
  });

  test.each([
    ["an address", "address", "network"],
    ["a code, and a new one makes room", "code", "new code"],
    ["a shop", "shop", "once some of them are printed"],
  ] as const)("%s", async (_what, bound, words) => {
    // Two addresses of one household: it has a whole /64 of them.
    const [one, another] = bound === "address" ? ["2001:db8:1:2::3", "2001:db8:1:2:ffff::4"] : [];
    const others = [await visitor(one)];
    const mark = bound === "address" ? {} : { address_hash: "elsewhere" };
    // What a server reserved that died since counts for nothing.
    const owner_id = (await visitOf(others[0] as ApiClient)).ownerId;
    const dead = { id: crypto.randomUUID(), owner_id, bytes: VISIT_BYTES[bound] };
    const expires_at = store.deps.now().toISOString();
    await store.deps.db
      .insertInto("upload_reservations")
      .values({ ...dead, expires_at })
      .execute();
    if (bound !== "address") await store.deps.db.updateTable("visits").set(mark).execute();
    if (bound === "shop") await store.deps.db.updateTable("visits").set({ code: "yesterday" }).execute();
    await store.deps.db.updateTable("files").set({ erased_at: store.deps.now().toISOString() }).execute();
    const phone = await visitor(another);
    const other = others[0] as ApiClient;
    const held = [await hold(other, VISIT_BYTES[bound] - pdf.length - FRAME)];
    expect((await upload(phone)).status).toBe(200);
    held.push(await hold(other, FRAME));
    const refused = await upload(phone);
    expect([refused.status, refused.body.code]).toEqual([413, "NO_ROOM"]);
    expect(refused.body.message).toContain(words);
    if (bound === "code") {
      await clerk.visitor.mutate("counter.renew", { shopId });
      expect((await upload(await visitor())).status).toBe(200);
    }
    await release(held);
    expect((await upload(phone)).status).toBe(200);
  });
});

describe("an order that a clerk enters for somebody at the counter", () => {
  const enter = (input: unknown) => clerk.visitor.mutate("visits.walkIn", input);

  test("is one order with one payment, however often the same press is sent, also with the counter off, and once more where the shop is hidden since", async () => {
    const input = await walkInOrder(clerk.visitor, shopId);
    expectDone(await clerk.visitor.mutate("counter.switch", { shopId, isOn: false }));
    const answers = await Promise.all([1, 2, 3].map(() => enter(input)));
    expectDone(await clerk.visitor.mutate("counter.switch", { shopId, isOn: true }));
    const late = await walkInOrder(clerk.visitor, shopId);
    expectDone(await admin.visitor.mutate("shops.admin.setHidden", { shopId, hidden: true }));
    answers.push(await enter(input));
    expect((await enter(late)).status).toBe(404);
    expectDone(await admin.visitor.mutate("shops.admin.setHidden", { shopId, hidden: false }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [id, ...others] = new Set(answers.map(({ body }) => body.result.data._id as string));
    expect(others).toEqual([]);
    const order = await seenByStaff(clerk.visitor, id ?? "");
    expect(order).toMatchObject({
      state: "placed",
      fulfilment: "counter",
      student: { fullName: "Meera", email: "" },
      paidPaise: input.payment.amountPaise,
    });
    expect(order.payments).toHaveLength(1);
    expect(order.files).toHaveLength(1);
    const { payment: _, ...unpaid } = input;
    expect((await enter(unpaid)).status, "paid before, and to be paid later now").toBe(409);
    expectDone(await enter({ ...input, name: "Mira" }));
    expect((await seenByStaff(clerk.visitor, id ?? "")).student.fullName).toBe("Mira");
    const entries = store.deps.readDb.selectFrom("audit_log").select(["by_user_id", "shop_id"]);
    expect(
      await entries.where("subject_id", "=", order.id).where("action", "=", "order.walkIn").execute(),
    ).toEqual([{ by_user_id: clerk.userId, shop_id: shopId }]);
    expect(
      (await enter({ ...input, name: "Ravi", orderData: { ...input.orderData, noOfCopies: 2 } })).status,
    ).toBe(409);
  });

  test("counts with all that clerks enter there: 2 GB that are not printed, so that no clerk fills the disk by walk-ins", async () => {
    const input = await walkInOrder(clerk.visitor, shopId);
    expectDone(await enter(input));
    const fileId = input.orderData.filesUrl[0]?.split("/").at(-1) ?? "";
    const file = store.deps.db.updateTable("files").where("id", "=", fileId);
    await file.set({ bytes: VISIT_BYTES.code }).execute();
    const next = await walkInOrder(clerk.visitor, shopId);
    const refused = await enter(next);
    expect([refused.status, codeOf(refused)]).toEqual([413, "NO_ROOM"]);
    await file.set({ erased_at: store.deps.now().toISOString() }).execute();
    expectDone(await enter(next));
  });
});
