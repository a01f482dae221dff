import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { indianDay } from "#shared/indian-time.ts";
import { mailsTo, withParts } from "../factories/mails.ts";
import { ADDRESS, getShop, orderFor, seenByStudent, uploadPages } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { moveTo, type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { acceptedReprint, answerReport, deliveredOrder, reportError } from "../factories/reprints.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { testStore } from "../setup/test-store.ts";
import { download, packPath, placeFiles } from "./packs.fixtures.ts";

const store = testStore();
let shopId: string;
let people: StaffPerson[];
let staff: ApiClient;
let otherStaff: ApiClient;
beforeAll(async () => {
  const [own, other] = await shopIds(store);
  shopId = own;
  people = [await signedInOwner(store, [own]), await signedInOwner(store, [other])];
  [staff, otherStaff] = people.map(({ visitor }) => visitor) as [ApiClient, ApiClient];
});
// Some tests wait for days, longer than sessions of staff last.
beforeEach(() => logInAgain(...people));

const delivered = () => deliveredOrder(store, staff, shopId);
const accepted = () => acceptedReprint(store, staff, shopId);
const ownReprint = async ({ visitor, id }: PlacedOrder) =>
  expectDone(await visitor.query("reprints.own", { orderId: id }));
const order = (
  { visitor, id }: Pick<PlacedOrder, "id" | "visitor">,
  filesUrl: string[],
  wishes: object = {},
) => visitor.mutate("reprints.order", { orderId: id, filesUrl, ...wishes });
const refusalOf = ({ body }: ApiAnswer) => [body.error?.data.appCode, body.error?.message];

describe("reporting a printing error", () => {
  test("is possible until exactly 3 days after delivery", async () => {
    const [intime, late] = [await delivered(), await delivered()];
    expect((await ownReprint(intime)).reportableMs).toBe(3 * 24 * 60 * 60 * 1000);
    store.clock.advance({ days: 3, ms: -1 });
    await logInAgain(...people);
    const later = await delivered();
    expect((await ownReprint(later)).reportableMs).toBe(3 * 24 * 60 * 60 * 1000);
    expect((await ownReprint(intime)).reportableMs).toBe(1);
    expectDone(await reportError(intime));
    store.clock.advance({ ms: 1 });
    expect(await ownReprint(late)).toMatchObject({ reportableMs: 0, report: null });
    const { body } = await reportError(late);
    expect(body.error.message).toContain("for 3 days after delivery. That time is over");
    expect((await ownReprint(late)).report).toBeNull();
  });

  test("is not possible before delivery or for a cancelled order", async () => {
    const placed = await placeOrder(store, shopId);
    const tooEarly = ["CONFLICT", "A printing error can be reported once the order is delivered"];
    expect(refusalOf(await reportError(placed))).toEqual(tooEarly);
    await staff.mutate("board.cancel", { orderId: placed.id, from: "placed", reason: "No toner" });
    expect(refusalOf(await reportError(placed))).toEqual(tooEarly);
    expect((await ownReprint(placed)).reportableMs).toBe(0);
  });

  test("is possible once per order, and mails the shop", async () => {
    const report = await delivered();
    const answers = await Promise.all([reportError(report), reportError(report)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200).map(refusalOf)).toEqual([
      ["CONFLICT", `You have reported an error of order ${report.number} already`],
    ]);
    expect((await ownReprint(report)).reportableMs).toBe(0);
    const { report: kept } = await ownReprint(report);
    expect(kept).toMatchObject({ state: "reported", reason: "Page 2 is smudged", photos: [], answer: "" });
    const mails = await store.deps.readDb
      .selectFrom("outbox")
      .selectAll()
      .where("kind", "=", "reprint-reported")
      .where("subject", "like", `%${report.number}%`)
      .execute();
    const link = `${store.url}/admin/orders?order=${report.id}`;
    const shop = await getShop(store.visitor(), shopId);
    expect(mails.map(withParts)).toMatchObject([
      { recipient: shop.email, reply_to: report.student.email, text: expect.stringContaining(link) },
    ]);
    const [text = ""] = mails.map((mail) => withParts(mail).text);
    expect(text).toContain(`${report.student.fullName} reports a printing error in order ${report.number}`);
    expect(text).toContain("What is wrong: Page 2 is smudged\nPhotos: None\n");
  });

  test("requires a reason", async () => {
    const report = await delivered();
    const empty = await report.visitor.mutate("reprints.report", { orderId: report.id, reason: " " });
    expect(codeOf(empty)).toBe("INVALID_INPUT");
  });
});

describe("the answer", () => {
  test("is given once, mailed to the student and stored in the history", async () => {
    const [good, bad] = [await delivered(), await delivered()];
    for (const report of [good, bad]) expectDone(await reportError(report));
    const reportedAt = store.clock.now().toISOString();
    store.clock.advance({ minutes: 1 });
    const answeredAt = store.clock.now().toISOString();
    expectDone(await answerReport(staff, good.id, true));
    expectDone(await answerReport(staff, bad.id, false));
    const again = await answerReport(staff, good.id, false);
    expect(again.body.error.message).toContain("has already answered this report");

    expect((await ownReprint(good)).report).toMatchObject({
      state: "accepted",
      answer: "Sorry!",
      reportedAt,
      answeredAt,
    });
    expect((await ownReprint(bad)).report).toMatchObject({ state: "declined", answer: "It is fine" });
    const shop = await getShop(store.visitor(), shopId);
    const [mail] = (await mailsTo(store, good.student.email)).filter(
      ({ kind }) => kind === "reprint-accepted",
    );
    expect([mail?.subject, mail?.reply_to]).toEqual([`Order ${good.number} will be reprinted`, shop.email]);
    expect(mail?.text).toContain(`${shop.shopName} has accepted a reprint of order ${good.number}`);
    expect(mail?.text).toContain("The reprint is free.");
    expect(mail?.text).toContain(`Upload the files again:\n${store.url}/orders/${good.id}\n`);
    const [declined] = (await mailsTo(store, bad.student.email)).filter(
      ({ kind }) => kind === "reprint-declined",
    );
    expect([declined?.subject, declined?.reply_to]).toEqual([
      `Order ${bad.number} will not be reprinted`,
      shop.email,
    ]);
    expect(declined?.text).toContain("has declined a reprint");
    expect(declined?.text).toContain("The shop writes: It is fine");
    expect(declined?.text).not.toContain("The reprint is free.");
    expect(declined?.text).toContain(`${store.url}/orders/${bad.id}`);
    const history = expectDone(await staff.query("audit.list", {}));
    const actions = history.rows.map(({ action, subject }: Record<string, string>) => [action, subject]);
    const accepts = history.rows.filter(({ action }: Record<string, string>) => action === "reprint.accept");
    expect(accepts).toMatchObject([
      { by: { name: people[0]?.person.fullName }, after: { answer: "Sorry!" } },
    ]);
    expect(actions).toContainEqual(["reprint.accept", good.number]);
    expect(actions).toContainEqual(["reprint.decline", bad.number]);
  });

  test("requires a text and a report", async () => {
    const report = await delivered();
    expect(codeOf(await answerReport(staff, report.id, true))).toBe("NOT_FOUND");
    expectDone(await reportError(report));
    const silent = await staff.mutate("reprints.answer", { orderId: report.id, accepted: true, answer: "" });
    expect(codeOf(silent)).toBe("INVALID_INPUT");
  });
});

describe("the reprint", () => {
  test("is a free, linked order with the same options, without revenue", async () => {
    const { visitor, student } = await signedInStudent(store);
    const request = { ...(await orderFor(visitor, { shopId, copies: 4 })), address: ADDRESS };
    const placing = await visitor.post("/api/v1/prints/printorder", request);
    const { _id: id, orderNumber } = placing.body.data;
    const original = { id, number: orderNumber, fileId: "", student, visitor };
    await moveTo(staff, id, "delivered");
    expectDone(await reportError(original));
    expectDone(await answerReport(staff, id, true));
    const before = await seenByStudent(original.visitor, original.id);
    const today = indianDay(store.deps.now());
    const figures = { shopId, from: today, until: today };
    const { total: had } = expectDone(await staff.query("stats.read", figures));
    const made = expectDone(await order(original, [await uploadPages(original.visitor, 3)]));

    const reprint = await seenByStudent(original.visitor, made.id);
    expect(reprint).toMatchObject({ state: "placed", pages: 3, copies: 4, totalPaise: 0, address: ADDRESS });
    expect([before.isReprint, reprint.isReprint]).toEqual([false, true]);
    const { options, message, fulfilment, shop } = before;
    expect(reprint).toMatchObject({ options, message, fulfilment, shop });
    expect(reprint.quote.jobs[0].lines).toEqual(
      before.quote.jobs[0].lines.map((line: object) => ({ ...line, unitPaise: 0, amountPaise: 0 })),
    );
    expect(reprint.quote).toMatchObject({ subTotalPaise: 0, taxPaise: 0, deliveryFeePaise: 0 });
    expect(reprint.quote.sheets).toBe(before.quote.sheets);
    const { total: has } = expectDone(await staff.query("stats.read", figures));
    expect([has.orders, has.revenuePaise]).toEqual([had.orders + 1, had.revenuePaise]);

    expect(await ownReprint(original)).toMatchObject({ report: { state: "ordered" }, reprint: made });
    expect(await ownReprint({ ...original, id: made.id })).toMatchObject({
      reprintOf: { id: original.id, number: original.number },
    });
    expect(await ownReprint(await delivered())).toMatchObject({ reprintOf: null, reprint: null });
    const [placed] = (await mailsTo(store, original.student.email)).filter(({ subject }) =>
      subject.includes(made.number),
    );
    expect(placed?.text).toContain(`Reprint of: order ${original.number}, at no charge`);
    const live = await store.deps.readDb
      .selectFrom("live_events")
      .select("kind")
      .where("order_id", "=", original.id)
      .orderBy("seq")
      .execute();
    const kinds = live.map(({ kind }) => kind).filter((kind) => kind !== "moved");
    expect(kinds).toEqual(["placed", "reprint", "reprint", "reprint"]);
  });

  test("may have fewer pages than the original, but not more", async () => {
    const shop = await shownShop((await signedInAdmin(store)).visitor);
    const admin = (await signedInAdmin(store)).visitor;
    const { visitor, student } = await signedInStudent(store);
    const request = await orderFor(visitor, { shopId: shop.id, pages: 6 });
    const { body } = await visitor.post("/api/v1/prints/printorder", request);
    const original = { id: body.data._id, number: body.data.orderNumber, fileId: "", student, visitor };
    await moveTo(admin, original.id, "delivered");
    expectDone(await reportError(original));
    expectDone(await answerReport(admin, original.id, true));
    expect((await ownReprint(original)).maxPages).toBe(6);

    const tooLong = await order(original, [await uploadPages(visitor, 7)]);
    expect(tooLong.body.error.message).toBe(
      "The order had 6 pages, and these are 7. Please choose no more than were ordered",
    );
    const url = await uploadPages(visitor, 9);
    const pageRanges = [{ public_id: url.split("/").at(-1), pages: "1-4" }];
    const made = expectDone(await order(original, [url], { pageRanges }));
    const reprint = await seenByStudent(visitor, made.id);
    expect(reprint).toMatchObject({ pages: 4, quote: { sheets: 4, totalPaise: 0 } });
  });

  test("prints the same pages of a file as the original order", async () => {
    const { visitor, student } = await signedInStudent(store);
    const thesis = numberedPdf("Thesis", 20);
    const upload = async () => (await visitor.upload(new Uint8Array(thesis), "Thesis.pdf")).body.secure_url;
    const request = await orderFor(visitor, { shopId, pages: 3, filesUrl: [await upload()] });
    const { body } = await visitor.post("/api/v1/prints/printorder", request);
    const original = { id: body.data._id, number: body.data.orderNumber, fileId: "", student, visitor };
    await moveTo(staff, original.id, "delivered");
    expectDone(await reportError(original));
    expectDone(await answerReport(staff, original.id, true));
    expect(await ownReprint(original)).toMatchObject({
      maxPages: 3,
      files: [{ name: "Thesis.pdf", pages: 20, pageRanges: "1-3" }],
    });

    const url = await upload();
    const others = await order(original, [url], {
      pageRanges: [{ public_id: url.split("/").at(-1), pages: "4-6" }],
    });
    expect(others.body.error.message).toBe(
      "Of “Thesis.pdf” the order had only pages 1-3: 3 of 20 pages. Choose among those",
    );
    const made = expectDone(await order(original, [url]));
    expect(await seenByStudent(visitor, made.id)).toMatchObject({
      pages: 3,
      files: [{ pageRanges: "1-3" }],
    });
    const { bytes } = await download(staff, packPath(made));
    expect((await readPages(bytes)).slice(-3)).toEqual(["Thesis 1", "Thesis 2", "Thesis 3"]);
  });

  test("prints both parts of a file that was ordered twice, selected or not", async () => {
    const notes = { name: "Notes.pdf", bytes: numberedPdf("Notes", 10) };
    const pagesOf = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => `Notes ${first + index}`);
    const reprint = async (wishes: (string | undefined)[]) => {
      const parts = ["6-10", "1-5"].map((pages) => ({ ...notes, pages }));
      const original = await placeFiles(store, shopId, parts);
      await moveTo(staff, original.id, "delivered");
      expectDone(await reportError(original));
      expectDone(await answerReport(staff, original.id, true));
      const filesUrl: string[] = [];
      for (const _wish of wishes)
        filesUrl.push(
          (await original.visitor.upload(new Uint8Array(notes.bytes), notes.name)).body.secure_url,
        );
      const pageRanges = filesUrl.flatMap((url, index) =>
        wishes[index] ? [{ public_id: url.split("/").at(-1), pages: wishes[index] }] : [],
      );
      return order(original, filesUrl, { pageRanges });
    };
    const printed = async (wishes: (string | undefined)[]) => {
      const { bytes } = await download(staff, packPath(expectDone(await reprint(wishes))));
      return (await readPages(bytes)).filter((text) => text.startsWith("Notes "));
    };

    expect(await printed([undefined, undefined])).toEqual([...pagesOf(6, 5), ...pagesOf(1, 5)]);
    expect(await printed(["6-10", "1-5"])).toEqual([...pagesOf(6, 5), ...pagesOf(1, 5)]);
    expect(await printed([undefined])).toEqual(pagesOf(1, 10));
    expect(await printed(["4-7"])).toEqual(pagesOf(4, 4));
    expect((await reprint(["1-10", "1-5"])).body.error.message).toContain("The order had 10 pages");
  });

  test("has a page that was printed: of a file that the order left out there is none", async () => {
    const notes = { name: "Notes.pdf", bytes: numberedPdf("Notes", 2) };
    const left = { name: "Left out.pdf", bytes: numberedPdf("Left", 2), pages: "none" };
    const original = await placeFiles(store, shopId, [notes, left]);
    await moveTo(staff, original.id, "delivered");
    expectDone(await reportError(original));
    expectDone(await answerReport(staff, original.id, true));
    const { secure_url } = (await original.visitor.upload(new Uint8Array(left.bytes), left.name)).body;
    const refused = await order(original, [secure_url]);
    expect(refusalOf(refused)).toEqual(["INVALID_INPUT", "The order printed no page of these files"]);
  });

  test("can be ordered once, after the report is accepted", async () => {
    const original = await delivered();
    const upload = () => uploadPages(original.visitor, 3);
    const notAccepted = ["CONFLICT", "The shop has not accepted a reprint of this order"];
    expect(refusalOf(await order(original, [await upload()]))).toEqual(notAccepted);
    expectDone(await reportError(original));
    expect(refusalOf(await order(original, [await upload()]))).toEqual(notAccepted);
    expectDone(await answerReport(staff, original.id, true));
    const twice = await Promise.all([order(original, [await upload()]), order(original, [await upload()])]);
    expect(twice.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(twice.filter(({ status }) => status !== 200).map(refusalOf)).toEqual([
      ["CONFLICT", "This reprint is ordered already"],
    ]);

    const declined = await delivered();
    expectDone(await reportError(declined));
    expectDone(await answerReport(staff, declined.id, false));
    const files = [await uploadPages(declined.visitor, 3)];
    expect(refusalOf(await order(declined, files))).toEqual(notAccepted);
  });

  test("that is cancelled, by the shop or by the student while it is on hold, can be ordered again", async () => {
    const original = await accepted();
    const orderAgain = async () =>
      expectDone(await order(original, [await uploadPages(original.visitor, 3)]));
    const first = await orderAgain();
    expect(await ownReprint(original)).toMatchObject({ report: { state: "ordered" }, reprint: first });
    expectDone(await staff.mutate("board.cancel", { orderId: first.id, from: "placed", reason: "No toner" }));
    expect(await ownReprint(original)).toMatchObject({ report: { state: "accepted" }, reprint: null });
    const ownFirst = () => ownReprint({ ...original, id: first.id });
    expect(await ownFirst()).toMatchObject({ isOfferedAgain: true });
    const mails = await mailsTo(store, original.student.email);
    const mail = mails.find(({ kind }) => kind === "order-cancelled");
    expect(mail?.text).toContain(`Open order ${original.number}:\n${store.url}/orders/${original.id}\n`);
    // The open page of the original is told too.
    const events = store.deps.readDb.selectFrom("live_events").select("kind").where("kind", "=", "reprint");
    const told = await events.where("order_id", "=", original.id).execute();
    expect(told, "reported, accepted, ordered, offered again").toHaveLength(4);

    const second = await orderAgain();
    expectDone(await staff.mutate("holds.hold", { orderId: second.id, reason: "Page 2 is black" }));
    const { hold } = await seenByStudent(original.visitor, second.id);
    expectDone(await original.visitor.mutate("holds.cancel", { orderId: second.id, holdId: hold.id }));
    expect(await ownReprint(original)).toMatchObject({ report: { state: "accepted" }, reprint: null });

    const third = await orderAgain();
    expect(await ownReprint(original)).toMatchObject({ report: { state: "ordered" }, reprint: third });
    expect(await ownFirst()).toMatchObject({
      reprintOf: { id: original.id, number: original.number },
      isOfferedAgain: false,
    });
  });

  test("accepts only new files of the student", async () => {
    const original = await accepted();
    const { visitor: stranger } = await signedInStudent(store);
    expect(codeOf(await order(original, [await uploadPages(stranger, 3)]))).toBe("INVALID_INPUT");
    const [code, message] = refusalOf(await order(original, [`/files/${original.fileId}`]));
    expect([code, message]).toEqual([
      "CONFLICT",
      expect.stringMatching(/ is in your order [A-Z2-9-]{9} already$/),
    ]);
    expect((await ownReprint(original)).report).toMatchObject({ state: "accepted" });
  });
});

test("the board counts and finds unanswered reports, and marks reprints, also on their ticket", async () => {
  const { id: shop } = await shownShop((await signedInAdmin(store)).visitor);
  const { visitor: owner } = await signedInOwner(store, [shop]);
  const [waiting, answered] = [
    await deliveredOrder(store, owner, shop),
    await acceptedReprint(store, owner, shop),
  ];
  expectDone(await reportError(waiting));
  const board = expectDone(await owner.query("board.read", {}));
  expect(board.reported).toBe(1);
  expect(expectDone(await otherStaff.query("board.read", {})).reported).toBe(0);
  const { visitor: admin } = await signedInAdmin(store);
  const { id: another } = await shownShop(admin);
  const reportedAt = async (shopId: string) =>
    expectDone(await admin.query("board.read", { shopId })).reported;
  expect([await reportedAt(shop), await reportedAt(another)]).toEqual([1, 0]);
  const page = { state: "all", reported: true };
  const { rows } = expectDone(await owner.query("board.page", page));
  expect(rows).toMatchObject([{ id: waiting.id, report: "reported", isReprint: false }]);

  const made = expectDone(await order(answered, [await uploadPages(answered.visitor, 3)]));
  const { columns } = expectDone(await owner.query("board.read", {}));
  expect(columns[0].cards).toMatchObject([{ id: made.id, report: null, isReprint: true, totalPaise: 0 }]);
  const pack = await owner.fetch(`/admin/orders/${made.id}/pack.pdf`);
  const [ticket] = await readPages(new Uint8Array(await pack.arrayBuffer()));
  expect(ticket).toContain(`Order ${answered.number}, at no charge`);
});

test("other students, staff of other shops and guests cannot reach a report", async () => {
  const report = await accepted();
  const orderId = report.id;
  const { visitor: student } = await signedInStudent(store);
  const filesUrl = [await uploadPages(student, 3)];
  for (const visitor of [student, otherStaff, staff]) {
    const refused = [
      await visitor.query("reprints.own", { orderId }),
      await visitor.mutate("reprints.report", { orderId, reason: "Mine now" }),
      await visitor.mutate("reprints.order", { orderId, filesUrl }),
    ];
    expect(refused.map(codeOf)).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
  }
  const shop = [
    await otherStaff.query("reprints.ofOrder", { orderId }),
    await answerReport(otherStaff, orderId, true),
  ];
  expect(shop.map(codeOf)).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  const kept = expectDone(await staff.query("reprints.ofOrder", { orderId }));
  expect(kept.report).toMatchObject({ reason: "Page 2 is smudged", answeredBy: people[0]?.person.fullName });
});

test("deleting an account deletes its reports", async () => {
  const report = await delivered();
  expectDone(await reportError(report));
  const reportedAt = store.deps.now().toISOString();
  store.clock.advance({ minutes: 1 });
  expectDone(await answerReport(staff, report.id, false));
  const answeredAt = store.deps.now().toISOString();
  const data = expectDone(await report.visitor.query("privacy.myData"));
  const answer = { state: "declined", answer: "It is fine", answeredAt };
  expect(data.printingErrors).toEqual([
    { order: report.number, reason: "Page 2 is smudged", reportedAt, ...answer },
  ]);
  expectDone(await report.visitor.mutate("privacy.deleteAccount", { password: report.student.password }));
  const kept = expectDone(await staff.query("reprints.ofOrder", { orderId: report.id }));
  expect(kept.report).toBeNull();
});
