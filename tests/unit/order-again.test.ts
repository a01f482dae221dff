import { afterEach, expect, test, vi } from "vitest";
import { emptyDraft, parseDraft } from "#client/features/print/draft.ts";
import { openDraft } from "#client/features/print/draft-store.ts";
import { draftAgain, fillDraftAgain } from "#client/features/print/order-again.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { PLAIN_LAYOUT } from "#shared/order-jobs.ts";
import type { Shop } from "#shared/schemas/shops.ts";

afterEach(() => vi.unstubAllGlobals());

/** A shop with only the options `a` and `b` in each list. */
const shop = Object.fromEntries(
  OPTION_KINDS.map((kind) => [
    kind,
    ["a", "b"].map((id) => ({ _id: `${kind} ${id}`, name: `Option ${id}` })),
  ]),
) as unknown as Shop;

const FOUR = { pagesPerSide: 4, hasFrames: true, isBooklet: false } as const;

/** An order with these option ids; `b` by default. */
function orderOf(chosen: Partial<Record<OptionKind, string>> = {}) {
  const options = Object.fromEntries(OPTION_KINDS.map((kind) => [kind, chosen[kind] ?? `${kind} b`]));
  const lines = OPTION_KINDS.map((kind) => ({ kind, name: `${OPTION_FIELDS[kind].label} as ordered` }));
  return {
    number: "K7M4-Q2XD",
    copies: 3,
    message: "Staple it",
    fulfilment: "pickup" as const,
    address: null,
    options: [options as Record<OptionKind, string>],
    jobs: [{ ...FOUR, pageRanges: [null] }],
    quote: { jobs: [{ pages: 2, sheets: 2, lines }] },
  };
}

test("ordering again copies the options, copies and message, for all pages of new files", () => {
  const order = orderOf();
  const { orderKey, ...draft } = draftAgain(shop, order, emptyDraft());
  expect(draft).toEqual({
    files: [],
    pages: "all",
    layout: { pagesPerSide: 4, hasFrames: true, isBooklet: false },
    copies: 3,
    message: "Staple it",
    fulfilment: "pickup",
    options: order.options[0],
    again: { number: "K7M4-Q2XD", gone: [] },
  });
  expect(draftAgain(shop, order, emptyDraft()).orderKey).not.toBe(orderKey);
});

test("ordering again keeps the draft's files, with the pages that its lowered page number had left", () => {
  const file = (id: string) => ({
    key: id,
    name: `${id}.pdf`,
    bytes: 10,
    uploaded: { id, url: `/files/${id}`, pages: 20 },
  });
  const { files, pages } = draftAgain(shop, orderOf(), { files: [file("a"), file("b")], pages: 3 });
  expect([pages, ...files.map(({ ranges }) => ranges)]).toEqual(["all", "1-3", "none"]);
});

test("ordering again divides by colour once more, but cannot know which new file had other options: it names them", () => {
  const one = orderOf();
  const [lines = []] = one.quote.jobs.map((job) => job.lines);
  const inColour = lines.map((line) => (line.kind === "printedColours" ? { ...line, name: "Colour" } : line));
  const quote = { jobs: [lines, inColour].map((ofJob) => ({ pages: 2, sheets: 2, lines: ofJob })) };
  const options = [one.options[0] ?? {}, { ...one.options[0], printedColours: "printedColours a" }];
  const again = (...pageRanges: string[][]) =>
    draftAgain(
      shop,
      { ...one, options, quote, jobs: pageRanges.map((ranges) => ({ ...FOUR, pageRanges: ranges })) },
      emptyDraft(),
    );
  const divided = again(["1-2", "none"], ["3", "all"]);
  expect([divided.isColourApart, divided.again?.parts]).toEqual([true, undefined]);
  const whole = again(["1-2", "none"], ["none", "1-3"]);
  expect([whole.isColourApart, whole.again?.parts]).toEqual([undefined, ["Colour"]]);
  expect(parseDraft(whole)).toEqual(whole);
});

test("ordering again names a file's other layout, also where the pages in colour of another file were apart", () => {
  const one = orderOf();
  const [options = {}] = one.options;
  const [lines = []] = one.quote.jobs.map((job) => job.lines);
  const inColour = lines.map((line) => (line.kind === "printedColours" ? { ...line, name: "Colour" } : line));
  const { isColourApart, again } = draftAgain(
    shop,
    {
      ...one,
      options: [options, { ...options, printedColours: "printedColours a" }, options],
      quote: { jobs: [lines, inColour, lines].map((ofJob) => ({ pages: 2, sheets: 2, lines: ofJob })) },
      jobs: [
        { ...PLAIN_LAYOUT, pageRanges: ["1-2", "none"] },
        { ...PLAIN_LAYOUT, pageRanges: ["3", "none"] },
        { ...FOUR, pageRanges: ["none", null] },
      ],
    },
    emptyDraft(),
  );
  expect([isColourApart, again?.parts]).toEqual([
    undefined,
    ["Colour", expect.stringContaining("4 on a side")],
  ]);
});

test("ordering again replaces the waiting draft: of its choices for other files nothing stays", () => {
  vi.stubGlobal("window", { localStorage: { getItem: () => null }, addEventListener() {} });
  const draft = openDraft("student", shop._id);
  draft.setState({ isColourApart: true, jobs: [FOUR] });
  fillDraftAgain("student", shop, orderOf());
  expect(draft.getState()).toMatchObject({ copies: 3, again: { number: "K7M4-Q2XD" } });
  expect([draft.getState().isColourApart, draft.getState().jobs]).toEqual([undefined, undefined]);
});

test("ordering again brings the order's address along with the draft, and that of the next one in its place", () => {
  const address = { country: "India, Jalandhar", roadNo: "GT Road", flatno: "A-12", fullname: "Asha Verma" };
  const draft = draftAgain(shop, { ...orderOf(), address }, emptyDraft());
  expect(parseDraft(draft).address).toEqual(address);
  expect(parseDraft({ ...draft, address: { ...address, flatno: 12 } }).address).toBeUndefined();
  expect(draftAgain(shop, orderOf(), draft).address).toBeUndefined();
});

test("an option matches by id: another option of the same name is not selected", () => {
  const order = orderOf({ bindingOptions: "an id of old", paperSizes: "paperSizes a" });
  const { options, again } = draftAgain(shop, order, emptyDraft());
  expect(options.bindingOptions).toBeUndefined();
  expect(options.paperSizes).toBe("paperSizes a");
  expect(again?.gone).toEqual([{ label: "Binding", name: "Binding as ordered" }]);
});
