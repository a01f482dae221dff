import { PDFDocument } from "pdf-lib";
import { beforeAll, describe, expect, test } from "vitest";
import { emptyDraft } from "#client/features/print/draft.ts";
import { jobsField, toJobs, toOrderData } from "#client/features/print/order-data.ts";
import { planPrint } from "#client/features/print/print-plan.ts";
import { indianDay } from "#shared/indian-time.ts";
import type { OptionKind } from "#shared/options.ts";
import { MAX_JOBS } from "#shared/order-limits.ts";
import { orderValueOf } from "#shared/pricing.ts";
import { mailsTo } from "../factories/mails.ts";
import { ADDRESS, getShop, orderFor, seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { moveTo } from "../factories/placed-orders.ts";
import { answerReport, reportError } from "../factories/reprints.ts";
import { codeOf, expectDone, priceEntry, pricesOf, shownShop, smallPriceList } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { testStore } from "../setup/test-store.ts";
import { download, type OrderToPrint, packPath, placeFiles } from "./packs.fixtures.ts";

const store = testStore();
let admin: ApiClient;
let shopId: string;
beforeAll(async () => {
  admin = (await signedInAdmin(store)).visitor;
  const lists = {
    ...smallPriceList(),
    printedColours: [priceEntry("Colour", 400, { inColour: true }), priceEntry("Black & White", 100)],
    printingSides: [priceEntry("Single side", 0), priceEntry("Both sides", 0, { sides: 2 })],
    paperTypes: [
      priceEntry("70 GSM", 50, { basis: "sheet" }),
      priceEntry("100 GSM", 150, { basis: "sheet" }),
    ],
  };
  shopId = (await shownShop(admin, lists)).id;
});

const COLOUR = { printedColour: "Colour" };
const BLACK = { printedColour: "Black & White" };
const thesis = (pages: number) => ({ name: "Thesis.pdf", bytes: numberedPdf("Thesis", pages) });
const own = ({ id, visitor }: OrderToPrint) => seenByStudent(visitor, id);
const detail = ({ id }: { id: string }) => seenByStaff(admin, id);

/** Nine pages, of which 1-2 and 5-9 are printed black and 3-4 in colour. */
const coloured = (copies = 2) =>
  placeFiles(store, shopId, [thesis(9)], { copies, parts: [{ pages: { 0: "1-2, 5-9" }, options: BLACK }] });

async function textOfPart(order: OrderToPrint, part: number): Promise<string[]> {
  const { status, bytes } = await download(admin, packPath(order, part));
  expect(status).toBe(200);
  return readPages(bytes);
}

describe("an order with several jobs", () => {
  test("is priced job by job and rounded as a whole; what is priced by the copy is charged once", async () => {
    const order = await coloured();
    const { quote, totalPaise, pages } = await own(order);
    // 2 pages in colour and 7 in black, 9 sheets, twice; the binding of ₹35 for two copies.
    const exact = 2 * (2 * 400 + 7 * 100 + 9 * 50) + 2 * 3500;
    expect(quote.subTotalPaise).toBe(exact);
    expect(totalPaise).toBe(exact + (exact % 500) + (exact % 2000));
    expect([pages, quote.sheets]).toEqual([9, 18]);
    expect(quote.jobs.map((job: { pages: number; sheets: number }) => [job.pages, job.sheets])).toEqual([
      [2, 4],
      [7, 14],
    ]);
  });

  test("keeps the lines of each job, on every screen of staff and student", async () => {
    const order = await coloured();
    const rows = await store.deps.readDb
      .selectFrom("order_lines")
      .select(["job", "name"])
      .where("order_id", "=", order.id)
      .where("kind", "=", "printedColours")
      .orderBy("job")
      .execute();
    expect(rows).toEqual([
      { job: 0, name: "Colour" },
      { job: 1, name: "Black & White" },
    ]);
    const { parts, jobs } = await detail(order);
    const named = [
      { name: "Colour", pages: 2 },
      { name: "Black & White", pages: 7 },
    ];
    expect(parts).toEqual(named);
    expect(jobs.map(({ pageRanges }: { pageRanges: string[] }) => pageRanges)).toEqual([
      ["3-4"],
      ["1-2, 5-9"],
    ]);
    expect((await own(order)).options).toHaveLength(2);
    const board = expectDone(await admin.query("board.read", { shopId }));
    const card = board.columns[0].cards.find(({ id }: { id: string }) => id === order.id);
    expect(card.options).toEqual(["Colour + Black & White", "Single side", "70 GSM", "A4", "Spiral"]);
    expect(card.parts).toEqual(named);
    for (const colour of ["Colour", "Black & White"]) {
      const { rows: found } = expectDone(await admin.query("board.page", { shopId, state: "open", colour }));
      const rows = found.filter(({ id }: { id: string }) => id === order.id);
      expect(rows.map(({ parts }: { parts: unknown }) => parts)).toEqual([named]);
    }
    const mine = expectDone(await order.visitor.query("privacy.myData"));
    expect(mine.orders[0].lines.map(({ job }: { job: number }) => job)).toEqual([
      1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2,
    ]);
  });

  test("of which there are three prints no page twice: the first prints what neither of the others names", async () => {
    const parts = ["1", "2"].map((page) => ({ pages: { 0: page }, options: BLACK }));
    const { jobs } = await detail(await placeFiles(store, shopId, [thesis(4)], { parts }));
    expect(jobs.map(({ pageRanges }: { pageRanges: string[] }) => pageRanges)).toEqual([
      ["3-4"],
      ["1"],
      ["2"],
    ]);
  });

  test("an order of one job beside it has no parts", async () => {
    const order = await placeFiles(store, shopId, [thesis(2)]);
    expect((await detail(order)).parts).toEqual([]);
    const board = expectDone(await admin.query("board.read", { shopId }));
    const card = board.columns[0].cards.find(({ id }: { id: string }) => id === order.id);
    expect([card.options[0], card.parts]).toEqual(["Colour", []]);
  });

  test("is printed part by part, each with a ticket that says what else belongs to it", async () => {
    const order = await coloured();
    const [first = "", ...colour] = await textOfPart(order, 1);
    const [second = "", ...black] = await textOfPart(order, 2);
    expect(colour).toEqual(["Thesis 3", "Thesis 4"]);
    expect(black).toEqual([1, 2, 5, 6, 7, 8, 9].map((page) => `Thesis ${page}`));
    for (const text of ["Part\n1 of 2", "Copies\n2", "Pages\n2", "Sheets\n4", "only pages 3-4: 2 of 9 pages"])
      expect(first).toContain(text);
    const flat = (text: string) => text.replace(/\s+/g, " ");
    expect(flat(first)).toContain(
      "Part 2 of 2 Black & White: Thesis.pdf, pages 1-2, 5-9. Prints 7 pages × 2 copies on 14 sheets",
    );
    expect(flat(second)).toContain(
      "Part 1 of 2 Colour: Thesis.pdf, pages 3-4. Prints 2 pages × 2 copies on 4 sheets",
    );
    expect(flat(second)).toContain(
      "Put together Lay the parts together in the order of the files and their pages",
    );
    const { headers } = await download(admin, packPath(order, 2));
    expect(headers.get("content-disposition")).toContain(`${order.number} part 2.pdf`);
    const copy = await download(admin, `/files/${order.fileIds[0]}`);
    expect(await readPages(copy.bytes), "in the order of the file").toEqual([...colour, ...black].toSorted());
  });

  test("says on the ticket where no file is divided between the parts", async () => {
    const files = [thesis(2), { name: "Slides.pdf", bytes: numberedPdf("Slides", 8) }];
    const layout = { pagesPerSide: 4, hasFrames: true, isBooklet: false } as const;
    const order = await placeFiles(store, shopId, files, {
      parts: [{ pages: { 1: "1-8" }, layout, options: BLACK }],
    });
    const [ticket = "", ...sides] = await textOfPart(order, 2);
    expect(ticket).toContain("Each file is whole in one part");
    expect(ticket.replace(/\s+/g, " ")).toContain("4 on a side, in frames");
    expect(sides.map((side) => side.match(/Slides \d/g))).toEqual([
      ["Slides 1", "Slides 2", "Slides 3", "Slides 4"],
      ["Slides 5", "Slides 6", "Slides 7", "Slides 8"],
    ]);
  });

  test("says on the ticket of each part how its own sheets are turned over, whatever lies in the others", async () => {
    const pdf = await PDFDocument.load(numberedPdf("Thesis", 2));
    for (const _ of [3, 4]) pdf.addPage([842, 595]);
    const file = { name: "Thesis.pdf", bytes: await pdf.save() };
    const order = await placeFiles(store, shopId, [file], {
      options: { printingSide: "Both sides" },
      parts: [{ pages: { 0: "1-2" }, options: BLACK }],
    });
    const [lying = ""] = await textOfPart(order, 1);
    const [standing = ""] = await textOfPart(order, 2);
    expect(lying).toContain("Flip on short edge");
    expect(standing).not.toContain("edge");
  });

  test("has no pack of the whole, nor one with another order: the printer would need two settings", async () => {
    const order = await coloured();
    const plain = await placeFiles(store, shopId, [thesis(1)]);
    for (const path of [packPath(order), packPath({ id: `${plain.id},${order.id}` })]) {
      const { status, body } = await admin.get(path);
      expect([status, body]).toEqual([
        422,
        `Order ${order.number} has 2 parts with different printer settings. Open it and print each part by itself`,
      ]);
    }
    expect((await admin.get(packPath(order, 3))).status).toBe(422);
    expect((await admin.get(`${packPath(order)}?part=many`)).status).toBe(422);
    expect((await admin.get(packPath(plain, 1))).status).toBe(200);
  });

  test("is told part by part in both mails and on the receipt", async () => {
    const { student, visitor } = await signedInStudent(store);
    const url = await uploadPages(visitor, 9);
    const request = await orderFor(visitor, { shopId, pages: 9, copies: 1, filesUrl: [url] });
    const pageRanges = [{ public_id: url.split("/").at(-1), pages: "1-2, 5-9" }];
    const jobs = [{}, { pageRanges, options: BLACK }];
    const wrong = await visitor.post("/api/v1/prints/printorder", { ...request, jobs });
    expect([wrong.status, wrong.body.code]).toEqual([409, "PRICE_CHANGED"]);
    const { orderValue } = wrong.body.data;
    const orderData = { ...request.orderData, subTotal: orderValue.subTotal };
    const placed = await visitor.post("/api/v1/prints/printorder", {
      ...request,
      orderData,
      orderValue,
      jobs,
    });
    expect(placed.status).toBe(200);
    const [mail] = await mailsTo(store, student.email);
    expect(mail?.text).toContain("Part 1 of 2: Colour: notes.pdf, pages 3-4. Prints 2 pages on 2 sheets");
    expect(mail?.text).toContain(
      "Part 2 of 2: Black & White: notes.pdf, pages 1-2, 5-9. Prints 7 pages on 7 sheets",
    );
    const { bytes } = await download(visitor, `/orders/${placed.body.data._id}/receipt.pdf`);
    const receipt = (await readPages(bytes)).join(" ").replace(/\s+/g, " ");
    expect(receipt).toContain("Part 1 of 2 Colour: notes.pdf, pages 3-4");
    expect(receipt).toContain("Printed colour: Colour ₹4.00 × 2 pages ₹8.00");
    expect(receipt).toContain("Printed colour: Black & White ₹1.00 × 7 pages ₹7.00");
    expect(receipt).toContain("Paper type: 70 GSM ₹0.50 × 9 sheets ₹4.50");
  });

  test("costs what the print form says of 5 pages in colour and 14 in black, to the paisa", async () => {
    const { visitor } = await signedInStudent(store);
    const shop = await getShop(visitor, shopId);
    const url = await uploadPages(visitor, 19);
    const public_id = url.split("/").at(-1) ?? "";
    const files = [
      { key: "a", name: "Thesis.pdf", bytes: 10, uploaded: { id: public_id, url, pages: 19 }, ranges: "" },
    ];
    const choose = (kind: OptionKind, name: string) => shop[kind].find((one) => one.name === name)?._id ?? "";
    const options = {
      printedColours: choose("printedColours", "Colour"),
      printingSides: choose("printingSides", "Both sides"),
    };
    const draft = { ...emptyDraft(), files, copies: 3, options, isColourApart: true };
    const checks = new Map([[public_id, { colourPages: "3, 7-9, 19", checkedPages: 19 }]]);
    const { pages, copies, quote, jobs, files: planned } = planPrint(shop, draft, {}, { checks });
    const chosen = jobs[0]?.options;
    if (!pages || !copies || !quote || !chosen) throw new Error("There is nothing to order");
    // Whole sheets: 7 pages on 4 sheets in colour and 12 on 6 in black, three times; the binding of ₹35 for three copies.
    expect(quote.subTotalPaise).toBe(3 * (7 * 400 + 12 * 100 + 10 * 50) + 3 * 3500);
    const orderData = toOrderData({
      shop,
      userEmail: "",
      draft,
      pages,
      copies,
      options: chosen,
      quote,
    });
    const placed = await visitor.post("/api/v1/prints/printorder", {
      orderData: { ...orderData, userEmail: (await orderFor(visitor, { shopId })).orderData.userEmail },
      orderValue: orderValueOf(quote),
      address: ADDRESS,
      ...jobsField(toJobs(planned, jobs)),
    });
    expect([placed.status, placed.body.message, placed.body.data?.orderValue]).toEqual([
      200,
      expect.anything(),
      orderValueOf(quote),
    ]);
  });

  test("counts once in the stock and the stats of an option that both jobs have", async () => {
    const today = indianDay(store.deps.now());
    const figures = async () =>
      new Map(
        expectDone(await admin.query("stats.read", { shopId, from: today, until: today })).options.map(
          ({ name, orders, pages, sheets }: Record<string, unknown>) => [name, [orders, pages, sheets]],
        ),
      ) as Map<string, number[]>;
    const waiting = async () =>
      new Map(
        expectDone(await admin.query("stock.list", { shopId })).map(
          ({ name, waiting: count }: { name: string; waiting: number }) => [name, count],
        ),
      ) as Map<string, number>;
    const [had, waited] = [await figures(), await waiting()];
    await coloured(3);
    const [has, waits] = [await figures(), await waiting()];
    const added = (name: string) => has.get(name)?.map((count, at) => count - (had.get(name)?.[at] ?? 0));
    expect(added("70 GSM")).toEqual([1, 27, 27]);
    expect(added("Colour")).toEqual([1, 6, 6]);
    expect(added("Black & White")).toEqual([1, 21, 21]);
    for (const name of ["70 GSM", "Colour", "Black & White"])
      expect([name, (waits.get(name) ?? 0) - (waited.get(name) ?? 0)]).toEqual([name, 1]);
    const { lists } = await pricesOf(admin, shopId);
    const optionId = lists.printedColours.find(({ name }) => name === "Black & White")?.id;
    expectDone(await admin.mutate("stock.setOut", { shopId, optionId, isOut: true, isLastAccepted: true }));
    const asked = expectDone(await admin.mutate("stock.ask", { shopId, optionId }));
    expect(asked).toEqual({ held: waits.get("Black & White"), atCounter: 0, refusals: [] });
    expectDone(await admin.mutate("stock.setOut", { shopId, optionId, isOut: false }));
  });

  test("is refused with more ranges of pages than an order may have, before any of them is looked at", async () => {
    const { visitor } = await signedInStudent(store);
    const request = await orderFor(visitor, { shopId, pages: 1 });
    const singles = Array.from({ length: 400 }, (_, at) => 2 * at + 1).join();
    const lists = (count: number, pages = singles) =>
      Array.from({ length: count }, (_, at) => ({ public_id: `file-${at}`, pages }));
    const send = async (pageRanges: object[] | undefined, jobs: object[]) => {
      const orderData = { ...request.orderData, pageRanges };
      const { body } = await visitor.post("/api/v1/prints/printorder", { ...request, orderData, jobs });
      return [body.issues?.[0]?.path, body.issues?.[0]?.message];
    };
    const message = "At most 2,000 ranges of pages fit in one order. Please make several orders of it";
    const more = { pageRanges: lists(1, "1") };
    expect(await send(undefined, [{}, { pageRanges: lists(3) }, { pageRanges: lists(2) }, more])).toEqual([
      "jobs",
      message,
    ]);
    expect(await send([...lists(5), ...lists(1, "1")], [{}])).toEqual(["orderData.pageRanges", message]);
    // As many as an order may have: now its files are looked at.
    expect(await send(lists(5), [{}])).toEqual([
      "orderData.pageRanges.0.public_id",
      "This file is not in the order",
    ]);
  });

  test("is refused where a later job is a booklet on single sides, though the first one prints both", async () => {
    const { visitor } = await signedInStudent(store);
    const url = await uploadPages(visitor, 4);
    const request = await orderFor(visitor, { shopId, pages: 4, filesUrl: [url] });
    const pageRanges = [{ public_id: url.split("/").at(-1), pages: "1-2" }];
    const placed = ([first, second]: [string, string]) =>
      visitor.post("/api/v1/prints/printorder", {
        ...request,
        orderData: { ...request.orderData, printingSide: first },
        jobs: [{}, { pageRanges, options: { printingSide: second }, isBooklet: true, pagesPerSide: 2 }],
      });
    expect((await placed(["Both sides", "Single side"])).body).toMatchObject({
      code: "INVALID_INPUT",
      message: "A booklet is printed on both sides: choose that, or no booklet",
    });
    // The amounts of the request are those of one job.
    expect((await placed(["Single side", "Both sides"])).body.code).toBe("PRICE_CHANGED");
  });

  test("is refused where an option of a later job has run out, with the place of the fault", async () => {
    const { visitor } = await signedInStudent(store);
    const url = await uploadPages(visitor, 4);
    const request = await orderFor(visitor, { shopId, pages: 4, filesUrl: [url] });
    const pageRanges = [{ public_id: url.split("/").at(-1), pages: "1-2" }];
    const { lists } = await pricesOf(admin, shopId);
    const optionId = lists.printedColours.find(({ name }) => name === "Black & White")?.id;
    expectDone(await admin.mutate("stock.setOut", { shopId, optionId, isOut: true }));
    const refused = await visitor.post("/api/v1/prints/printorder", {
      ...request,
      jobs: [{}, { pageRanges, options: BLACK }],
    });
    expectDone(await admin.mutate("stock.setOut", { shopId, optionId, isOut: false }));
    expect(refused.body).toMatchObject({
      code: "CONFLICT",
      issues: [{ path: "jobs.1.options.printedColour" }],
    });
  });

  test("is refused where its pages are not divided among the jobs, with the place of the fault", async () => {
    const { visitor } = await signedInStudent(store);
    const url = await uploadPages(visitor, 4);
    const request = await orderFor(visitor, { shopId, pages: 3, filesUrl: [url] });
    const public_id = url.split("/").at(-1);
    const job = (pages: string, more: object = {}) => ({ pageRanges: [{ public_id, pages }], ...more });
    const refused: [jobs: object[], path: string][] = [
      [[{}, job("1-3")], "jobs.0"],
      [[{}, job("4")], "jobs.1.pageRanges.0.pages"],
      [[{}, job("1"), job("1")], "jobs.2.pageRanges.0.pages"],
      [[{}, job("7")], "jobs.1.pageRanges.0.pages"],
      [[{}, job("none")], "jobs.1"],
      [[{}, {}], "jobs.1.pageRanges"],
      [[job("1"), job("2")], "jobs.0.pageRanges"],
      [[{ options: BLACK }], "jobs.0.options"],
      [[{}, job("1", { options: { printedColour: "Gold" } })], "jobs.1.options.printedColour"],
      [[{}, job("1", { options: { shine: "Gold" } })], "jobs.1.options"],
      [[{}, { pageRanges: [{ public_id: "of-another", pages: "1" }] }], "jobs.1.pageRanges.0.public_id"],
      [[{}, ...Array.from({ length: MAX_JOBS }, () => job("1"))], "jobs"],
    ];
    for (const [jobs, path] of refused) {
      const { status, body } = await visitor.post("/api/v1/prints/printorder", { ...request, jobs });
      expect([status, body.code, body.issues?.[0]?.path]).toEqual([422, "INVALID_INPUT", path]);
    }
    const { count } = await store.deps.readDb
      .selectFrom("files")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("id", "=", public_id ?? "")
      .where("order_id", "is not", null)
      .executeTakeFirstOrThrow();
    expect(count).toBe(0);
  });
});

test("an option that has run out is replaced in every part that has it, and in no other", async () => {
  const order = await coloured(1);
  const { lists } = await pricesOf(admin, shopId);
  const idOf = (name: string) =>
    [...lists.printedColours, ...lists.paperTypes].find((option) => option.name === name)?.id;
  const change = async (out: string, instead: string) => {
    const optionId = idOf(out);
    expectDone(await admin.mutate("stock.setOut", { shopId, optionId, isOut: true, isLastAccepted: true }));
    expectDone(await admin.mutate("stock.change", { shopId, optionId, toOptionId: idOf(instead) }));
    expectDone(await admin.mutate("stock.setOut", { shopId, optionId, isOut: false }));
  };
  const { lists: before } = await pricesOf(admin, shopId);
  await change("Colour", "Black & White");
  const { quote, jobs, notes } = await detail(order);
  const namesOf = (kind: string) =>
    quote.jobs.map(
      ({ lines }: { lines: { kind: string; name: string }[] }) =>
        lines.find((line) => line.kind === kind)?.name,
    );
  expect(namesOf("printedColours")).toEqual(["Black & White", "Black & White"]);
  expect(namesOf("paperTypes")).toEqual(["70 GSM", "70 GSM"]);
  expect(jobs.map(({ pageRanges }: { pageRanges: string[] }) => pageRanges)).toEqual([["3-4"], ["1-2, 5-9"]]);
  expect(notes[0].body).toContain("Printed colour of part 1 is now Black & White");
  expect((await pricesOf(admin, shopId)).lists).toEqual(before);
});

describe("a hold on an order with several jobs", () => {
  async function heldOrder() {
    const order = await coloured(1);
    expectDone(await admin.mutate("holds.hold", { orderId: order.id, reason: "The paper has run out" }));
    const { hold } = await own(order);
    return { ...order, wish: { orderId: order.id, holdId: hold.id } };
  }
  const paper = async () =>
    (await pricesOf(admin, shopId)).lists.paperTypes.find(({ name }) => name === "100 GSM")?.id ?? "";

  test("changes the option of one job, and says of which", async () => {
    const order = await heldOrder();
    const options = [{}, { paperTypes: await paper() }];
    const { before, after } = expectDone(
      await order.visitor.query("holds.quote", { ...order.wish, options }),
    );
    expect(after.subTotalPaise - before.subTotalPaise).toBe(7 * 100);
    const agreed = { ...order.wish, options, expectedTotalPaise: after.totalPaise };
    expectDone(await order.visitor.mutate("holds.change", agreed));
    const { quote, notes, jobs } = await detail(order);
    const papers = quote.jobs.map(
      ({ lines }: { lines: { kind: string; name: string }[] }) =>
        lines.find(({ kind }) => kind === "paperTypes")?.name,
    );
    expect(papers).toEqual(["70 GSM", "100 GSM"]);
    expect(jobs.map(({ pageRanges }: { pageRanges: string[] }) => pageRanges)).toEqual([
      ["3-4"],
      ["1-2, 5-9"],
    ]);
    expect(notes[0].body).toContain("Paper type of part 2 is now 100 GSM");
    expect((await textOfPart(order, 2)).slice(1)).toHaveLength(7);
  });

  test("prints more sides only of a part whose files are whole: divided pages would get others on their backs", async () => {
    const files = [thesis(9), { name: "Slides.pdf", bytes: numberedPdf("Slides", 4) }];
    const { id, visitor } = await placeFiles(store, shopId, files, {
      parts: [
        { pages: { 0: "3-4" }, options: BLACK },
        { pages: { 1: "1-4" }, options: BLACK },
      ],
    });
    expectDone(await admin.mutate("holds.hold", { orderId: id, reason: "Better on both sides" }));
    const holdId = (await own({ id, visitor } as OrderToPrint)).hold.id;
    const sides = (await pricesOf(admin, shopId)).lists.printingSides;
    const both = { printingSides: sides.find(({ name }) => name === "Both sides")?.id };
    const quoted = (options: object[]) =>
      visitor.query("holds.quote", { orderId: id, holdId, files: [], options });
    expect(codeOf(await quoted([{}, {}, both]))).toBe("done");
    for (const options of [[both], [{}, both]])
      expect((await quoted(options)).body.error.message).toMatch(/^The pages of a file are divided/);
  });

  test("refuses a change of a job that the order does not have", async () => {
    const order = await heldOrder();
    const options = [{}, {}, { paperTypes: await paper() }];
    const refused = await order.visitor.query("holds.quote", { ...order.wish, options });
    expect(codeOf(refused)).toBe("INVALID_INPUT");
  });

  test("prints a file that replaces a shared one completely by its first job, and tells so before it is accepted", async () => {
    const order = await heldOrder();
    const fileUrl = await uploadPages(order.visitor, 5);
    const wish = { ...order.wish, files: [{ fileId: order.fileIds[0], fileUrl }] };
    const { after, changes } = expectDone(await order.visitor.query("holds.quote", wish));
    expect(after.subTotalPaise).toBe(5 * (400 + 50) + 3500 + 50);
    const replaced = expect.stringMatching(/^“Thesis.pdf” is now “.+”$/);
    expect(changes).toEqual([replaced, expect.stringMatching(/^All of “.+” is printed the same: Colour$/)]);
    expectDone(await order.visitor.mutate("holds.change", { ...wish, expectedTotalPaise: after.totalPaise }));
    const { quote, notes, parts } = await detail(order);
    expect([quote.jobs.length, parts]).toEqual([1, []]);
    expect(notes[0].body).toContain(changes.join(". "));
    const { status } = await download(admin, packPath(order));
    expect(status).toBe(200);
  });

  test("with a part that a replaced file leaves empty says so, and an option chosen for that part changes nothing", async () => {
    const order = await heldOrder();
    const fileUrl = await uploadPages(order.visitor, 5);
    const files = [{ fileId: order.fileIds[0], fileUrl }];
    const { after: without } = expectDone(await order.visitor.query("holds.quote", { ...order.wish, files }));
    const options = [{}, { paperTypes: await paper() }];
    const { parts, changes, after } = expectDone(
      await order.visitor.query("holds.quote", { ...order.wish, files, options }),
    );
    expect([parts, after]).toEqual([[0], without]);
    expect(changes.filter((text: string) => text.includes("Paper type"))).toEqual([]);
    const first = [{ paperTypes: await paper() }];
    const { changes: ofFirst } = expectDone(
      await order.visitor.query("holds.quote", { ...order.wish, files, options: first }),
    );
    expect(ofFirst).toContain("Paper type is now 100 GSM");
  });
});

describe("the reprint of an order with several jobs", () => {
  async function accepted(order: OrderToPrint) {
    await moveTo(admin, order.id, "delivered");
    expectDone(await reportError(order));
    expectDone(await answerReport(admin, order.id, true));
  }
  async function askReprintOf(order: OrderToPrint, files: [name: string, bytes: Uint8Array][]) {
    const filesUrl: string[] = [];
    for (const [name, bytes] of files)
      filesUrl.push((await order.visitor.upload(new Uint8Array(bytes), name)).body.secure_url);
    return order.visitor.mutate("reprints.order", { orderId: order.id, filesUrl });
  }
  const reprintOf = async (...asked: Parameters<typeof askReprintOf>) =>
    expectDone(await askReprintOf(...asked));
  const divided = async (order: { id: string }) => {
    const { jobs, parts, totalPaise } = await detail(order);
    expect(totalPaise).toBe(0);
    return jobs.map(({ pageRanges }: { pageRanges: string[] }, at: number) => [
      parts[at].name,
      ...pageRanges,
    ]);
  };

  test("prints each page with the options that it had, also from a file that was saved again", async () => {
    for (const bytes of [thesis(9).bytes, numberedPdf("Thesis again", 9)]) {
      const order = await coloured(1);
      await accepted(order);
      const reprint = await reprintOf(order, [["Thesis.pdf", bytes]]);
      expect(await divided(reprint)).toEqual([
        ["Colour", "3-4"],
        ["Black & White", "1-2, 5-9"],
      ]);
    }
  });

  test("prints a file with other pages by the first job of the one that it stands for", async () => {
    const order = await placeFiles(
      store,
      shopId,
      [thesis(3), { name: "Notes.pdf", bytes: numberedPdf("Notes", 4) }],
      {
        parts: [{ pages: { 1: "1-4" }, options: BLACK }],
      },
    );
    await accepted(order);
    const reprint = await reprintOf(order, [
      ["Other notes.pdf", numberedPdf("Other", 2)],
      ["Notes.pdf", numberedPdf("Notes", 3)],
    ]);
    expect(await divided(reprint)).toEqual([
      ["Colour", null, "none"],
      ["Black & White", "none", null],
    ]);
  });

  test("knows a renamed file that was saved again by its pages, wherever it stands", async () => {
    const files = [
      { name: "Cover.pdf", bytes: numberedPdf("Cover", 1) },
      { name: "Notes.pdf", bytes: numberedPdf("Notes", 9) },
    ];
    const parts = [{ pages: { 1: "1-9" }, options: BLACK }];
    const order = await placeFiles(store, shopId, files, { parts });
    await accepted(order);
    const { id } = await reprintOf(order, [["Notes (1).pdf", numberedPdf("Better", 9)]]);
    const { jobs, quote } = await detail({ id });
    const colour = quote.jobs[0].lines.find(({ kind }: { kind: string }) => kind === "printedColours");
    expect([jobs.length, colour.name]).toEqual([1, "Black & White"]);
  });

  test("prints no job longer than it was: a black document under the name of a cover in colour is refused", async () => {
    const files = [
      { name: "Cover.pdf", bytes: numberedPdf("Cover", 1) },
      { name: "Notes.pdf", bytes: numberedPdf("Notes", 90) },
    ];
    const parts = [{ pages: { 1: "1-90" }, options: BLACK }];
    const order = await placeFiles(store, shopId, files, { parts });
    await accepted(order);
    const swapped = await askReprintOf(order, [
      ["Cover.pdf", numberedPdf("Other", 90)],
      ["Notes.pdf", numberedPdf("Short", 1)],
    ]);
    expect([swapped.status, swapped.body.error?.message]).toEqual([
      422,
      "Part 1 of 2 had 1 page, and now has 90. Please send the same files under their names, or choose fewer pages",
    ]);
    const reprint = await reprintOf(order, [
      ["Cover.pdf", numberedPdf("Better", 1)],
      ["Notes.pdf", numberedPdf("Better", 89)],
    ]);
    expect(await divided(reprint)).toEqual([
      ["Colour", null, "none"],
      ["Black & White", "none", null],
    ]);
  });

  test("prints a file that was saved again with fewer pages all by one job, longer than it was, where that is cheaper", async () => {
    const parts = [{ pages: { 0: "3-4" }, options: COLOUR }];
    const order = await placeFiles(store, shopId, [thesis(9)], { options: BLACK, parts });
    await accepted(order);
    const { id } = await reprintOf(order, [["Thesis.pdf", numberedPdf("Thesis again", 8)]]);
    const { jobs, quote, totalPaise } = await detail({ id });
    expect(totalPaise).toBe(0);
    expect([jobs.length, quote.jobs[0].pages]).toEqual([1, 8]);
  });

  test("prints no job of a reprint longer than it was: it has cost nothing, so that nothing is cheaper", async () => {
    const parts = [{ pages: { 0: "3-4" }, options: COLOUR }];
    const order = await placeFiles(store, shopId, [thesis(9)], { options: BLACK, parts });
    await accepted(order);
    const reprint = { ...order, ...(await reprintOf(order, [["Thesis.pdf", thesis(9).bytes]])) };
    await accepted(reprint);
    const again = await askReprintOf(reprint, [["Thesis.pdf", numberedPdf("Thesis again", 8)]]);
    expect([again.status, again.body.error?.message]).toEqual([
      422,
      "Part 1 of 2 had 7 pages, and now has 8. Please send the same files under their names, or choose fewer pages",
    ]);
  });

  test("prints no job longer than it was either with files that are replaced while it is on hold", async () => {
    const order = await placeFiles(
      store,
      shopId,
      [
        { name: "Cover.pdf", bytes: numberedPdf("Cover", 1) },
        { name: "Notes.pdf", bytes: numberedPdf("Notes", 90) },
      ],
      { parts: [{ pages: { 1: "1-90" }, options: BLACK }] },
    );
    await accepted(order);
    const { id: orderId } = await reprintOf(order, [
      ["Cover.pdf", numberedPdf("Cover", 1)],
      ["Notes.pdf", numberedPdf("Notes", 90)],
    ]);
    expectDone(await admin.mutate("holds.hold", { orderId, reason: "Both are cut" }));
    const { hold, files } = await seenByStudent(order.visitor, orderId);
    const replaced: { fileId: string; fileUrl: string }[] = [];
    for (const [at, pages] of [90, 1].entries())
      replaced.push({ fileId: files[at].id, fileUrl: await uploadPages(order.visitor, pages) });
    const { status, body } = await order.visitor.query("holds.quote", {
      orderId,
      holdId: hold.id,
      files: replaced,
    });
    expect([status, body.error?.message]).toEqual([
      422,
      "Part 1 of 2 had 1 page, and now has 90. A free reprint has no more. Please choose fewer pages, or answer the shop",
    ]);
  });

  test("keeps a document apart that was ordered twice with other options, also one that was saved again", async () => {
    const file = thesis(2);
    for (const bytes of [file.bytes, thesis(2).bytes]) {
      const parts = [{ pages: { 0: "1-2" }, options: BLACK }];
      const order = await placeFiles(store, shopId, [file, file], { parts });
      await accepted(order);
      const reprint = await reprintOf(order, [
        ["Thesis.pdf", bytes],
        ["Thesis.pdf", bytes],
      ]);
      expect(await divided(reprint)).toEqual([
        ["Colour", "none", null],
        ["Black & White", null, "none"],
      ]);
    }
  });
});
