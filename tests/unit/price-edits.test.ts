import { describe, expect, test } from "vitest";
import { mapKinds, toDraft } from "#admin/features/prices/price-draft.ts";
import { editPrices, type PriceAction, startEditing } from "#admin/features/prices/price-editing.ts";
import { findIssues, toLists } from "#admin/features/prices/price-issues.ts";
import { mergeByName, rebaseLists } from "#admin/features/prices/price-merge.ts";
import { raisePrices } from "#admin/features/prices/price-raise.ts";
import { comparePriceLists, type PriceEntry, type PriceLists } from "#shared/price-list.ts";
import { namesOf, priceEntry, smallPriceList } from "../factories/shops.ts";

/** An option that was saved under this id. */
function saved(id: string, pricePaise = 100, fields: Partial<PriceEntry> = {}): PriceEntry {
  return priceEntry(id.toUpperCase(), pricePaise, { id, ...fields });
}

/** A price list of which everything but the bindings was saved. */
function listsWith(bindingOptions: PriceEntry[]): PriceLists {
  const others = mapKinds((kind) => smallPriceList()[kind].map((entry) => ({ ...entry, id: kind })));
  return { ...others, bindingOptions };
}

const ABC = listsWith([saved("a"), saved("b"), saved("c")]);

describe("comparing price lists", () => {
  test("finds what was added, changed, removed and reordered, by id", () => {
    const after = listsWith([saved("c"), saved("a", 150), priceEntry("New", 5)]);
    expect(comparePriceLists(ABC, after).filter(({ kind }) => kind === "bindingOptions")).toEqual([
      { kind: "bindingOptions", type: "changed", before: saved("a"), after: saved("a", 150) },
      { kind: "bindingOptions", type: "added", after: priceEntry("New", 5) },
      { kind: "bindingOptions", type: "removed", before: saved("b") },
      { kind: "bindingOptions", type: "reordered", before: ABC.bindingOptions, after: after.bindingOptions },
    ]);
  });

  test("finds no new order where options were only added and removed", () => {
    const after = listsWith([priceEntry("First", 1), saved("a"), saved("c"), priceEntry("Last", 1)]);
    const types = comparePriceLists(ABC, after).map(({ type }) => type);
    expect(types).not.toContain("reordered");
  });
});

describe("editing a draft", () => {
  const start = () => startEditing({ version: 1, lists: ABC });
  const edit = (...actions: PriceAction[]) => actions.reduce(editPrices, start());
  const keysOf = (editing = start()) => editing.draft.bindingOptions.map(({ key }) => key);

  test("typing in the blank row makes an option and a new blank row, and the row keeps its place", () => {
    const editing = start();
    const blank = keysOf(editing).at(-1) ?? "";
    const typed = editPrices(editing, {
      type: "cell",
      kind: "bindingOptions",
      row: blank,
      change: { name: "Wire", price: "40" },
    });
    expect(toLists(typed.draft).bindingOptions.at(-1)).toEqual(priceEntry("Wire", 4000, { basis: "copy" }));
    expect(keysOf(typed).slice(0, 4)).toEqual(keysOf(editing));
    expect(keysOf(typed)).toHaveLength(5);
  });

  test("pasted rows write over those that are there and go on below them", () => {
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

  test("a row moves up and down but never below the blank one", () => {
    const order = (...actions: PriceAction[]) => namesOf(toLists(edit(...actions).draft)).bindingOptions;
    expect(order({ type: "move", kind: "bindingOptions", from: 0, to: 2 })).toEqual(["B", "C", "A"]);
    expect(order({ type: "move", kind: "bindingOptions", from: 2, to: 0 })).toEqual(["C", "A", "B"]);
    expect(order({ type: "move", kind: "bindingOptions", from: 2, to: 3 })).toEqual(["A", "B", "C"]);
    expect(order({ type: "move", kind: "bindingOptions", from: 0, to: -1 })).toEqual(["A", "B", "C"]);
  });

  test("undo takes back a whole word that was typed, then the step before it", () => {
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

  test("after a save rows have their new ids and stand where they stood, and there is nothing to undo", () => {
    const editing = start();
    const key = keysOf(editing).at(-1) ?? "";
    const change = { name: "Wire", price: "40" };
    const typed = editPrices(editing, { type: "cell", kind: "bindingOptions", row: key, change });
    const lists = listsWith([...ABC.bindingOptions, priceEntry("Wire", 4000, { basis: "copy", id: "wire" })]);
    const after = editPrices(typed, { type: "saved", base: { version: 2, lists } });
    expect(after.draft.bindingOptions.find((row) => row.key === key)).toMatchObject({ id: "wire" });
    expect(comparePriceLists(lists, toLists(after.draft))).toEqual([]);
    expect(after.past).toEqual([]);
  });
});

describe("issues of a draft", () => {
  test("name the cell, and a blank row is none", () => {
    const rows = [saved("a"), priceEntry("", 5), priceEntry("A ", 5)];
    const draft = toDraft(listsWith(rows));
    const [, nameless, repeat] = draft.bindingOptions;
    expect(findIssues(draft, true)).toEqual([
      { kind: "bindingOptions", row: nameless?.key, column: "name", message: "Option name is required" },
      { kind: "bindingOptions", row: repeat?.key, column: "name", message: '"A" is in this list twice' },
    ]);
  });

  test("a list with nothing on is one only while students see the shop", () => {
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

describe("lists from elsewhere", () => {
  const incoming = { bindingOptions: [priceEntry("B", 900), priceEntry("New", 5)] };

  test.each([
    ["keep", ["B", "New", "A", "C"], [true, true, true, true]],
    ["off", ["B", "New", "A", "C"], [true, true, false, false]],
    ["remove", ["B", "New"], [true, true]],
  ] as const)("are matched by name; what they lack is dealt with as asked (%s)", (missing, names, active) => {
    const { bindingOptions, ...others } = mergeByName(ABC, incoming, missing);
    expect(bindingOptions.map(({ name }) => name)).toEqual(names);
    expect(bindingOptions.map((entry) => entry.active)).toEqual(active);
    expect(bindingOptions[0]).toEqual({ ...saved("b"), pricePaise: 900 });
    expect(bindingOptions[1]?.id).toBeUndefined();
    expect({ ...others, bindingOptions: ABC.bindingOptions }).toEqual(ABC);
  });
});

test("what a file leaves open stays as it is, or is the usual for a new option", () => {
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

describe("my changes on top of what someone else saved", () => {
  test("keep theirs where I changed nothing, and mine where I did", () => {
    const mine = listsWith([saved("a", 111), saved("b"), priceEntry("Mine", 1)]);
    const theirs = listsWith([saved("a", 222), saved("b", 333), saved("c"), saved("d")]);
    expect(rebaseLists(ABC, mine, theirs).bindingOptions).toEqual([
      saved("a", 111),
      saved("b", 333),
      saved("d"),
      priceEntry("Mine", 1),
    ]);
  });

  test("drop what they deleted, unless I changed it: then it is a new option", () => {
    const mine = listsWith([saved("a"), saved("b", 500), saved("c")]);
    const theirs = listsWith([saved("c")]);
    expect(rebaseLists(ABC, mine, theirs).bindingOptions).toEqual([
      saved("c"),
      { ...saved("b", 500), id: undefined },
    ]);
  });

  test("keep their order, unless I made another one", () => {
    const theirs = listsWith([saved("c"), saved("b"), saved("a")]);
    const names = (mine: PriceLists) => namesOf(rebaseLists(ABC, mine, theirs)).bindingOptions;
    expect(names(ABC)).toEqual(["C", "B", "A"]);
    expect(names(listsWith([saved("b"), saved("a"), saved("c")]))).toEqual(["B", "A", "C"]);
  });

  test("are nothing where I changed nothing", () => {
    const theirs = listsWith([saved("x"), saved("b", 7)]);
    expect(rebaseLists(ABC, ABC, theirs)).toEqual(theirs);
  });
});

describe("raising prices", () => {
  const prices = (lists: PriceLists) => lists.bindingOptions.map(({ pricePaise }) => pricePaise);
  const lists = listsWith([saved("a", 0), saved("b", 150), saved("c", 1055)]);

  test.each([
    [10, 1, [0, 165, 1161]],
    [10, 50, [0, 150, 1150]],
    [5, 100, [0, 200, 1100]],
    [-50, 1, [0, 75, 528]],
    [-100, 5, [0, 0, 0]],
    [2.5, 1, [0, 154, 1081]],
  ])("by %d %% to steps of %d paise", (percent, step, expected) => {
    expect(prices(raisePrices(lists, { kinds: ["bindingOptions"], percent, step }))).toEqual(expected);
  });

  test("leaves the lists alone that are not chosen", () => {
    expect(raisePrices(lists, { kinds: [], percent: 50, step: 1 })).toEqual(lists);
  });
});
