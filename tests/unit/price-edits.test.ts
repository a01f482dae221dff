import { describe, expect, test } from "vitest";
import {
  editPrices,
  findIssues,
  type PriceAction,
  type PriceEditing,
  startEditing,
  toDraft,
  toLists,
} from "#admin/features/prices/price-draft.ts";
import { mergeByName, raisePrices, rebaseLists } from "#admin/features/prices/price-list-changes.ts";
import { isColourName, MAX_OPTIONS, mapKinds } from "#shared/options.ts";
import {
  comparePriceLists,
  describeEntry,
  emptyLists,
  isSameEntry,
  type PriceEntry,
  type PriceLists,
} from "#shared/price-list.ts";
import { namesOf, priceEntry, smallPriceList } from "../factories/shops.ts";

/** A saved option with this id. */
function saved(id: string, pricePaise = 100, fields: Partial<PriceEntry> = {}): PriceEntry {
  return priceEntry(id.toUpperCase(), pricePaise, { id, ...fields });
}

/** A price list with these bindings; all other options are saved ones. */
function listsWith(bindingOptions: PriceEntry[]): PriceLists {
  const others = mapKinds((kind) => smallPriceList()[kind].map((entry) => ({ ...entry, id: kind })));
  return { ...others, bindingOptions };
}

const ABC = listsWith([saved("a"), saved("b"), saved("c")]);

describe("comparing two price lists", () => {
  test("finds additions, changes, removals and a new order, by id", () => {
    const after = listsWith([saved("c"), saved("a", 150), priceEntry("New", 5)]);
    expect(comparePriceLists(ABC, after).filter(({ kind }) => kind === "bindingOptions")).toEqual([
      { kind: "bindingOptions", type: "changed", before: saved("a"), after: saved("a", 150) },
      { kind: "bindingOptions", type: "added", after: priceEntry("New", 5) },
      { kind: "bindingOptions", type: "removed", before: saved("b") },
      { kind: "bindingOptions", type: "reordered", before: ABC.bindingOptions, after: after.bindingOptions },
    ]);
  });

  test("reports no new order when options were only added or removed", () => {
    const after = listsWith([priceEntry("First", 1), saved("a"), saved("c"), priceEntry("Last", 1)]);
    const types = comparePriceLists(ABC, after).map(({ type }) => type);
    expect(types).not.toContain("reordered");
  });
});

describe("comparing options", () => {
  test.each([
    ["name", { name: "Other" }],
    ["price", { pricePaise: 101 }],
    ["basis", { basis: "order" }],
    ["sides", { sides: 2 }],
    ["colour", { inColour: true }],
    ["being on", { active: false }],
  ] as const)("finds another %s", (_what, change) => {
    expect(isSameEntry(saved("a"), { ...saved("a"), ...change })).toBe(false);
    expect(isSameEntry(saved("a"), saved("a"))).toBe(true);
  });

  test("finds a new order of ids that read the same one after the other", () => {
    const changes = comparePriceLists(
      listsWith([saved("a"), saved("aa")]),
      listsWith([saved("aa"), saved("a")]),
    );
    expect(changes.map(({ type }) => type)).toEqual(["reordered"]);
  });

  test("does not miss a new option that was not there before", () => {
    const unsaved = listsWith([priceEntry("New", 5)]);
    expect(comparePriceLists(unsaved, unsaved)).toEqual([
      { kind: "bindingOptions", type: "added", after: priceEntry("New", 5) },
    ]);
  });

  test("describes an option in words", () => {
    const words = (fields: Partial<PriceEntry>) => describeEntry({ ...saved("a", 3500), ...fields });
    expect(words({ basis: "page" })).toBe("₹35.00 a page");
    expect(words({ basis: "sheet" })).toBe("₹35.00 a sheet");
    expect(words({ basis: "copy", sides: 2, active: false })).toBe("₹35.00 a copy, both sides, off");
    expect(words({ basis: "order" })).toBe("₹35.00 an order");
    expect(words({ basis: "page", inColour: true })).toBe("₹35.00 a page, in colour");
  });

  test("names the lists from which nothing can be chosen", () => {
    expect(emptyLists(ABC)).toEqual([]);
    expect(emptyLists(listsWith([saved("a", 1, { active: false })]))).toEqual(["bindingOptions"]);
    expect(emptyLists(listsWith([saved("a", 1, { active: false }), saved("b")]))).toEqual([]);
  });
});

describe("editing a price list", () => {
  const start = () => startEditing({ version: 1, lists: ABC });
  const edit = (...actions: PriceAction[]) => actions.reduce(editPrices, start());
  const keysOf = (editing = start()) => editing.draft.bindingOptions.map(({ key }) => key);

  test("typing in the blank row adds an option in its place and a new blank row", () => {
    const editing = start();
    const blank = keysOf(editing).at(-1) ?? "";
    const typed = editPrices(editing, {
      type: "cell",
      kind: "bindingOptions",
      row: blank,
      change: { name: "Wire", price: "40" },
    });
    expect(toLists(typed.draft).bindingOptions.at(-1)).toEqual(priceEntry("Wire", 4000, { basis: "copy" }));
    const { coverOptions, paperTypes } = typed.draft;
    expect([coverOptions.at(-1)?.basis, paperTypes.at(-1)?.basis]).toEqual(["copy", "page"]);
    expect(keysOf(typed).slice(0, 4)).toEqual(keysOf(editing));
    expect(keysOf(typed)).toHaveLength(5);
  });

  test("pasted rows replace existing rows and continue below them", () => {
    const editing = start();
    const pasted = editPrices(editing, {
      type: "paste",
      kind: "bindingOptions",
      row: keysOf(editing)[2] ?? "",
      rows: [{ name: "One", price: "1" }, { name: "Two" }, { name: "Three", price: "3" }],
    });
    expect(toLists(pasted.draft).bindingOptions.map(({ id, name }) => [id, name])).toEqual([
      ["a", "A"],
      ["b", "B"],
      ["c", "One"],
      [undefined, "Two"],
      [undefined, "Three"],
    ]);
    expect(new Set(keysOf(pasted)).size).toBe(6);
  });

  test("a row can move up and down, but not below the blank row", () => {
    const order = (...actions: PriceAction[]) => namesOf(toLists(edit(...actions).draft)).bindingOptions;
    expect(order({ type: "move", kind: "bindingOptions", from: 0, to: 2 })).toEqual(["B", "C", "A"]);
    expect(order({ type: "move", kind: "bindingOptions", from: 2, to: 0 })).toEqual(["C", "A", "B"]);
    expect(order({ type: "move", kind: "bindingOptions", from: 2, to: 3 })).toEqual(["A", "B", "C"]);
    expect(order({ type: "move", kind: "bindingOptions", from: 0, to: -1 })).toEqual(["A", "B", "C"]);
  });

  test("undo reverts a whole typed word, then the step before it", () => {
    let editing = start();
    const [first = "", second = ""] = keysOf(editing);
    editing = editPrices(editing, { type: "remove", kind: "bindingOptions", row: second });
    for (const name of ["W", "Wi", "Wire"]) {
      editing = editPrices(editing, { type: "cell", kind: "bindingOptions", row: first, change: { name } });
    }
    editing = editPrices(editing, { type: "undo" });
    expect(namesOf(toLists(editing.draft)).bindingOptions).toEqual(["A", "C"]);
    editing = editPrices(editing, { type: "undo" });
    expect(toLists(editing.draft)).toEqual(ABC);
    expect(editPrices(editing, { type: "undo" })).toBe(editing);
  });

  test("after a save, rows have their new ids, keep their places and cannot be undone", () => {
    const editing = start();
    const key = keysOf(editing).at(-1) ?? "";
    const change = { name: "Wire", price: "40" };
    const typed = editPrices(editing, { type: "cell", kind: "bindingOptions", row: key, change });
    const lists = listsWith([...ABC.bindingOptions, priceEntry("Wire", 4000, { basis: "copy", id: "wire" })]);
    const after = editPrices(typed, { type: "saved", base: { version: 2, lists }, sent: typed.draft });
    expect(after.draft.bindingOptions.find((row) => row.key === key)).toMatchObject({ id: "wire" });
    expect(comparePriceLists(lists, toLists(after.draft))).toEqual([]);
    expect(after.past).toEqual([]);
  });
});

test("rows that are moved, removed or added while the list is saved keep the ids of their options", () => {
  const start = startEditing({ version: 1, lists: ABC });
  const [first, second] = start.draft.bindingOptions;
  const blank = start.draft.bindingOptions.at(-1)?.key ?? "";
  const row = (key: string | undefined, change: { name: string; price?: string }): PriceAction => ({
    type: "cell",
    kind: "bindingOptions",
    row: key ?? "",
    change,
  });
  const sent = editPrices(start, row(second?.key, { name: "Bee" }));
  const since = [
    { type: "remove", kind: "bindingOptions", row: first?.key ?? "" } as const,
    { type: "move", kind: "bindingOptions", from: 0, to: 1 } as const,
    row(blank, { name: "Wire", price: "40" }),
  ].reduce<PriceEditing>(editPrices, sent);
  const lists = toLists(sent.draft);
  const after = editPrices(since, { type: "saved", base: { version: 2, lists }, sent: sent.draft });
  expect(toLists(after.draft).bindingOptions.map(({ id, name }) => [id, name])).toEqual([
    ["c", "C"],
    ["b", "Bee"],
    [undefined, "Wire"],
  ]);
});

describe("finding issues in a draft", () => {
  test("names the cell, and ignores a blank row", () => {
    const rows = [saved("a"), priceEntry("", 5), priceEntry("a ", 5)];
    const draft = toDraft(listsWith(rows));
    const [, nameless, repeat] = draft.bindingOptions;
    expect(findIssues(draft, true)).toEqual([
      { kind: "bindingOptions", row: nameless?.key, column: "name", message: "Option name is required" },
      { kind: "bindingOptions", row: repeat?.key, column: "name", message: '"a" is in this list twice' },
    ]);
  });

  test("reports a list of more options than it can have", () => {
    const messages = (count: number) =>
      findIssues(toDraft(listsWith(Array.from({ length: count }, (_, at) => saved(`b${at}`)))), true).map(
        ({ message }) => message,
      );
    expect(messages(MAX_OPTIONS)).toEqual([]);
    expect(messages(MAX_OPTIONS + 1)).toEqual([`Binding can have at most ${MAX_OPTIONS} options`]);
  });

  test("reports a list without an active option only if students can see the shop", () => {
    const draft = toDraft(listsWith([saved("a", 100, { active: false })]));
    expect(findIssues(draft, false)).toEqual([]);
    expect(findIssues(draft, true)).toEqual([
      {
        kind: "bindingOptions",
        row: null,
        column: null,
        message: "Binding needs at least one option that is on",
      },
    ]);
  });
});

describe("importing lists", () => {
  const incoming = { bindingOptions: [priceEntry("B", 900), priceEntry("New", 5)] };

  test.each([
    ["keep", ["B", "New", "A", "C"], [true, true, true, true]],
    ["off", ["B", "New", "A", "C"], [true, true, false, false]],
    ["remove", ["B", "New"], [true, true]],
  ] as const)("matches options by name and treats missing ones as chosen (%s)", (missing, names, active) => {
    const { bindingOptions, ...others } = mergeByName(ABC, incoming, missing);
    expect(bindingOptions.map(({ name }) => name)).toEqual(names);
    expect(bindingOptions.map((entry) => entry.active)).toEqual(active);
    expect(bindingOptions[0]).toEqual({ ...saved("b"), pricePaise: 900 });
    expect(bindingOptions[1]?.id).toBeUndefined();
    expect({ ...others, bindingOptions: ABC.bindingOptions }).toEqual(ABC);
  });
});

test("an import keeps the values it does not contain, and uses defaults for new options", () => {
  const lists = listsWith([saved("a", 100, { basis: "order", active: false })]);
  const incoming = {
    bindingOptions: [
      { name: "A", pricePaise: 7 },
      { name: "New", pricePaise: 8 },
    ],
  };
  expect(mergeByName(lists, incoming, "off").bindingOptions).toEqual([
    saved("a", 7, { basis: "order", active: false }),
    priceEntry("New", 8, { basis: "copy" }),
  ]);
});

test("an import renames an option whose name differs by case or spaces only", () => {
  const lists = listsWith([saved("a", 100), saved("b", 200)]);
  const incoming = { bindingOptions: [{ name: "a", pricePaise: 7 }] };
  expect(mergeByName(lists, incoming, "off").bindingOptions).toEqual([
    { ...saved("a", 7), name: "a" },
    saved("b", 200, { active: false }),
  ]);
});

test.each(["Colour", "full color", "Colour, normal", "RGB", "4/4 CMYK"])(
  "%s is in colour by its name",
  (name) => {
    expect(isColourName(name)).toBe(true);
  },
);

test.each(
  [
    "Black & White",
    "Red",
    "Black, no colour",
    "Colour or B & W",
    "Colour to b/w",
    "Colour (B+W)",
    "BW, not colour",
    "Monocolour",
  ].concat(["Gray colours", "Grey colours", "No colour", "Without colour", ""]),
)("%j is not in colour by its name", (name) => {
  expect(isColourName(name)).toBe(false);
});

describe("merging my changes with those another person saved", () => {
  test("takes their values where I changed nothing, and mine where I did", () => {
    const mine = listsWith([saved("a", 111), saved("b"), priceEntry("Mine", 1)]);
    const theirs = listsWith([saved("a", 222), saved("b", 333), saved("c"), saved("d")]);
    expect(rebaseLists(ABC, mine, theirs).bindingOptions).toEqual([
      saved("a", 111),
      saved("b", 333),
      saved("d"),
      priceEntry("Mine", 1),
    ]);
  });

  test("keeps what each of us changed of an option, where a price goes with what it is for", () => {
    const mine = listsWith([
      saved("a", 100, { name: "Mine" }),
      saved("b", 100, { basis: "copy" }),
      saved("c"),
    ]);
    const theirs = listsWith([saved("a", 222, { active: false }), saved("b", 333), saved("c")]);
    expect(rebaseLists(ABC, mine, theirs).bindingOptions).toEqual([
      saved("a", 222, { name: "Mine", active: false }),
      saved("b", 100, { basis: "copy" }),
      saved("c"),
    ]);
  });

  test("drops an option they deleted, or adds it again if I changed it", () => {
    const mine = listsWith([saved("a"), saved("b", 500), saved("c")]);
    const theirs = listsWith([saved("c")]);
    expect(rebaseLists(ABC, mine, theirs).bindingOptions).toEqual([
      saved("c"),
      { ...saved("b", 500), id: undefined },
    ]);
  });

  test("takes their order, unless I changed the order", () => {
    const theirs = listsWith([saved("c"), saved("b"), saved("a")]);
    const names = (mine: PriceLists) => namesOf(rebaseLists(ABC, mine, theirs)).bindingOptions;
    expect(names(ABC)).toEqual(["C", "B", "A"]);
    expect(names(listsWith([saved("b"), saved("a"), saved("c")]))).toEqual(["B", "A", "C"]);
  });

  test.each(["Wire", "wire"])("an option that both added is one, with my values: %s", (name) => {
    const mine = listsWith([...ABC.bindingOptions, priceEntry(name, 4000)]);
    const theirs = listsWith([...ABC.bindingOptions, saved("wire", 3500, { name: "Wire" })]);
    expect(rebaseLists(ABC, mine, theirs).bindingOptions).toEqual([
      ...ABC.bindingOptions,
      saved("wire", 4000, { name }),
    ]);
  });

  test("my own save of which no answer came leaves nothing to save", () => {
    const mine = listsWith([saved("a", 111), saved("c"), priceEntry("Wire", 4000)]);
    const theirs = listsWith([saved("a", 111), saved("c"), saved("wire", 4000, { name: "Wire" })]);
    expect(rebaseLists(ABC, mine, theirs)).toEqual(theirs);
  });

  test("takes theirs entirely where I changed nothing", () => {
    const theirs = listsWith([saved("x"), saved("b", 7)]);
    expect(rebaseLists(ABC, ABC, theirs)).toEqual(theirs);
  });
});

describe("raising prices", () => {
  const prices = (lists: PriceLists) => lists.bindingOptions.map(({ pricePaise }) => pricePaise);
  const lists = listsWith([saved("a", 0), saved("b", 150), saved("c", 1055), saved("d", 40)]);

  // Rounding makes nothing free that has a price.
  test.each([
    [10, 1, [0, 165, 1161, 44]],
    [10, 50, [0, 150, 1150, 50]],
    [5, 100, [0, 200, 1100, 100]],
    [-50, 1, [0, 75, 528, 20]],
    [-50, 50, [0, 100, 550, 50]],
    [-100, 5, [0, 0, 0, 0]],
    [2.5, 1, [0, 154, 1081, 41]],
  ])("by %d %% in steps of %d paise", (percent, step, expected) => {
    expect(prices(raisePrices(lists, { kinds: ["bindingOptions"], percent, step }))).toEqual(expected);
  });

  test("leaves lists that are not selected unchanged", () => {
    expect(raisePrices(lists, { kinds: [], percent: 50, step: 1 })).toEqual(lists);
  });
});
