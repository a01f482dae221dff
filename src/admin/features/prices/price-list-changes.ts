import { foldText } from "#shared/fold-text.ts";
import type { Paise } from "#shared/money.ts";
import { isColourName, mapKinds, type OptionKind } from "#shared/options.ts";
import { byId, commonOrder, isSameEntry, type PriceEntry, type PriceLists } from "#shared/price-list.ts";
import { usualOption } from "./price-draft.ts";
import type { IncomingEntry, IncomingLists } from "./price-files.ts";

/** What to do with options that the incoming list does not contain. */
export type Missing = "keep" | "off" | "remove";

/** Merges incoming lists. Options are matched by name, whatever its case and spaces, and keep their ids. */
export function mergeByName(lists: PriceLists, incoming: IncomingLists, missing: Missing): PriceLists {
  return mapKinds((kind) => {
    const next = incoming[kind];
    return next ? mergeList(kind, lists[kind], next, missing) : lists[kind];
  });
}

function mergeList(
  kind: OptionKind,
  current: readonly PriceEntry[],
  incoming: readonly IncomingEntry[],
  missing: Missing,
): PriceEntry[] {
  const byName = new Map(current.map((entry) => [foldText(entry.name), entry]));
  const named = new Set(incoming.map(({ name }) => foldText(name)));
  const rest = missing === "remove" ? [] : current.filter(({ name }) => !named.has(foldText(name)));
  return [
    ...incoming.map((entry) =>
      complete(entry, byName.get(foldText(entry.name)) ?? newOption(kind, entry.name)),
    ),
    ...rest.map((entry) => (missing === "off" ? { ...entry, active: false } : entry)),
  ];
}

function newOption(kind: OptionKind, name: string) {
  return { ...usualOption(kind), inColour: kind === "printedColours" && isColourName(name) };
}

/** Fills missing fields, including the id, from `usual`. */
function complete(entry: IncomingEntry, usual: Omit<PriceEntry, "name" | "pricePaise">): PriceEntry {
  const { name, pricePaise, basis = usual.basis, sides = usual.sides, active = usual.active } = entry;
  const { inColour = usual.inColour } = entry;
  return { id: usual.id, name, pricePaise, basis, sides, inColour, active };
}

/**
 * Rebases my changes since `base` onto somebody else's lists. Where both changed the same of an option, or the order of a
 * list, mine wins.
 */
export function rebaseLists(base: PriceLists, mine: PriceLists, theirs: PriceLists): PriceLists {
  return mapKinds((kind) => rebaseList(base[kind], mine[kind], theirs[kind]));
}

function rebaseList(
  base: readonly PriceEntry[],
  mine: readonly PriceEntry[],
  theirs: readonly PriceEntry[],
): PriceEntry[] {
  const before = byId(base);
  const their = byId(theirs);
  const my = byId(mine);
  const news = new Map(
    theirs.filter(({ id }) => !before.has(id)).map((entry) => [foldText(entry.name), entry]),
  );
  const kept = mine.flatMap((entry): PriceEntry[] => {
    const was = before.get(entry.id);
    const is = their.get(entry.id);
    if (was && is) return [rebaseEntry(was, entry, is)];
    if (was && isSameEntry(was, entry)) return [];
    return [{ ...entry, id: news.get(foldText(entry.name))?.id }];
  });
  const taken = byId(kept);
  const added = [...news.values()].filter(({ id }) => !taken.has(id));
  const reordered = commonOrder(mine, before) !== commonOrder(base, my);
  return reordered ? [...kept, ...added] : inOrderOf(theirs, kept, added);
}

/** My changes of an option on theirs. A price goes with what it is for. */
function rebaseEntry(was: PriceEntry, mine: PriceEntry, theirs: PriceEntry): PriceEntry {
  const isPriced = mine.pricePaise !== was.pricePaise || mine.basis !== was.basis;
  const { pricePaise, basis } = isPriced ? mine : theirs;
  const { name, sides, inColour, active } = theirs;
  return {
    id: theirs.id,
    name: mine.name === was.name ? name : mine.name,
    pricePaise,
    basis,
    sides: mine.sides === was.sides ? sides : mine.sides,
    inColour: mine.inColour === was.inColour ? inColour : mine.inColour,
    active: mine.active === was.active ? active : mine.active,
  };
}

/** Their order; my additions come last. */
function inOrderOf(order: readonly PriceEntry[], kept: PriceEntry[], added: PriceEntry[]): PriceEntry[] {
  const place = new Map(order.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: PriceEntry) => (id === undefined ? order.length : (place.get(id) ?? order.length));
  return [...kept, ...added].toSorted((one, other) => placeOf(one) - placeOf(other));
}

interface Raise {
  kinds: readonly OptionKind[];
  /** Negative values lower prices. */
  percent: number;
  /** New prices are rounded to multiples of this. */
  step: Paise;
}

/** Raises all prices of some lists. Free options stay free, and rounding makes no other one free. */
export function raisePrices(lists: PriceLists, { kinds, percent, step }: Raise): PriceLists {
  return mapKinds((kind) =>
    kinds.includes(kind)
      ? lists[kind].map((entry) => ({ ...entry, pricePaise: raise(entry.pricePaise, percent, step) }))
      : lists[kind],
  );
}

/** Computed in hundredths of a percent, to stay in whole numbers. */
function raise(paise: Paise, percent: number, step: Paise): Paise {
  const exact = (paise * (10_000 + Math.round(percent * 100))) / 10_000;
  return exact === 0 ? 0 : Math.max(step, Math.round(exact / step) * step);
}
