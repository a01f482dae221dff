import { formatPaise } from "./money.ts";
import { OPTION_KINDS, type OptionKind, PER_BASIS } from "./options.ts";
import type { PricedOption } from "./pricing.ts";

/** One row of a price list, as staff see it. */
export interface PriceEntry extends PricedOption {
  /** The id of the option; a new row has none yet. */
  id?: string | undefined;
  /** Whether it prints in colour; only of `printedColours`. */
  inColour: boolean;
  /** Whether students can choose it. */
  active: boolean;
}

export type PriceLists = Record<OptionKind, readonly PriceEntry[]>;

/** A difference between two price lists: an option, or the order of the options in a list. */
export type PriceChange =
  | { kind: OptionKind; type: "added"; after: PriceEntry }
  | { kind: OptionKind; type: "removed"; before: PriceEntry }
  | { kind: OptionKind; type: "changed"; before: PriceEntry; after: PriceEntry }
  | { kind: OptionKind; type: "reordered"; before: readonly PriceEntry[]; after: readonly PriceEntry[] };

/** All changes from one price list to another. Options are matched by id. */
export function comparePriceLists(before: PriceLists, after: PriceLists): PriceChange[] {
  return OPTION_KINDS.flatMap((kind) => compareLists(kind, before[kind], after[kind]));
}

function compareLists(
  kind: OptionKind,
  before: readonly PriceEntry[],
  after: readonly PriceEntry[],
): PriceChange[] {
  const old = byId(before);
  const kept = byId(after);
  const changes: PriceChange[] = [];
  for (const entry of after) {
    const was = old.get(entry.id);
    if (!was) changes.push({ kind, type: "added", after: entry });
    else if (!isSameEntry(was, entry)) changes.push({ kind, type: "changed", before: was, after: entry });
  }
  for (const entry of old.values()) {
    if (!kept.has(entry.id)) changes.push({ kind, type: "removed", before: entry });
  }
  if (commonOrder(before, kept) !== commonOrder(after, old)) {
    changes.push({ kind, type: "reordered", before, after });
  }
  return changes;
}

export function isSameEntry(one: PriceEntry, other: PriceEntry): boolean {
  return (
    one.name === other.name &&
    one.pricePaise === other.pricePaise &&
    one.basis === other.basis &&
    one.sides === other.sides &&
    one.inColour === other.inColour &&
    one.active === other.active
  );
}

/** An option in words: "₹35.00 a copy, both sides, off". */
export function describeEntry({ pricePaise, basis, sides, inColour, active }: PriceEntry): string {
  const price = `${formatPaise(pricePaise)} ${PER_BASIS[basis]}`;
  return [price, sides === 2 && "both sides", inColour && "in colour", !active && "off"]
    .filter(Boolean)
    .join(", ");
}

/** The lists without an active option, from which nothing could be chosen. */
export function emptyLists(lists: Record<OptionKind, readonly { active: boolean }[]>): OptionKind[] {
  return OPTION_KINDS.filter((kind) => !lists[kind].some(({ active }) => active));
}

/** The options that have an id. */
export function byId(entries: readonly PriceEntry[]): Map<string | undefined, PriceEntry> {
  return new Map(entries.flatMap((entry) => (entry.id === undefined ? [] : [[entry.id, entry]])));
}

/** The ids that are in both lists, in the order of the first. */
export function commonOrder(
  entries: readonly PriceEntry[],
  others: Map<string | undefined, PriceEntry>,
): string {
  return entries
    .map(({ id }) => id)
    .filter((id) => others.has(id))
    .join(" ");
}
