import type { Paise } from "#shared/money.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { priceJob, type Selection } from "#shared/pricing.ts";
import { mapKinds } from "./price-draft.ts";

/** A job whose price is watched while prices are edited. */
export interface SampleJob {
  key: number;
  pages: number;
  copies: number;
  /** The chosen options; where none is chosen, the first of its list that is on. */
  choices: Partial<Record<OptionKind, string>>;
}

/** A short handout and a long one. */
export const USUAL_JOBS: SampleJob[] = [
  { key: 1, pages: 20, copies: 1, choices: {} },
  { key: 2, pages: 100, copies: 2, choices: {} },
];

/** Options by what names them before and after a change: their id, or that of the row while they have none. */
export type Choices = Record<OptionKind, ReadonlyMap<string, PriceEntry>>;

/** The options of lists whose entries all have ids. */
export function choicesIn(lists: PriceLists): Choices {
  return mapKinds((kind) => new Map(lists[kind].map((entry) => [entry.id ?? "", entry])));
}

/** What a job chooses of these lists; undefined from a list with nothing on. */
export function chosenIn(job: SampleJob, choices: Choices): Record<OptionKind, string | undefined> {
  return mapKinds((kind) => {
    const chosen = job.choices[kind];
    if (chosen !== undefined && choices[kind].has(chosen)) return chosen;
    return [...choices[kind]].find(([, { active }]) => active)?.[0];
  });
}

/** What a job costs with these options; null where one of them is not there. */
export function jobPrice(
  { pages, copies }: SampleJob,
  chosen: Record<OptionKind, string | undefined>,
  choices: Choices,
): Paise | null {
  const options: Partial<Selection> = {};
  for (const kind of OPTION_KINDS) {
    const option = choices[kind].get(chosen[kind] ?? "");
    if (!option) return null;
    options[kind] = option;
  }
  return priceJob({ pages, copies, options: options as Selection }).totalPaise;
}
