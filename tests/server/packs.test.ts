import { rm, writeFile } from "node:fs/promises";
import { degrees, PDFDocument, rgb } from "pdf-lib";
import sharp from "sharp";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { REFUSED_ORDERS_HEADER } from "#shared/calls.ts";
import { indianTime } from "#shared/indian-time.ts";
import type { OptionKind } from "#shared/options.ts";
import type { ChosenFulfilment } from "#shared/order-states.ts";
import { sizeQuestion } from "#shared/paper-sizes.ts";
import type { ShopForm } from "#shared/schemas/shop-admin.ts";
import { type Cell, printedSide } from "#shared/sheet-layout.ts";
import { ADDRESS, orderFor, seenByStaff } from "../factories/orders.ts";
import { payInFull } from "../factories/payments.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { lyingPdf, pdfOfPages } from "../factories/pdfs.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { pathOf } from "../factories/stored-files.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, placeAtCounter, visitorAt } from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { drawPages, memoryOf, type PagePixels, readPages, withPdf } from "../setup/pdf-reader.ts";
import { readQrCode } from "../setup/read-qr-code.ts";
import { type TestStore, testStore } from "../setup/test-store.ts";
import { download, packPath, packsInWork, placeFiles } from "./packs.fixtures.ts";

const MB = 1024 * 1024;
// Made before there is a store: it takes seconds, after which a connection may be closed just as it is used again.
const LARGE_SCAN = numberedPdf("Scan", 26, { each: MB });
const LARGE_SLIDES = numberedPdf("Slides", 9, { shared: 4 * MB });
/** More than a portion of 24 MB is made, sent, copied and read, which takes a busy machine some time. */
const LARGE_MS = 180_000;

// Files that cannot be read are logged as errors, as expected.
const store = testStore({ LOG_LEVEL: "silent" });
let shopId: string;
let otherShopId: string;
let owner: StaffPerson;
beforeAll(async () => {
  [shopId, otherShopId] = await shopIds(store);
  owner = await signedInOwner(store, [shopId]);
});

const place = (...files: [name: string, bytes: Uint8Array, pages?: string][]) =>
  placeFiles(
    store,
    shopId,
    files.map(([name, bytes, pages]) => ({ name, bytes, ...(pages && { pages }) })),
  );

/** The text of each page of the order's pack. */
async function packOf(order: { id: string }, visitor: ApiClient = owner.visitor): Promise<string[]> {
  const { status, bytes } = await download(visitor, packPath(order));
  expect(status).toBe(200);
  return readPages(bytes);
}

/** A page as it is seen: its size in points and colour, with a black square in its upper left corner. */
interface SeenPage {
  size: [width: number, height: number];
  colour: [red: number, green: number, blue: number];
}

const SEEN: Record<"upright" | "turned" | "wide" | "cropped", SeenPage> = {
  upright: { size: [595, 842], colour: [1, 0, 0] },
  turned: { size: [595, 842], colour: [0, 1, 0] },
  wide: { size: [960, 540], colour: [0, 0, 1] },
  cropped: { size: [400, 600], colour: [1, 1, 0] },
};

/** A PDF with one page of each kind; `turned` is stored lying, and `cropped` is the middle of a larger one. */
async function unlikePages(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const draw = (kind: keyof typeof SEEN, stored: [number, number], corner: { x: number; y: number }) => {
    const page = pdf.addPage(stored);
    page.drawRectangle({ width: stored[0], height: stored[1], color: rgb(...SEEN[kind].colour) });
    page.drawRectangle({ ...corner, width: 90, height: 90, color: rgb(0, 0, 0) });
    return page;
  };
  draw("upright", [595, 842], { x: 0, y: 752 });
  draw("turned", [842, 595], { x: 0, y: 0 }).setRotation(degrees(90));
  draw("wide", [960, 540], { x: 0, y: 450 });
  draw("cropped", [1000, 1000], { x: 300, y: 710 }).setCropBox(300, 200, 400, 600);
  return pdf.save();
}

/** The edges of a page of this size in the middle of a cell, as large as fits. */
function edgesIn(cell: Cell, { size: [width, height] }: SeenPage) {
  const scale = Math.min(cell.width / width, cell.height / height);
  const left = cell.x + (cell.width - width * scale) / 2;
  const top = cell.y + (cell.height + height * scale) / 2;
  return { left, top, right: left + width * scale, bottom: top - height * scale };
}

/** How many edges of the page in this cell have a line that is as dark in each channel as neither the page nor the paper is. */
function countFrames({ width: wide, height: high, pixels }: PagePixels, cell: Cell, page: SeenPage): number {
  const { left, top, right, bottom } = edgesIn(cell, page);
  const [centre, middle] = [(left + right) / 2, (top + bottom) / 2];
  const isDark = ([x, y]: number[]) => {
    const at = 4 * (Math.floor(high - (y ?? 0)) * wide + Math.floor(x ?? 0));
    return pixels.subarray(at, at + 3).every((channel) => channel < 200);
  };
  const edges = [
    ...[left, right].map((edge) => [-1, 0, 1].map((aside) => [edge + aside, middle])),
    ...[bottom, top].map((edge) => [-1, 0, 1].map((aside) => [centre, edge + aside])),
  ];
  return edges.filter((points) => points.some(isDark)).length;
}

/** Expects that a page lies in the middle of a cell of the side, as large as fits, and white beyond it where that is in sight. */
function expectInside({ width: wide, height: high, pixels }: PagePixels, cell: Cell, page: SeenPage): void {
  const { colour } = page;
  const at = (x: number, y: number) => {
    const [column, row] = [Math.round(x), Math.round(high - y)];
    if (column < 0 || row < 0 || column >= wide || row >= high) return "beyond";
    const [blue, green, red] = pixels.subarray(4 * (row * wide + column));
    return [red, green, blue].map((channel = 0) => Math.round(channel / 255));
  };
  const { left, top, right, bottom } = edgesIn(cell, page);
  expect(at(left + 8, top - 8)).toEqual([0, 0, 0]);
  const others = [at(right - 4, top - 4), at(left + 4, bottom + 4), at(right - 4, bottom + 4)];
  expect(others).toEqual([colour, colour, colour]);
  const outside = [
    at(left - 4, top - 9),
    at(right + 4, bottom + 9),
    at(left + 9, top + 4),
    at(left + 9, bottom - 4),
  ];
  for (const seen of outside.filter((seen) => seen !== "beyond")) expect(seen).toEqual([1, 1, 1]);
}

describe("pages of another size than the ordered paper", () => {
  const [shortEdge, longEdge] = [Math.round((148 * 72) / 25.4), Math.round((210 * 72) / 25.4)];
  const upright: [number, number] = [shortEdge, longEdge];
  const lying: [number, number] = [longEdge, shortEdge];
  const sizesOf = (pages: PagePixels[]) => pages.map(({ width, height }) => [width, height]);
  let small: string;
  let clerk: StaffPerson;
  beforeAll(async () => {
    const admin = await signedInAdmin(store);
    small = (
      await shownShop(admin.visitor, { ...smallPriceList(), paperSizes: [priceEntry("A5 (small)", 0)] })
    ).id;
    clerk = await signedInOwner(store, [small]);
  });

  test("are fitted to it, as large as possible and in the middle, as they are seen; a page of its size stays", async () => {
    const pdf = await PDFDocument.load(await unlikePages());
    pdf.addPage([420, 595]).drawText("A5 already", { x: 20, y: 20 });
    const files = [{ name: "Unlike.pdf", bytes: await pdf.save() }];
    const order = await placeFiles(store, small, files, { copies: 1 });
    const { bytes } = await download(clerk.visitor, packPath(order));
    const [, , ...sides] = await drawPages(bytes);
    expect(sizesOf(sides)).toEqual([upright, upright, lying, upright, [420, 595]]);
    for (const [index, kind] of Object.values(SEEN).entries()) {
      const [width, height] = sizesOf(sides)[index] ?? [0, 0];
      const side = sides[index];
      if (side) expectInside(side, { x: 0, y: 0, width: width ?? 0, height: height ?? 0 }, kind);
    }
    expect((await readPages(bytes)).at(-1)).toBe("A5 already");
    const { body } = await clerk.visitor.query("board.order", { orderId: order.id });
    expect([body.result.data.pages, sides.length]).toEqual([5, 5]);
  });

  test("are printed as large as they are where the clerk wants that, and fitted in packs of several orders", async () => {
    const place = async () =>
      placeFiles(store, small, [{ name: "Unlike.pdf", bytes: await unlikePages() }], { copies: 1 });
    const orders = [await place(), await place()];
    const path = packPath({ id: orders.map(({ id }) => id).join() });
    const own = await drawPages((await download(clerk.visitor, `${path}?sizes=own`)).bytes);
    const sizes = Object.values(SEEN).map(({ size }) => size);
    expect(sizesOf(own.slice(2, 6))).toEqual(sizes);
    const fitted = await drawPages((await download(clerk.visitor, path)).bytes);
    const printed = sizesOf([...fitted.slice(2, 6), ...fitted.slice(8)]);
    expect(printed).toEqual([upright, upright, lying, upright, upright, upright, lying, upright]);
    expect(fitted).toHaveLength(own.length);
    expect((await clerk.visitor.get(`${path}?sizes=large`)).status).toBe(422);
  });

  test("are told to the clerk before they are printed, on the board, in the table and in the order", async () => {
    const files = [
      { name: "Unlike.pdf", bytes: await unlikePages(), pages: "1-3" },
      { name: "Small.pdf", bytes: await pageOf([420, 595]) },
    ];
    const order = await placeFiles(store, small, files, { copies: 1 });
    const alike = await placeFiles(store, small, [{ name: "Small.pdf", bytes: await pageOf([595, 420]) }]);
    const text = "3 of 4 pages are not A5: A4, another size";
    const notes = { [order.id]: [{ text, paper: "A5", count: 3 }], [alike.id]: [] };
    type Listed = { id: string; sizeNotes: unknown };
    const board = expectDone(await clerk.visitor.query("board.read", { shopId: small }));
    const page = expectDone(await clerk.visitor.query("board.page", { shopId: small, state: "open" }));
    for (const list of [board.columns[0].cards, page.rows] as Listed[][]) {
      const listed = list.filter(({ id }) => id in notes).map(({ id, sizeNotes }) => [id, sizeNotes]);
      expect(Object.fromEntries(listed)).toEqual(notes);
    }
    const detail = await seenByStaff(clerk.visitor, order.id);
    expect(detail.sizeNotes).toEqual(notes[order.id]);
    const reason = sizeQuestion({ text, paper: "A5", count: 3 });
    expectDone(await clerk.visitor.mutate("holds.hold", { orderId: order.id, reason }));
    const held = await clerk.visitor.get(packPath(order));
    expect(held.status).toBe(409);
  });

  test("are read once for all readings of the board, and again once the order has another paper", async () => {
    const file = { name: "Unlike.pdf", bytes: await unlikePages() };
    const { id } = await placeFiles(store, small, [file], { copies: 1 });
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const note = async () => {
      const board = expectDone(await clerk.visitor.query("board.read", { shopId: small }));
      const card = board.columns[0].cards.find((order: { id: string }) => order.id === id);
      return card.sizeNotes[0].text;
    };
    const readings = () => parse.mock.calls.filter(([text]) => text.startsWith('{"A4":')).length;
    expect(await note()).toMatch(/ not A5: /);
    const before = readings();
    expect(before).toBeGreaterThan(0);
    expect(await note()).toMatch(/ not A5: /);
    expect(readings()).toBe(before);
    await store.deps.db
      .updateTable("order_lines")
      .set({ name: "A4" })
      .where("order_id", "=", id)
      .where("kind", "=", "paperSizes")
      .execute();
    expect(await note()).toMatch(/ not A4: /);
  });

  async function pageOf(size: [number, number]): Promise<Uint8Array> {
    const pdf = await PDFDocument.create();
    pdf.addPage(size).drawText("A page", { x: 20, y: 20 });
    return pdf.save();
  }

  test("share sides of its size, also in the print copy of a single file whose parts are on different papers", async () => {
    const layout = { pagesPerSide: 4, hasFrames: false, isBooklet: false } as const;
    const order = await placeFiles(store, small, [{ name: "Unlike.pdf", bytes: await unlikePages() }], {
      layout,
      copies: 1,
    });
    const [, , ...sides] = await drawPages((await download(clerk.visitor, packPath(order))).bytes);
    const copy = await drawPages((await download(clerk.visitor, `/files/${order.fileIds[0]}`)).bytes);
    const own = await drawPages((await download(clerk.visitor, `${packPath(order)}?sizes=own`)).bytes);
    expect([sides, copy, own.slice(2)].map(sizesOf)).toEqual([[upright], [upright], [upright]]);

    const files = [{ name: "Unlike.pdf", bytes: await unlikePages() }];
    const divided = await placeFiles(store, small, files, { parts: [{ pages: { 0: "3-4" }, layout }] });
    await store.deps.db
      .updateTable("order_lines")
      .set({ name: "A3" })
      .where("order_id", "=", divided.id)
      .where("kind", "=", "paperSizes")
      .where("job", "=", 0)
      .execute();
    const parts = await drawPages((await download(clerk.visitor, `/files/${divided.fileIds[0]}`)).bytes);
    expect(sizesOf(parts).at(-1)).toEqual(upright);
  });

  test("keep what was typed into a form", async () => {
    const order = await placeFiles(store, small, [{ name: "Form.pdf", bytes: await pageWithForm() }], {
      copies: 1,
    });
    const { bytes } = await download(clerk.visitor, packPath(order));
    expect((await readPages(bytes)).at(-1)).toContain("Typed into the form");
  });

  async function pageWithForm(): Promise<Uint8Array> {
    const pdf = await PDFDocument.create();
    const page = pdf.addPage([595, 842]);
    const field = pdf.getForm().createTextField("name");
    field.setText("Typed into the form");
    field.addToPage(page, { x: 40, y: 700, width: 300, height: 40 });
    return pdf.save();
  }
});

describe("several pages on a side", () => {
  test.each([
    ["read across", false, false],
    ["read down and in frames", true, true],
  ])(
    "lie as they are seen in cells of their own, as large as fits, with white between them, %s",
    async (_way, readsDown, hasFrames) => {
      const layout = { pagesPerSide: 4, hasFrames, isBooklet: false, readsDown } as const;
      const files = [{ name: "Unlike.pdf", bytes: await unlikePages() }];
      const order = await placeFiles(store, shopId, files, { layout });
      const [, side, ...more] = await drawPages((await download(owner.visitor, packPath(order))).bytes);
      if (!side) throw new Error("The pack has no side");
      const { width, height, cells } = printedSide(layout, false);
      expect(more).toEqual([]);
      expect([side.width, side.height]).toEqual([Math.round(width), Math.round(height)]);

      for (const [index, kind] of Object.values(SEEN).entries()) {
        const cell = cells[index] ?? { x: 0, y: 0, width, height };
        expectInside(side, cell, kind);
        expect(countFrames(side, cell, kind)).toBe(hasFrames ? 4 : 0);
      }
    },
  );

  test("of slides share a sheet that stands, two of them one above the other", async () => {
    const pdf = await PDFDocument.create();
    for (let page = 0; page < 3; page++) pdf.addPage([960, 540]).drawText(`Slide ${page}`);
    const layout = { pagesPerSide: 2, hasFrames: true, isBooklet: false } as const;
    const order = await placeFiles(store, shopId, [{ name: "Slides.pdf", bytes: await pdf.save() }], {
      layout,
    });
    const { bytes } = await download(owner.visitor, packPath(order));
    const [, ...sides] = await drawPages(bytes);
    expect(sides.map(({ width, height }) => height > width)).toEqual([true, true]);
    expect((await readPages(bytes)).slice(1).map((text) => text.match(/Slide \d/g))).toEqual([
      ["Slide 0", "Slide 1"],
      ["Slide 2"],
    ]);
  });
});

describe("a booklet", () => {
  /** The text on the left and on the right half of each side. */
  const halvesOf = (bytes: Uint8Array) =>
    withPdf(bytes, (pdfium, document) =>
      Array.from({ length: pdfium.FPDF_GetPageCount(document) }, (_, index) => {
        const page = pdfium.FPDF_LoadPage(document, index);
        const text = pdfium.FPDFText_LoadPage(page);
        const [middle, height] = [pdfium.FPDF_GetPageWidthF(page) / 2, pdfium.FPDF_GetPageHeightF(page)];
        const at = pdfium.pdfium.wasmExports.malloc(TEXT_BYTES);
        const halves = [0, middle].map((left) => {
          memoryOf(pdfium).fill(0, at, at + TEXT_BYTES);
          pdfium.FPDFText_GetBoundedText(text, left, height, left + middle, 0, at, TEXT_BYTES / 2 - 1);
          return pdfium.pdfium.UTF16ToString(at).trim();
        });
        pdfium.pdfium.wasmExports.free(at);
        pdfium.FPDFText_ClosePage(text);
        pdfium.FPDF_ClosePage(page);
        return halves;
      }),
    );
  const TEXT_BYTES = 8000;

  test("has each file on sheets of its own that lie, with empty halves at its end, two-sided", async () => {
    const bothSides = await shopOfBothSides(store, otherShopId);
    const clerk = await signedInOwner(store, [bothSides]);
    const mixed = await PDFDocument.create();
    const sizes: [number, number][] = [
      [595, 842],
      [960, 540],
      [420, 595],
      [842, 595],
      [595, 842],
      [595, 842],
    ];
    for (const [at, size] of sizes.entries())
      mixed.addPage(size).drawText(`Mixed ${at + 1}`, { x: 20, y: 20 });
    const layout = { pagesPerSide: 2, hasFrames: true, isBooklet: true } as const;
    const order = await placeFiles(
      store,
      bothSides,
      [
        { name: "Mixed.pdf", bytes: await mixed.save() },
        { name: "One.pdf", bytes: numberedPdf("One", 3), pages: "2" },
        { name: "Five.pdf", bytes: numberedPdf("Five", 9), pages: "1-2, 5, 8-9" },
      ],
      { copies: 1, layout },
    );
    const { bytes } = await download(clerk.visitor, packPath(order));
    const [, , ...sides] = await halvesOf(bytes);
    const [ticket = ""] = await readPages(bytes);
    expect(ticket.replaceAll("\n", " ")).toContain("Booklet, fold in the middle, flip on short edge");
    expect(sides).toEqual([
      ["", "Mixed 1"],
      ["Mixed 2", ""],
      ["Mixed 6", "Mixed 3"],
      ["Mixed 4", "Mixed 5"],
      ["", "One 2"],
      ["", ""],
      ["", "Five 1"],
      ["Five 2", ""],
      ["", "Five 5"],
      ["Five 8", "Five 9"],
    ]);
    const drawn = (await drawPages(bytes)).slice(2);
    expect(drawn.map(({ width, height }) => width > height)).toEqual(drawn.map(() => true));
    const { body } = await clerk.visitor.query("board.order", { orderId: order.id });
    expect([body.result.data.pages, body.result.data.quote.sheets]).toEqual([9, 5]);
  });

  test("is refused where one side is printed, or with another number of pages on a side", async () => {
    const files = [{ name: "Notes.pdf", bytes: numberedPdf("Notes", 4) }];
    const booklet = { pagesPerSide: 2, hasFrames: false, isBooklet: true } as const;
    await expect(placeFiles(store, shopId, files, { layout: booklet })).rejects.toThrow(
      /422.*A booklet is printed on both sides/,
    );
    await expect(
      placeFiles(store, shopId, files, { layout: { ...booklet, pagesPerSide: 4 } }),
    ).rejects.toThrow(/422.*A booklet has 2 pages on a side/);
  });
});

/** The shop, once its first option prints both sides. */
async function shopOfBothSides({ deps }: TestStore, id: string): Promise<string> {
  const options = deps.db.updateTable("shop_options").set({ sides: 2 }).where("shop_id", "=", id);
  await options.where("kind", "=", "printingSides").execute();
  return id;
}

describe("the print pack", () => {
  test("contains a ticket and then the ordered pages of every file, in order", async () => {
    const order = await place(
      ["Thesis.pdf", numberedPdf("Thesis", 4)],
      ["Lab.pdf", numberedPdf("Lab", 12), "2-3, 11"],
      ["Cover.pdf", numberedPdf("Cover", 1)],
    );
    const [ticket, ...pages] = await packOf(order);
    expect(pages).toEqual([
      "Thesis 1",
      "Thesis 2",
      "Thesis 3",
      "Thesis 4",
      "Lab 2",
      "Lab 3",
      "Lab 11",
      "Cover 1",
    ]);
    expect(ticket).toContain(order.number);
    expect(ticket).toContain(
      "1 Thesis.pdf\n4 pages\n2 Lab.pdf\nonly pages 2-3, 11: 3 of 12 pages\n3 Cover.pdf\n1 page",
    );
  });

  test("is a download that no browser displays, runs, sniffs or caches", async () => {
    const order = await place(["Thesis.pdf", numberedPdf("Thesis", 1)]);
    const { headers, bytes } = await download(owner.visitor, packPath(order));
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(bytes.length),
      "content-disposition": `attachment; filename=${order.number}.pdf`,
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    const document = await PDFDocument.load(bytes, { throwOnInvalidObject: true, updateMetadata: false });
    expect([document.getPageCount(), document.getTitle()]).toEqual([2, `Order ${order.number}`]);
  });

  test("shows on its ticket who ordered what, with which options and price", async () => {
    const order = await placeFiles(
      store,
      shopId,
      [{ name: "प्रयोगशाला रिपोर्ट.pdf", bytes: numberedPdf("Lab", 2) }],
      { message: "कृपया ऊपर बाएँ स्टेपल करें — ₹ 5 ज़्यादा ठीक है" },
    );
    await store.deps.db
      .updateTable("users")
      .set({ full_name: "नमस्ते क्षत्रिय" })
      .where("id", "=", (eb) => eb.selectFrom("orders").select("user_id").where("id", "=", order.id))
      .execute();
    const { body } = await owner.visitor.query("board.order", { orderId: order.id });
    const { quote, student } = body.result.data;
    const [ticket] = await packOf(order);
    for (const text of [
      order.number,
      "नमस्ते क्षत्रिय",
      student.phone,
      "Copies\n2",
      "Set copies to\n2",
      "Pages\n2",
      `Sheets\n${quote.sheets}`,
      ...quote.jobs[0].lines.map(({ name }: { name: string }) => name),
      "कृपया ऊपर बाएँ स्टेपल करें — ₹ 5 ज़्यादा ठीक है",
      "प्रयोगशाला रिपोर्ट.pdf",
      `Total ₹${(quote.totalPaise / 100).toFixed(2)}`,
    ]) {
      expect(ticket).toContain(text);
    }
  });

  test("has a ticket of few pages, however many lines a message, a name or an address has", async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => at % 10).join("\n");
    const files = [{ name: "Thesis.pdf", bytes: numberedPdf("Thesis", 1) }];
    const order = await placeFiles(store, shopId, files, { message: `Staple\nleft\n${lines(990)}` });
    const { db } = store.deps;
    const { user_id } = await db
      .updateTable("orders")
      .set({
        address: JSON.stringify({ fullname: "A", flatno: lines(100), roadNo: lines(100), country: "B" }),
      })
      .where("id", "=", order.id)
      .returning("user_id")
      .executeTakeFirstOrThrow();
    await db
      .updateTable("users")
      .set({ full_name: lines(100) })
      .where("id", "=", user_id)
      .execute();
    const pages = await packOf(order);
    expect(pages.length).toBeLessThanOrEqual(5);
    expect(pages.at(-1)).toBe("Thesis 1");
    expect(pages.join("\n")).toContain("Staple\nleft\n0");
  });

  test("says on its ticket which edge two-sided pages that lie are turned over on, and has them lie as they are seen", async () => {
    const bothSides = await shopOfBothSides(store, otherShopId);
    const clerk = await signedInOwner(store, [bothSides]);
    const slides = await PDFDocument.create();
    slides.addPage([842, 595]);
    slides.addPage([595, 842]).setRotation(degrees(90));
    const notes = { name: "Notes.pdf", bytes: numberedPdf("Notes", 2) };
    const ticketOf = async (...files: { name: string; bytes: Uint8Array }[]) => {
      const { bytes } = await download(clerk.visitor, packPath(await placeFiles(store, bothSides, files)));
      const [ticket = ""] = await readPages(bytes);
      return { ticket, pages: (await drawPages(bytes)).slice(2) };
    };
    const { ticket, pages } = await ticketOf({ name: "Slides.pdf", bytes: await slides.save() });
    expect(ticket).toContain("Flip on short edge");
    expect(pages.map(({ width, height }) => [width, height])).toEqual([
      [842, 595],
      [842, 595],
    ]);
    expect((await ticketOf(notes)).ticket).not.toMatch(/edge/);
  });

  test.each([
    ["two of which share a side that stands", 2, "stands"],
    ["four of which share a side that lies", 4, "lies"],
  ] as const)(
    "of the slides of a mixed file, %s, says so by the printed pages alone, also for a part",
    async (_what, pagesPerSide, side) => {
      const bothSides = await shopOfBothSides(store, otherShopId);
      const clerk = await signedInOwner(store, [bothSides]);
      const pdf = await PDFDocument.create();
      for (let at = 0; at < 10; at++) pdf.addPage([595, 842]);
      for (let at = 0; at < 8; at++) pdf.addPage([960, 540]);
      const file = { name: "Mixed.pdf", bytes: await pdf.save() };
      const layout = { pagesPerSide, hasFrames: false, isBooklet: false } as const;
      const slides = await placeFiles(store, bothSides, [{ ...file, pages: "11-18" }], { layout });
      const parts = [{ pages: { 0: "11-18" }, layout }];
      const divided = await placeFiles(store, bothSides, [file], { parts });
      for (const path of [packPath(slides), packPath(divided, 2)]) {
        const { bytes } = await download(clerk.visitor, path);
        const [ticket = ""] = await readPages(bytes);
        const sides = (await drawPages(bytes)).slice(2);
        const lie = sides.map(({ width, height }) => (width > height ? "lies" : "stands"));
        expect(lie).toEqual(Array.from({ length: 8 / pagesPerSide }, () => side));
        expect(ticket.includes("Flip on short edge")).toBe(side === "lies");
      }
    },
  );

  test("says on its ticket where the prints go and how they are paid; its QR code opens the order", async () => {
    const { visitor: admin } = await signedInAdmin(store);
    const upi = { upiId: "lamp.post@okbank", offersPickup: true };
    const shop = await shownShop(admin, undefined, upi);
    const { visitor } = await signedInStudent(store);
    const place = async (fulfilment: ChosenFulfilment) => {
      const request = await orderFor(visitor, { shopId: shop.id, pages: 1, fulfilment });
      const address = fulfilment === "delivery" ? { address: ADDRESS } : {};
      const { body } = await visitor.post("/api/v1/prints/printorder", { ...request, ...address });
      return { id: body.data._id as string };
    };
    const delivery = await place("delivery");
    const pack = await download(admin, packPath(delivery));
    const [ticket = ""] = await readPages(pack.bytes);
    const { fullname, flatno, roadNo, country } = ADDRESS;
    expect(ticket.replace(/\s+/g, " ")).toContain(
      `Deliver to ${fullname}, ${flatno}, ${roadNo}, ${country} Total ₹`,
    );
    expect(ticket).toContain("Payment Unpaid · UPI");
    expect(ticket.replace(/\s+/g, " ")).toContain(
      `${shop.shopName} · ${indianTime(store.deps.now().toISOString())}`,
    );
    const pickup = await place("pickup");
    expectDone(await payInFull(admin, pickup.id));
    const [other] = await packOf(pickup, admin);
    for (const text of ["Pickup The student comes to the shop", "Payment Paid"])
      expect(other).toContain(text);
    expect(other).not.toContain("Deliver to");
    const counter = await visitorAt(store, shop.id, await codeAt(admin, shop.id));
    const [last] = await packOf(await placeAtCounter(counter, { shopId: shop.id }), admin);
    expect(last).toContain("At the counter The person waits for it");

    // Last, because it holds this process, and the store in it, for seconds.
    const [page] = await drawPages(pack.bytes, 3);
    if (!page) throw new Error("The pack has no page");
    const { width, height, pixels } = page;
    const picture = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
    expect(await readQrCode(await picture.png().toBuffer())).toBe(
      `${store.url}/admin/orders?order=${delivery.id}`,
    );
  });

  test.each([1, 2, 3])(
    "leaves the back of the ticket blank if both sides of %i are printed",
    async (pages) => {
      const { visitor } = await signedInAdmin(store);
      const { id } = await shownShop(visitor);
      const order = await placeFiles(store, id, [
        { name: "Thesis.pdf", bytes: numberedPdf("Thesis", pages) },
      ]);
      const [, back, ...printed] = await packOf(order, visitor);
      expect(back).toBe(`Order ${order.number}, page 2`);
      expect(printed).toEqual(Array.from({ length: pages }, (_, index) => `Thesis ${index + 1}`));
    },
  );

  test("copies a large file in portions, the first on a fresh sheet, and its shared objects once per portion", {
    timeout: LARGE_MS,
  }, async () => {
    const { visitor } = await signedInAdmin(store);
    const { id } = await shownShop(visitor);
    const order = await placeFiles(store, id, [
      { name: "Cover.pdf", bytes: numberedPdf("Cover", 1) },
      { name: "Scan.pdf", bytes: LARGE_SCAN },
      { name: "Slides.pdf", bytes: LARGE_SLIDES },
    ]);
    const { bytes } = await download(visitor, packPath(order));
    expect((await readPages(bytes)).slice(2)).toEqual([
      "Cover 1",
      "",
      ...Array.from({ length: 26 }, (_, index) => `Scan ${index + 1}`),
      ...Array.from({ length: 9 }, (_, index) => `Slides ${index + 1}`),
    ]);
    expect(bytes.length).toBeLessThan(LARGE_SCAN.length + LARGE_SLIDES.length + MB);
  });

  test("begins only the first portion of a file that is laid out on a fresh sheet, also after an odd number of sides", {
    timeout: LARGE_MS,
  }, async () => {
    const { visitor } = await signedInAdmin(store);
    const { id } = await shownShop(visitor);
    const layout = { pagesPerSide: 2, hasFrames: false, isBooklet: false } as const;
    const files = [
      { name: "Cover.pdf", bytes: numberedPdf("Cover", 1) },
      { name: "Scan.pdf", bytes: LARGE_SCAN },
    ];
    const [, , ...sides] = await packOf(await placeFiles(store, id, files, { layout }), visitor);
    const scan = Array.from({ length: 13 }, (_, side) => `Scan ${2 * side + 1} Scan ${2 * side + 2}`);
    expect(sides).toEqual(["Cover 1", "", ...scan]);
  });

  test("prints odd but valid files exactly as billed", async () => {
    const order = await place(
      ["Protected.pdf", await encryptedPdf(2, "AES-256", { owner: "o" })],
      ["Liar.pdf", lyingPdf(1000, 1)],
      ["Streams.pdf", await pdfOfPages(3)],
      ["Last.pdf", numberedPdf("Last", 1)],
    );
    const pages = await packOf(order);
    expect(pages).toHaveLength(1 + 2 + 1 + 3 + 1);
    expect(pages.at(-1)).toBe("Last 1");
  });
});

describe("separator sheets", () => {
  const FILES = [
    { name: "Thesis.pdf", bytes: numberedPdf("Thesis", 3) },
    { name: "Lab.pdf", bytes: numberedPdf("Lab", 2) },
    { name: "Cover.pdf", bytes: numberedPdf("Cover", 1) },
  ];
  /** The pages of a pack in words: the first line of a sheet of ours, and `-` for a blank side. */
  const shown = (pages: string[]) =>
    pages.map((text) => {
      const file = /^File \d of \d$/m.exec(text)?.[0];
      if (file) return file;
      return /^\w+ \d+$/.test(text) ? text : "-";
    });

  async function clerkOf(sides: number, fields: Partial<ShopForm> = {}) {
    const admin = await signedInAdmin(store);
    const lists = { ...smallPriceList(), printingSides: [priceEntry("Sides", 20, { sides })] };
    const { id } = await shownShop(admin.visitor, lists, { separatesFiles: true, ...fields });
    return { id, clerk: await signedInOwner(store, [id]) };
  }

  test("stand between the files of an order, each on a sheet of its own, and are neither billed nor counted", async () => {
    const { id, clerk } = await clerkOf(2);
    const order = await placeFiles(store, id, FILES, { copies: 1 });
    const { bytes } = await download(clerk.visitor, packPath(order));
    const [ticket = "", , ...pages] = await readPages(bytes);
    expect(ticket).toContain("+ 2 separator sheets between the files");
    expect(ticket).toMatch(/Pages\s6/);
    const sides = [
      "Thesis 1",
      "Thesis 2",
      "Thesis 3",
      "-",
      "File 2 of 3",
      "-",
      "Lab 1",
      "Lab 2",
      "File 3 of 3",
      "-",
      "Cover 1",
    ];
    expect(shown(pages)).toEqual(sides);
    // A blank side that lies would have the printer ask for other paper.
    const lying = (await drawPages(bytes)).filter(({ width, height }) => width > height);
    expect(lying).toEqual([]);
    expect(pages[4]).toContain("Lab.pdf");
    const { pages: billed, quote } = await seenByStaff(clerk.visitor, order.id);
    expect([billed, quote.sheets]).toEqual([6, 4]);
  });

  test("are single sides where one side is printed, for each copy in a pack of several orders, and none for a single file", async () => {
    const { id, clerk } = await clerkOf(1);
    const two = FILES.slice(1).map((file, at) => ({ ...file, ...(at === 0 && { pages: "2" }) }));
    const order = await placeFiles(store, id, two, { copies: 2 });
    const single = await placeFiles(store, id, FILES.slice(0, 1), { copies: 1 });
    const path = packPath({ id: `${order.id},${single.id}` });
    const [, ...pages] = await readPages((await download(clerk.visitor, path)).bytes);
    const copy = ["Lab 2", "File 2 of 2", "Cover 1"];
    expect(shown(pages)).toEqual([...copy, ...copy, "-", "Thesis 1", "Thesis 2", "Thesis 3"]);
  });

  test("are not printed before a file of which nothing is printed, nor where the shop does not want them", async () => {
    const { id, clerk } = await clerkOf(1);
    const order = await placeFiles(store, id, FILES, { copies: 1, noOfPages: 5 });
    const [, ...pages] = await readPages((await download(clerk.visitor, packPath(order))).bytes);
    expect(shown(pages)).toEqual(["Thesis 1", "Thesis 2", "Thesis 3", "File 2 of 2", "Lab 1", "Lab 2"]);
    const plain = await clerkOf(1, { separatesFiles: false });
    const other = await placeFiles(store, plain.id, FILES, { copies: 1 });
    expect(await packOf(other, plain.clerk.visitor)).toHaveLength(7);
  });
});

describe("a pack of several orders", () => {
  const pathOfAll = (...orders: { id: string }[]) => packPath({ id: orders.map(({ id }) => id).join() });

  test("has each ticket before its pages, as often as copies are ordered", async () => {
    const one = { name: "Thesis.pdf", bytes: numberedPdf("Thesis", 2) };
    const other = { name: "Lab.pdf", bytes: numberedPdf("Lab", 1) };
    const first = await placeFiles(store, shopId, [one], { copies: 2 });
    const second = await placeFiles(store, shopId, [other], { copies: 1 });
    const { bytes, headers } = await download(owner.visitor, pathOfAll(first, second, first));
    const pages = await readPages(bytes);
    expect(pages.map((page) => page.split("\n")[0])).toEqual([
      `Order ${first.number}, page 1`,
      "Thesis 1",
      "Thesis 2",
      "Thesis 1",
      "Thesis 2",
      `Order ${second.number}, page 1`,
      "Lab 1",
    ]);
    expect(pages[0]).toContain("Set copies to\n1: all 2 are here");
    expect(pages[5]).not.toContain("Set copies to");
    expect(headers.get("content-disposition")).toContain(`${first.number} ${second.number}.pdf`);
    await expect.poll(() => packsInWork(store)).toEqual([]);
  });

  test("begins each order and each copy on a new sheet where both sides are printed, and many copies share their pages", async () => {
    const { visitor } = await signedInAdmin(store);
    const { id } = await shownShop(visitor);
    const file = { name: "Thesis.pdf", bytes: numberedPdf("Thesis", 3) };
    const orders = [
      await placeFiles(store, id, [file], { copies: 100 }),
      await placeFiles(store, id, [file], { copies: 1 }),
    ];
    const { bytes } = await download(visitor, pathOfAll(...orders));
    const pages = await readPages(bytes);
    const fronts = pages.flatMap((page, at) => (/^Thesis 1$/.test(page) ? at % 2 : []));
    expect(fronts, "each first page is the front of a sheet").toEqual(Array(101).fill(0));
    expect(pages.filter((page) => page.includes("blank side"))).toHaveLength(101);
    // With its own objects each copy takes 10 kB, and the pack minutes.
    expect(bytes.length).toBeLessThan(300_000);
  });

  test("is refused where the printer would need other settings, for an order of another shop, or for too many pages", async () => {
    const file = { name: "Thesis.pdf", bytes: numberedPdf("Thesis", 1) };
    const [first, second] = [
      await placeFiles(store, shopId, [file]),
      await placeFiles(store, shopId, [file]),
    ];
    const change = ({ id }: { id: string }, kind: OptionKind) =>
      store.deps.db
        .updateTable("order_lines")
        .set({ name: "Another" })
        .where("order_id", "=", id)
        .where("kind", "=", kind)
        .execute();
    for (const kind of ["printedColours", "printingSides", "paperTypes", "paperSizes"] as const) {
      await change(second, kind);
      const refused = await owner.visitor.get(pathOfAll(first, second));
      expect([kind, refused.status]).toEqual([kind, 422]);
      expect(refused.body).toContain(`${second.number} is `);
      expect(refused.body).toContain("Print them separately");
      await change(first, kind);
    }
    const elsewhere = await placeFiles(store, otherShopId, [file]);
    expect((await owner.visitor.get(pathOfAll(first, elsewhere))).status).toBe(404);
    const many = Array.from({ length: 31 }, (_, at) => ({ id: `order-${at}` }));
    expect((await owner.visitor.get(pathOfAll(...many))).body).toContain("At most 30 orders");
    const [thousand, further] = [
      await placeFiles(store, shopId, [file], { copies: 1000 }),
      await placeFiles(store, shopId, [file], { copies: 1000 }),
    ];
    const large = await owner.visitor.get(
      pathOfAll(thousand, further, await placeFiles(store, shopId, [file])),
    );
    expect([large.status, large.body]).toEqual([422, expect.stringContaining("more than 2,000 pages")]);
  });

  test("names every order that cannot be printed any more, and why", async () => {
    const file = { name: "Thesis.pdf", bytes: numberedPdf("Thesis", 1) };
    const place = () => placeFiles(store, shopId, [file]);
    const [cancelled, held, gone, printable] = [await place(), await place(), await place(), await place()];
    const { visitor } = owner;
    const reason = "Page 3 is missing";
    expectDone(await visitor.mutate("board.cancel", { orderId: cancelled.id, from: "placed", reason }));
    expectDone(await visitor.mutate("holds.hold", { orderId: held.id, reason }));
    await moveTo(visitor, gone.id, "dispatched");
    const { status, body, headers } = await visitor.get(pathOfAll(cancelled, printable, held, gone));
    expect([status, body]).toEqual([
      410,
      `Order ${cancelled.number} is cancelled. Order ${held.number} is on hold: release it before you print it. The files of order ${gone.number} have been deleted. They cannot be printed again`,
    ]);
    expect(headers.get(REFUSED_ORDERS_HEADER)).toBe([cancelled, held, gone].map(({ id }) => id).join());
    expect((await download(visitor, pathOfAll(printable))).status).toBe(200);
  });
});

describe("a pack of several two-sided orders", () => {
  test("is refused where they are turned over on different edges: booklets and slides that lie on the short one", async () => {
    const { visitor } = await signedInAdmin(store);
    const { id } = await shownShop(visitor);
    const text = { name: "Text.pdf", bytes: numberedPdf("Text", 4) };
    const wide = await PDFDocument.create();
    for (let page = 0; page < 2; page++) wide.addPage([960, 540]);
    const slides = { name: "Slides.pdf", bytes: await wide.save() };
    const booklet = { layout: { pagesPerSide: 2, hasFrames: false, isBooklet: true } } as const;
    const [plain, other] = [await placeFiles(store, id, [text]), await placeFiles(store, id, [text])];
    const folded = await placeFiles(store, id, [text], booklet);
    const lying = await placeFiles(store, id, [slides]);
    const packOf = (...orders: { id: string }[]) =>
      visitor.get(packPath({ id: orders.map(({ id }) => id).join() }));
    const statuses = [await packOf(plain, other), await packOf(folded, lying)].map(({ status }) => status);
    expect(statuses).toEqual([200, 200]);
    for (const short of [folded, lying]) {
      const { status, body } = await packOf(plain, short);
      expect(status).toBe(422);
      expect(body).toMatch(
        new RegExp(`${plain.number} is .*, flip on long edge, ${short.number} is .*, flip on short edge`),
      );
    }
  });
});

describe("a pack that would differ from the bill", () => {
  test("is refused and names the order and the file that is unreadable or lost", async () => {
    const order = await place(["First.pdf", numberedPdf("First", 1)], ["दूसरा.pdf", numberedPdf("Second", 2)]);
    const [first = "", second = ""] = order.fileIds;
    await writeFile(pathOf(store, second), "%PDF-1.7\nand nothing more");
    const damaged = await owner.visitor.get(packPath(order));
    expect([damaged.status, damaged.body]).toEqual([
      422,
      `Order ${order.number}: No print copy of “दूसरा.pdf” can be made: its pages cannot all be copied. Ask the student for it as a new PDF`,
    ]);
    expect(await readPages((await download(owner.visitor, `/files/${first}`)).bytes)).toEqual(["First 1"]);
    await rm(pathOf(store, second));
    expect(damaged.headers.get(REFUSED_ORDERS_HEADER)).toBe(order.id);
    const lost = await owner.visitor.get(packPath(order));
    expect([lost.status, lost.body]).toEqual([
      404,
      `Order ${order.number}: “दूसरा.pdf” is not here any more. Ask the student for it again`,
    ]);
    await expect.poll(() => packsInWork(store)).toEqual([]);
  });

  test("says that a file is not here any more also where it is deleted in the middle of the work", async () => {
    const order = await place(["Thesis.pdf", numberedPdf("Thesis", 2)]);
    const { printCopies } = store.deps;
    store.deps.printCopies = {
      ...printCopies,
      async add(copy, client) {
        await rm(pathOf(store, order.fileIds[0] ?? ""), { force: true });
        return printCopies.add(copy, client);
      },
    };
    const { status, body } = await owner.visitor.get(packPath(order));
    store.deps.printCopies = printCopies;
    expect([status, body]).toEqual([
      404,
      `Order ${order.number}: “Thesis.pdf” is not here any more. Ask the student for it again`,
    ]);
  });

  test("is refused if a file has fewer pages than were counted", async () => {
    const order = await place(["Thesis.pdf", numberedPdf("Thesis", 5)]);
    await writeFile(pathOf(store, order.fileIds[0] ?? ""), numberedPdf("Thesis", 4));
    expect((await owner.visitor.get(packPath(order))).status).toBe(422);
  });

  test("is refused if an order states more pages than its files have, which is logged as an error", async () => {
    const order = await place(["Thesis.pdf", numberedPdf("Thesis", 5)]);
    const log = vi.spyOn(store.deps.log, "error");
    onTestFinished(() => log.mockRestore());
    await store.deps.db.updateTable("orders").set({ pages: 6 }).where("id", "=", order.id).execute();
    const answer = await owner.visitor.get(packPath(order));
    expect([answer.status, answer.body]).toEqual([
      422,
      `Order ${order.number} was billed 6 pages, but its files give 5. It is not printed. Please ask the student`,
    ]);
    expect(answer.headers.get(REFUSED_ORDERS_HEADER)).toBe(order.id);
    expect(log.mock.calls).toMatchObject([[{ orderId: order.id, billed: 6, count: 5 }, expect.any(String)]]);
  });
});

describe("permission to print", () => {
  test("is given to staff of the order's shop and admins", async () => {
    const order = await placeOrder(store, shopId);
    const path = packPath(order);
    const stranger = await signedInOwner(store, [otherShopId]);
    const admin = await signedInAdmin(store);
    const answers = [
      [store.visitor(), 401, "Please log in to continue"],
      [order.visitor, 403, "You do not have permission to do this"],
      [stranger.visitor, 404, "This order was not found"],
    ] as const;
    for (const [visitor, status, words] of answers) {
      const answer = await visitor.get(path);
      expect([answer.status, answer.body]).toEqual([status, words]);
    }
    for (const { visitor } of [owner, admin]) expect((await download(visitor, path)).status).toBe(200);
    expect((await owner.visitor.get(packPath({ id: "never-was" }))).status).toBe(404);
  });

  test("is checked on each request, so that a removed role ends it", async () => {
    const order = await placeOrder(store, shopId);
    const former = await signedInOwner(store, [shopId]);
    expect((await former.visitor.fetch(packPath(order), { method: "HEAD" })).status).toBe(200);
    await store.deps.db.deleteFrom("shop_staff").where("user_id", "=", former.userId).execute();
    expect((await former.visitor.get(packPath(order))).status).toBe(404);
    await store.deps.db
      .updateTable("users")
      .set({ role: "customer" })
      .where("id", "=", former.userId)
      .execute();
    expect((await former.visitor.get(packPath(order))).status).toBe(403);
  });

  test("does not help after an order has left the shop: its files are deleted", async () => {
    const order = await placeOrder(store, shopId);
    await moveTo(owner.visitor, order.id, "dispatched");
    const answer = await owner.visitor.get(packPath(order));
    expect([answer.status, answer.body]).toEqual([
      410,
      `The files of order ${order.number} have been deleted. They cannot be printed again`,
    ]);
  });
});

describe("making packs", () => {
  test("leaves nothing behind after a download or a HEAD request", async () => {
    const order = await place(["Thesis.pdf", numberedPdf("Thesis", 3)]);
    await packOf(order);
    const made = vi.spyOn(store.deps.printCopies, "openFolder");
    onTestFinished(() => made.mockRestore());
    const head = await owner.visitor.fetch(packPath(order), { method: "HEAD" });
    expect(made).not.toHaveBeenCalled();
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    await expect.poll(() => packsInWork(store)).toEqual([]);
  });

  test.each(["a pack", "the print copy of a file"])(
    "of %s stops and leaves nothing behind when the reader disconnects",
    async (what) => {
      const order = await place(["Thesis.pdf", numberedPdf("Thesis", 4), "2-3"]);
      const path = what === "a pack" ? packPath(order) : `/files/${order.fileIds[0]}`;
      const { printCopies } = store.deps;
      const begun = Promise.withResolvers<AbortSignal | undefined>();
      const looked = Promise.withResolvers<void>();
      store.deps.printCopies = {
        ...printCopies,
        async add(copy, client) {
          begun.resolve(client.signal);
          await looked.promise;
          return printCopies.add(copy, client);
        },
      };
      onTestFinished(() => {
        looked.resolve();
        store.deps.printCopies = printCopies;
      });
      const leaving = new AbortController();
      const gone = expect(owner.visitor.fetch(path, { signal: leaving.signal })).rejects.toThrow("abort");
      const signal = await begun.promise;
      leaving.abort();
      await gone;
      await expect.poll(() => signal?.aborted).toBe(true);
      looked.resolve();
      await expect.poll(() => packsInWork(store)).toEqual([]);
    },
  );

  test("works for two at once", async () => {
    const orders = [
      await place(["A.pdf", numberedPdf("A", 12, { each: MB / 4 })], ["B.pdf", numberedPdf("B", 2)]),
      await place(["C.pdf", numberedPdf("C", 12, { each: MB / 4 })], ["D.pdf", numberedPdf("D", 2)]),
    ];
    const [first, second] = await Promise.all(orders.map((order) => packOf(order)));
    expect([first?.at(1), first?.at(-1), first?.length]).toEqual(["A 1", "B 2", 15]);
    expect([second?.at(1), second?.at(-1), second?.length]).toEqual(["C 1", "D 2", 15]);
  });
});
