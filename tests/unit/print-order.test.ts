import { TRPCClientError } from "@trpc/client";
import { describe, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { findFileProblem, type PrintFile, summariseUploads } from "#client/features/files/print-file.ts";
import { isUnderWay, refusedPhase } from "#client/features/files/upload-phases.ts";
import { readUploaded } from "#client/features/files/upload-request.ts";
import {
  changeFiles,
  type Draft,
  draftName,
  emptyDraft,
  parseChoices,
  parseDraft,
  placedDraft,
} from "#client/features/print/draft.ts";
import { clearDraft, draftFiles, openDraft } from "#client/features/print/draft-store.ts";
import { bringFiles, findFilesElsewhere } from "#client/features/print/known-shops.ts";
import { orderedFiles, resendUnanswered, toOrderData } from "#client/features/print/order-data.ts";
import { explainLine, labelOption, PriceLines } from "#client/features/print/prices.tsx";
import { planPrint } from "#client/features/print/print-plan.ts";
import { choosePagesAgain, otherPrinting, wishedPages } from "#client/features/reprints/reprint-files.ts";
import { formatBytes } from "#shared/format.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import { PLAIN_LAYOUT } from "#shared/order-jobs.ts";
import { MAX_COPIES, MAX_PAGES } from "#shared/order-limits.ts";
import { priceOrder, type Selection } from "#shared/pricing.ts";
import { countPrinted, firstPages, NO_PAGES } from "#shared/print-pages.ts";
import type { Shop, ShopOption } from "#shared/schemas/shops.ts";

const file = (pages: number | null) => ({
  key: `key${pages}`,
  name: `${pages}.pdf`,
  bytes: 10,
  uploaded: pages === null ? null : { id: `${pages}`, url: `/files/${pages}`, pages },
});

function option(name: string, rupees: number, basis: ShopOption["basis"] = "page"): ShopOption {
  return { _id: name, name, price: rupees, pricePaise: rupees * 100, basis, sides: 1 };
}

/** A shop with two options in each list: the default is free, the other costs ₹1 per page. */
function shopOf(): Shop {
  const lists = Object.fromEntries(
    OPTION_KINDS.map((kind) => [kind, [option("usual", 0), option("other", 1)]]),
  );
  return lists as unknown as Shop;
}

describe("a draft", () => {
  test("counts only uploaded files", () => {
    expect(summariseUploads([file(3), file(null), file(4)])).toEqual({
      totalPages: 7,
      filesUrl: ["/files/3", "/files/4"],
      orderPageData: [
        { id: "3", name: "3.pdf", pages: 3, pageRanges: null, url: "/files/3" },
        { id: "4", name: "4.pdf", pages: 4, pageRanges: null, url: "/files/4" },
      ],
    });
  });

  test("has the pages that were typed in the digits of an Indian keyboard", () => {
    const { orderPageData } = summariseUploads([{ ...file(4), ranges: "१-२, ৪" }]);
    expect(orderPageData.map(({ pageRanges }) => pageRanges)).toEqual(["1-2, 4"]);
  });

  test.each([null, "", [], { files: "none" }, { copies: 0 }])("stored as %j starts empty", (stored) => {
    const { orderKey, ...draft } = parseDraft(stored);
    expect(orderKey).toMatch(/^[0-9a-f]{32}$/);
    expect(draft).toEqual({
      files: [],
      pages: "all",
      layout: { pagesPerSide: 1, hasFrames: false, isBooklet: false },
      copies: 1,
      options: {},
      message: "",
      fulfilment: "delivery",
    });
  });

  test("is read back as it was stored, with its order key", () => {
    const draft = { ...emptyDraft(), files: [file(3)], pages: 2, options: { paperTypes: "a" } };
    expect(parseDraft(draft)).toEqual(draft);
    expect(parseChoices({ paperTypes: "a" })).toEqual({ paperTypes: "a" });
    expect(parseChoices({ nonsense: 1 })).toEqual({});
  });

  test("with as many pages and copies as an order may have is read back, with more it starts empty", () => {
    const most = { ...emptyDraft(), pages: MAX_PAGES, copies: MAX_COPIES };
    expect(parseDraft(most)).toEqual(most);
    expect(parseDraft({ ...most, pages: MAX_PAGES + 1 })).toMatchObject({ pages: "all", copies: 1 });
    expect(parseDraft({ ...most, copies: MAX_COPIES + 1 })).toMatchObject({ pages: "all", copies: 1 });
  });

  test("two drafts never share an order key", () => {
    expect(emptyDraft().orderKey).not.toBe(emptyDraft().orderKey);
  });
});

test("the next order begins with a key of its own and the files that were not ordered", () => {
  const store = createStore(() => ({
    ...emptyDraft(),
    files: [file(3), file(4)],
    copies: 5,
    message: "Soon",
  }));
  const { orderKey } = store.getState();
  clearDraft(store, ({ key }) => key === "key3");
  expect(store.getState()).toMatchObject({ files: [file(4)], copies: 1, message: "" });
  expect(store.getState().orderKey).not.toBe(orderKey);
});

test("a file that was converted is checked first, then page ranges are corrected", () => {
  const uploaded = { id: "a", url: "/files/a", pages: 3, convertedFrom: "docx" };
  const converted = { ...file(3), name: "Essay.docx", uploaded };
  const wrong = { ...file(4), ranges: "9" };
  expect(findFileProblem([file(3), wrong, converted])).toBe("Check the pages of “Essay.docx” first");
  const approved = { ...converted, isApproved: true };
  expect(findFileProblem([approved, wrong])).toBe("Correct the pages to print of “4.pdf”");
  expect(findFileProblem([approved, file(4), { ...wrong, uploaded: null }])).toBeNull();
});

describe("a print plan", () => {
  test("prefers the draft's option, then the remembered one, then the shop's default", () => {
    const draft = { ...emptyDraft(), options: { paperTypes: "other", paperSizes: "gone" } };
    const remembered = { paperTypes: "usual", coverOptions: "other" };
    const { options, choices } = planPrint(shopOf(), draft, remembered);
    expect(choices).toEqual({ paperTypes: "other", paperSizes: "gone", coverOptions: "other" });
    expect(options?.paperTypes.name).toBe("other");
    expect(options?.coverOptions.name).toBe("other");
    expect(options?.paperSizes.name).toBe("usual");
  });

  test("never prints more pages than there are, and has no price without pages or copies", () => {
    const draft = { ...emptyDraft(), files: [file(3)], options: { paperTypes: "other" }, pages: 9 };
    const plan = planPrint(shopOf(), draft, {});
    expect([plan.pages, plan.quote?.subTotalPaise]).toEqual([3, 300]);
    expect(planPrint(shopOf(), { ...draft, pages: "" }, {}).quote).toBeNull();
    expect(planPrint(shopOf(), { ...draft, copies: "" }, {}).quote).toBeNull();
    expect(planPrint(shopOf(), emptyDraft(), {}).quote).toBeNull();
  });

  test("is for pickup only where the shop offers it, whatever the draft says", () => {
    const draft: Draft = { ...emptyDraft(), fulfilment: "pickup" };
    expect(planPrint({ ...shopOf(), offersPickup: true }, draft, {}).fulfilment).toBe("pickup");
    expect(planPrint({ ...shopOf(), offersPickup: false }, draft, {}).fulfilment).toBe("delivery");
  });

  test("has no options if one of the shop's lists is empty", () => {
    expect(planPrint({ ...shopOf(), paperSizes: [] }, emptyDraft(), {}).options).toBeNull();
  });
});

describe("a lowered number of pages", () => {
  const [thesis, notes, lab] = [
    { ...file(20), name: "Thesis.pdf" },
    { ...file(5), name: "Notes.pdf" },
    { ...file(4), name: "Lab.pdf" },
  ];
  const draftOf = (files: Draft["files"], pages: Draft["pages"]): Draft => ({
    ...emptyDraft(),
    files,
    pages,
  });
  const waiting = (uploaded: Draft["files"][number]) => ({ ...uploaded, uploaded: null });
  const patch = (draft: Draft, key: string, change: Partial<Draft["files"][number]>): Draft => ({
    ...draft,
    ...changeFiles(draft, (files) => files.map((each) => (each.key === key ? { ...each, ...change } : each))),
  });
  /** Adds a file as an upload does: first to the list, then with the server's response. */
  function add(draft: Draft, added: Draft["files"][number]): Draft {
    const listed = { ...draft, ...changeFiles(draft, (files) => [...files, waiting(added)]) };
    return patch(listed, added.key, { uploaded: added.uploaded });
  }
  /** The page count and each file's page ranges; also checks that the order data agrees with them. */
  function printed(draft: Draft) {
    const shop = shopOf();
    const { files, pages, copies, options, quote } = planPrint(shop, draft, {});
    if (pages && copies && options && quote) {
      const order = toOrderData({ shop, userEmail: "", draft, pages, copies, options, quote });
      expect(order.noOfPages).toBe(countPrinted(files));
      const wished = files.map(({ id, pages }) => ({
        pages,
        pageRanges: order.pageRanges?.find(({ public_id }) => public_id === id)?.pages ?? null,
      }));
      expect(firstPages(wished, Number(order.noOfPages)).map(({ pageRanges }) => pageRanges)).toEqual(
        files.map(({ pageRanges }) => pageRanges),
      );
    }
    return [pages, ...files.map(({ pageRanges }) => pageRanges)];
  }

  test("grows by all pages of an added file, and keeps the pages of the others", () => {
    expect(printed(add(draftOf([thesis], 3), notes))).toEqual([8, "1-3", null]);
    const lowered = draftOf([{ ...thesis, ranges: "4-9" }, notes], 2);
    expect(printed(add(lowered, lab))).toEqual([6, "4-5", NO_PAGES, null]);
    const underWay = draftOf([waiting(notes), thesis], 3);
    expect(printed(patch(underWay, notes.key, { uploaded: notes.uploaded }))).toEqual([8, null, "1-3"]);
    expect(printed(add(draftOf([], 3), notes))).toEqual([5, null]);
    expect(printed(add(draftOf([thesis], "all"), notes))).toEqual([25, null, null]);
  });

  test("keeps the pages of the other files when page ranges are typed for one", () => {
    const both = draftOf([thesis, notes], 3);
    expect(printed(patch(both, notes.key, { ranges: "2-4" }))).toEqual([6, "1-3", "2-4"]);
    expect(printed(patch(both, notes.key, { ranges: "" }))).toEqual([8, "1-3", null]);
    expect(printed(patch(both, thesis.key, { ranges: "7-8" }))).toEqual([2, "7-8", NO_PAGES]);
    expect(printed(patch(draftOf([thesis], ""), thesis.key, { ranges: "7-8" }))).toEqual([2, "7-8"]);
  });

  test("remembers the pages of a file the server lost, until it is uploaded again", () => {
    const lost = patch(draftOf([thesis, notes], 22), thesis.key, { uploaded: null });
    expect(printed(lost)).toEqual([2, "1-2"]);
    const gone = patch(draftOf([thesis], 3), thesis.key, { uploaded: null });
    expect(printed(patch(gone, thesis.key, { uploaded: thesis.uploaded }))).toEqual([3, "1-3"]);
  });

  test("is as it was where a removal is undone before anything else changed", () => {
    const store = createStore(() => draftOf([thesis, notes, lab], 22));
    const chosen = draftFiles(store, "student");
    const putThesisBack = chosen.takeOff(thesis);
    const putLabBack = chosen.takeOff(lab);
    putLabBack();
    putThesisBack();
    expect(store.getState()).toMatchObject({ files: [thesis, notes, lab], pages: 22 });

    const putBack = chosen.takeOff(thesis);
    store.setState({ pages: 2 });
    putBack();
    expect(printed(store.getState())).toEqual([22, null, "1-2", NO_PAGES]);

    const putLabBackLater = chosen.takeOff(lab);
    chosen.change((files) => [...files, waiting(file(9))]);
    putLabBackLater();
    expect(store.getState().files.map(({ name }) => name)).toEqual([
      ...["Thesis.pdf", "Notes.pdf", "Lab.pdf", "9.pdf"],
    ]);
  });

  test("does not change without a change of the files, and keeps an invalid page range as typed", () => {
    const wrong = { ...thesis, ranges: "10-40" };
    expect(changeFiles(draftOf([thesis], 3), (files) => [...files])).toEqual({ files: [thesis], pages: 3 });
    expect(add(draftOf([thesis], ""), notes).pages).toBe("");
    expect(add(draftOf([wrong], 3), notes).files[0]?.ranges).toBe("10-40");
    expect(add(draftOf([{ ...notes, ranges: " None" }, thesis], 3), lab).files[0]?.ranges).toBe(" None");
  });
});

describe("the file list of a saved order", () => {
  const [thesis, notes] = [
    { ...file(10), name: "Thesis.pdf" },
    { ...file(4), name: "Notes.pdf" },
  ];

  /** The order data that Continue saves for a draft with these files. */
  function continued(files: (typeof thesis & { ranges?: string })[], pages: number | "all" = "all") {
    const shop = shopOf();
    const draft = { ...emptyDraft(), files, pages };
    const plan = planPrint(shop, draft, {});
    if (!plan.pages || !plan.copies || !plan.options || !plan.quote) throw new Error("nothing to order");
    const { copies, options, quote } = plan;
    return toOrderData({ shop, userEmail: "", draft, pages: plan.pages, copies, options, quote });
  }
  const facts = (...args: Parameters<typeof orderedFiles>) => orderedFiles(...args).map((line) => line.facts);

  test("shows the ordered pages, whatever was changed in the draft since", () => {
    const order = continued([{ ...thesis, ranges: "1-5" }, notes]);
    const changed = [
      { ...thesis, ranges: "6-10" },
      { ...notes, ranges: "2" },
    ];
    expect(facts(order, changed)).toEqual(["only pages 1-5: 5 of 10 pages", "4 pages"]);
    expect(facts(continued([thesis, notes], 11), [notes, thesis])).toEqual([
      "10 pages",
      "only page 1: 1 of 4 pages",
    ]);
    expect(facts(continued([thesis, notes], 3), [thesis, notes])).toEqual([
      "only pages 1-3: 3 of 10 pages",
      "not printed",
    ]);
  });

  test("shows no pages for a file that left the draft, or for files after it", () => {
    const order = continued([thesis, notes], 12);
    expect(orderedFiles(order, [notes])).toEqual([
      { key: "/files/10", name: "File 1", facts: undefined },
      { key: "/files/4", name: "Notes.pdf", facts: undefined },
    ]);
    expect(facts(order, [thesis])).toEqual(["10 pages", undefined]);
  });
});

test("files at another shop are offered here, those of a reprint are not", () => {
  const stored = (name: string, chosenAt = Date.now(), more: Record<string, string> = {}) => {
    const localStorage: Record<string, unknown> = {
      [name]: JSON.stringify({ ...emptyDraft(), files: [{ ...file(3), chosenAt }] }),
      ...more,
      getItem: (key: string) => localStorage[key] ?? null,
    };
    vi.stubGlobal("window", { localStorage });
    return findFilesElsewhere("asha", "here");
  };
  expect(stored("draft:asha:there")).toEqual({ shopId: "there", names: ["3.pdf"] });
  expect(stored(draftName("asha", placedDraft("an-order")))).toBeNull();
  expect(stored("draft:meera:there")).toBeNull();
  // The store has deleted them by then.
  expect(stored("draft:asha:there", Date.now() - 24 * 60 * 60 * 1000)).toBeNull();
  const earlier = { ...emptyDraft(), files: [{ ...file(4), chosenAt: Date.now() - 1000 }] };
  const both = stored("draft:asha:there", Date.now(), { "draft:asha:before": JSON.stringify(earlier) });
  expect(both).toEqual({ shopId: "there", names: ["3.pdf"] });
  vi.unstubAllGlobals();
});

test("files brought from another shop keep their pages and layout, but no options of that shop", () => {
  vi.stubGlobal("window", { addEventListener() {} });
  const there = openDraft("asha", "there");
  const layout = { ...PLAIN_LAYOUT, pagesPerSide: 2 } as const;
  const own = { layout, options: { paperTypes: "theirs" } };
  there.setState({ files: [{ ...file(3), chosenAt: Date.now(), own }], pages: 2 });
  const here = draftFiles(openDraft("asha", "here"), "asha");
  bringFiles(here, { shopId: "there", names: ["3.pdf"] });
  expect(here.list().map(({ name, ranges, own }) => ({ name, ranges, own }))).toEqual([
    { name: "3.pdf", ranges: "1-2", own: { layout, options: {} } },
  ]);
  expect(there.getState().files).toEqual([]);
  vi.unstubAllGlobals();
});

test("an order that got no response is sent again twice, a refused one is not", () => {
  const lost = new TRPCClientError("fetch failed");
  const refused = new TRPCClientError("no", {
    result: { error: { data: { appCode: "PRICE_CHANGED" }, message: "no", code: 0 } },
  });
  expect([0, 1, 2].map((resends) => resendUnanswered(resends, lost))).toEqual([true, true, false]);
  expect(resendUnanswered(0, refused)).toBe(false);
});

describe("the files of a reprint", () => {
  const upload = (key: string, ranges?: string) => ({
    key,
    name: "Notes.pdf",
    bytes: 10,
    uploaded: { id: key, url: `/files/${key}`, pages: 10 },
    ...(ranges !== undefined && { ranges }),
  });
  const part = (pageRanges: string | null) => ({ name: "Notes.pdf", pages: 10, pageRanges });
  const rangesOf = (...args: Parameters<typeof choosePagesAgain>) =>
    choosePagesAgain(...args).map(({ ranges }) => ranges);

  test("select the pages of the original order again, each part of a file once", () => {
    const parts = [part("1-5"), part("6-10")];
    expect(rangesOf([upload("a"), upload("b"), upload("c")], parts)).toEqual(["1-5", "6-10", undefined]);
    expect(rangesOf([upload("b", "6-10"), upload("c")], parts)).toEqual(["6-10", "1-5"]);
    expect(rangesOf([upload("a"), upload("b")], [part(null), part("none")])).toEqual(["", undefined]);
    expect(rangesOf([{ ...upload("a"), name: "Other.pdf" }], parts)).toEqual([undefined]);
    const answer = { secure_url: "/files/a", public_id: "a", pages: 10, original_filename: "Notes.pdf" };
    const renamed = { ...upload("a"), name: "Notes.docx", uploaded: readUploaded(answer) };
    expect(rangesOf([renamed], parts)).toEqual(["1-5"]);
    expect(rangesOf([{ ...upload("a"), uploaded: null }], parts)).toEqual([undefined]);
  });

  test("keep the student's own choice, and stay empty if the field was emptied", () => {
    expect(rangesOf([upload("a", "2"), upload("b", "")], [part("1-5")])).toEqual(["2", ""]);
  });

  test("are ordered with explicit page ranges, even for all pages", () => {
    const { orderPageData } = summariseUploads([upload("a", "2-"), upload("b", "")]);
    expect(wishedPages(orderPageData)).toEqual([
      { public_id: "a", pages: "2-10" },
      { public_id: "b", pages: "1-10" },
    ]);
  });

  test("with another number of pages are printed the same where they were in several parts, and are named", () => {
    const printed = [
      { name: "Cover.pdf", pages: 1, pageRanges: null },
      { name: "Notes.pdf", pages: 9, pageRanges: null },
    ];
    const partOf = (name: string, ...pageRanges: (string | null)[]) => ({
      job: { ...PLAIN_LAYOUT, pageRanges },
      count: { pages: 1, sheets: 1, lines: [{ kind: "printedColours", name } as const] },
    });
    const textsOf = (files: PrintFile[], parts: ReturnType<typeof partOf>[]) =>
      otherPrinting(files, printed, {
        jobs: parts.map(({ job }) => job),
        quote: { jobs: parts.map(({ count }) => count) },
      });
    const notes = (pages: number, name = "Notes.pdf") => ({ ...file(pages), name });
    const divided = [partOf("Black", null, "1-2, 5-9"), partOf("Colour", "none", "3-4")];
    const text = "“Notes.pdf” has 8 pages and had 9. They are all printed the same: Black";
    expect(textsOf([notes(8)], divided)).toEqual([text]);
    expect(textsOf([notes(8), notes(9)], divided)).toEqual([text]);
    expect(textsOf([file(1), notes(8, "Notes again.pdf")], divided)).toHaveLength(1);
    expect(textsOf([file(null), notes(9)], divided)).toEqual([]);
    expect(textsOf([{ ...notes(8), ranges: NO_PAGES }], divided)).toEqual([]);
    expect(textsOf([file(3), notes(1, "Cover (1).pdf")], divided)).toEqual([]);
    expect(textsOf([notes(8), file(2)], divided)).toEqual([text]);
    expect(textsOf([notes(8)], [partOf("Black", null, "none"), partOf("Colour", "none", null)])).toEqual([]);
    expect(textsOf([notes(8)], [partOf("Black", null, null)])).toEqual([]);
  });
});

test("the price has a line for each price of an option: a change during a hold leaves one at two", () => {
  const options = (pricePaise: number) =>
    Object.fromEntries(
      OPTION_KINDS.map((kind) => [kind, { name: "usual", pricePaise, basis: "page", sides: 1 }]),
    ) as unknown as Selection;
  const jobs = [100, 200].map((pricePaise) => ({ pages: 1, options: options(pricePaise) }));
  const list = PriceLines({ quote: priceOrder({ jobs, copies: 1 }), copies: 1, fulfilment: "delivery" });
  const keys: string[] = list.props.children[0].map(({ key }: { key: string }) => key);
  expect([keys.length, new Set(keys).size]).toEqual([12, 12]);
});

test.each([
  ["delivery", "remainder of ₹12.00 ÷ ₹20"],
  ["pickup", "none for pickup"],
  ["counter", "none at the counter"],
] as const)("the delivery fee of an order for %s is explained", (fulfilment, detail) => {
  const options = Object.fromEntries(
    OPTION_KINDS.map((kind) => [kind, { name: "usual", pricePaise: 200, basis: "page", sides: 1 }]),
  ) as unknown as Selection;
  const quote = priceOrder({ jobs: [{ pages: 1, options }], copies: 1, fulfilment });
  const lines: { props: { term?: string; detail?: string } }[] = PriceLines({ quote, copies: 1, fulfilment })
    .props.children;
  expect(lines.find(({ props }) => props?.term === "Delivery fee")?.props.detail).toBe(detail);
});

describe("labels of the order form", () => {
  test.each([
    ["page", 64, "32 pages × 2 copies × ₹0.50"],
    ["sheet", 2, "1 sheet × 2 copies × ₹0.50"],
    ["copy", 2, "2 copies × ₹0.50"],
    ["order", 1, "once × ₹0.50"],
  ] as const)("explain a price per %s", (basis, quantity, text) => {
    const line = {
      kind: "paperTypes",
      name: "70 GSM",
      unitPaise: 50,
      basis,
      quantity,
      amountPaise: 0,
    } as const;
    expect(explainLine(line, 2)).toBe(text);
  });

  test("show what an option adds", () => {
    expect(labelOption(option("Spiral", 35, "copy"))).toBe("Spiral · ₹35.00 a copy");
    expect(labelOption(option("A4", 0))).toBe("A4 · no charge");
  });

  test.each([
    [0, "1 kB"],
    [1024 * 150, "150 kB"],
    [1024 * 1024 * 2.5, "2.5 MB"],
    [1024 ** 4 * 3, "3,072 GB"],
  ])("show %i bytes as %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  test("an option that has run out says so in place of its price", () => {
    expect(labelOption({ ...option("A3", 2), isOut: true })).toBe("A3 · out of stock");
  });

  test("an uploaded file has one page where the answer does not say, and an answer without sense is refused", () => {
    const answer = { secure_url: "/files/a", public_id: "a" };
    expect(readUploaded(answer)).toEqual({ id: "a", url: "/files/a", pages: 1 });
    expect(readUploaded({ ...answer, pages: 3, converted_from: "docx" })).toEqual({
      ...{ id: "a", url: "/files/a", pages: 3 },
      convertedFrom: "docx",
    });
    for (const wrong of [
      null,
      {},
      { ...answer, pages: 0 },
      { ...answer, pages: 2.5 },
      { ...answer, pages: "3" },
    ])
      expect(() => readUploaded(wrong)).toThrow("could not be read");
  });

  test("a refused file asks for its password, again after a wrong one, and is not offered a retry in vain", () => {
    expect(refusedPhase("why", "locked")).toEqual({ step: "locked", message: "why", isWrong: false });
    expect(refusedPhase("why", "wrong")).toEqual({ step: "locked", message: "why", isWrong: true });
    expect(refusedPhase("why", "useless")).toEqual({ step: "failed", message: "why", isUseless: true });
    expect(refusedPhase("why", undefined)).toEqual({ step: "failed", message: "why", isUseless: false });
  });

  test("an upload that failed or is done does not count as running", () => {
    expect(isUnderWay({ step: "waiting" })).toBe(true);
    expect(isUnderWay({ step: "failed", message: "" })).toBe(false);
    expect(isUnderWay({ step: "done", pages: 1 })).toBe(false);
  });
});
