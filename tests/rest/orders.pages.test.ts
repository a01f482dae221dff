import { beforeAll, describe, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { orderFor, uploadPages } from "../factories/orders.ts";
import { shopIds, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const PLACE = "/api/v1/prints/printorder";
const store = testStore();
let shopId: string;
beforeAll(async () => {
  [shopId] = await shopIds(store);
});

interface Wishes {
  /** Page counts of the files. */
  counts: number[];
  noOfPages: number;
  /** Pages by the place of their file. */
  ranges: [place: number, pages: unknown][];
}

/** An order of freshly uploaded files, sent with these pages. */
async function send({ counts, noOfPages, ranges }: Wishes) {
  const { visitor, student } = await signedInStudent(store);
  const filesUrl = await Promise.all(counts.map((count) => uploadPages(visitor, count)));
  const order = await orderFor(visitor, { shopId, pages: noOfPages, filesUrl });
  const pageRanges = ranges.map(([place, pages]) => ({
    public_id: filesUrl[place]?.split("/").at(-1) ?? "elsewhere",
    pages,
  }));
  const answer = await visitor.post(PLACE, { ...order, orderData: { ...order.orderData, pageRanges } });
  return { answer, student, visitor };
}

async function keptRanges(orderId: string): Promise<(string | null)[]> {
  const rows = await store.deps.readDb
    .selectFrom("order_files")
    .select("page_ranges")
    .where("order_id", "=", orderId)
    .orderBy("position")
    .execute();
  return rows.map((row) => row.page_ranges);
}

describe("an order with page ranges", () => {
  test("stores them per file and shows them in both mails, to the student and to the shop", async () => {
    const { answer, student, visitor } = await send({
      counts: [32, 2, 5],
      noOfPages: 10 + 2 + 2,
      ranges: [
        [2, "5, 1"],
        [0, "1-8, 4, 31-"],
      ],
    });
    expect(answer.status).toBe(200);
    const { _id: orderId, orderNumber } = answer.body.data;
    expect(await keptRanges(orderId)).toEqual(["1-8, 31-32", null, "1, 5"]);

    const owner = await signedInOwner(store, [shopId]);
    for (const { body } of [
      await owner.visitor.query("board.order", { orderId }),
      await visitor.query("orders.one", { orderId }),
    ]) {
      expect(body.result.data).toMatchObject({
        pages: 14,
        files: [
          { pages: 32, pageRanges: "1-8, 31-32" },
          { pages: 2, pageRanges: null },
          { pages: 5, pageRanges: "1, 5" },
        ],
      });
    }
    const shop = (await store.visitor().get(`/api/v1/prints/shopdata?id=${shopId}`)).body.data;
    for (const address of [student.email, shop.email]) {
      const mail = (await mailsTo(store, address)).find(({ subject }) => subject.includes(orderNumber));
      const lines = mail?.text.split("\n") ?? [];
      expect(lines.filter((line) => line.startsWith("- notes.pdf"))).toEqual([
        expect.stringMatching(/^- notes\.pdf \(only pages 1-8, 31-32: 10 of 32 pages, \d+ kB\)/),
        expect.stringMatching(/^- notes\.pdf \(2 pages, \d+ kB\)/),
        expect.stringMatching(/^- notes\.pdf \(only pages 1, 5: 2 of 5 pages, \d+ kB\)/),
      ]);
    }
  });

  test("of all pages becomes an order of the whole file", async () => {
    const { answer } = await send({ counts: [3], noOfPages: 3, ranges: [[0, "2-, 1"]] });
    expect(await keptRanges(answer.body.data._id)).toEqual([null]);
  });

  test.each<[string, Wishes, (string | null)[]]>([
    ["of what was chosen", { counts: [9], noOfPages: 2, ranges: [[0, "3-6"]] }, ["3-4"]],
    ["of a large file", { counts: [200], noOfPages: 1, ranges: [] }, ["1"]],
    [
      "of several files",
      { counts: [2, 5, 4], noOfPages: 4, ranges: [[1, "1, 3, 5"]] },
      [null, "1, 3", "none"],
    ],
    [
      "of files of which one in between is left out",
      {
        counts: [9, 5, 4],
        noOfPages: 6,
        ranges: [
          [0, "1-3"],
          [1, "none"],
        ],
      },
      ["1-3", "none", "1-3"],
    ],
  ])(
    "with a lower page count prints the first pages %s, and stores them as ranges",
    async (_of, wishes, kept) => {
      const { answer, student, visitor } = await send(wishes);
      expect(answer.status).toBe(200);
      const { _id: orderId, orderNumber } = answer.body.data;
      expect(await keptRanges(orderId)).toEqual(kept);
      const { body } = await visitor.query("orders.one", { orderId });
      expect(body.result.data).toMatchObject({
        pages: wishes.noOfPages,
        files: kept.map((pageRanges) => ({ pageRanges })),
      });
      const [mail] = (await mailsTo(store, student.email)).filter(({ subject }) =>
        subject.includes(orderNumber),
      );
      expect(mail?.text.includes("(not printed, ")).toBe(kept.includes("none"));
    },
  );

  test("is refused for more pages than were selected", async () => {
    const { answer } = await send({ counts: [9, 3], noOfPages: 8, ranges: [[0, "1-4"]] });
    expect([answer.status, answer.body.issues[0].path]).toEqual([422, "orderData.noOfPages"]);
    expect(answer.body.message).toBe(
      "The files have 12 pages, of which you chose 7. The number of pages cannot be more than that",
    );
    const one = await send({ counts: [1], noOfPages: 2, ranges: [] });
    expect(one.answer.body.message).toContain("The files have 1 page.");
    const none = await send({ counts: [2], noOfPages: 1, ranges: [[0, "none"]] });
    expect([none.answer.status, none.answer.body.issues[0].path]).toEqual([422, "orderData.noOfPages"]);
  });

  test.each<[string, Wishes["ranges"], string, string]>([
    [
      "a page that the file does not have",
      [[1, "1-4"]],
      "0.pages",
      "Pages to print of “notes.pdf”: There is no page 4: this file has 3 pages",
    ],
    ["what are no pages", [[0, "all"]], "0.pages", "“all” is not a page"],
    ["no pages", [[0, "  "]], "0.pages", "Pages to print is required"],
    ["pages that are not text", [[0, 4]], "0.pages", "must be text"],
    ["too much text", [[0, "1,".repeat(1500)]], "0.pages", "must be at most 2000 characters long"],
    ["a file that is not in the order", [[7, "1"]], "0.public_id", "This file is not in the order"],
    [
      "a file that is named twice",
      [
        [0, "1"],
        [0, "2"],
      ],
      "1.public_id",
      "The pages of this file are given twice",
    ],
  ])("is refused for %s, with the name of the field", async (_what, ranges, path, message) => {
    const { answer, student } = await send({ counts: [9, 3], noOfPages: 1, ranges });
    expect([answer.status, answer.body.code]).toEqual([422, "INVALID_INPUT"]);
    expect(answer.body.issues[0].path).toBe(`orderData.pageRanges.${path}`);
    expect(answer.body.message).toContain(message);
    const orders = await store.deps.readDb
      .selectFrom("orders")
      .selectAll()
      .where("user_email", "=", student.email)
      .execute();
    expect(orders).toEqual([]);
  });
});
