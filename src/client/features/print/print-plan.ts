import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import {
  countSides,
  layoutProblem,
  type OrderJob,
  PLAIN_LAYOUT,
  printedSidesOfEach,
} from "#shared/order-jobs.ts";
import { MAX_RANGES_TEXT } from "#shared/order-limits.ts";
import type { ChosenFulfilment, Fulfilment } from "#shared/order-states.ts";
import { type ColourCount, countColours, pagesByColour } from "#shared/page-colours.ts";
import { priceOrder, type Quote } from "#shared/pricing.ts";
import { countPages, type PageRanges, printedPages, writePrinted } from "#shared/print-pages.ts";
import type { Shop, ShopOption } from "#shared/schemas/shops.ts";
import type { SheetLayout } from "#shared/sheet-layout.ts";
import { type OrderPageData, summariseUploads } from "../files/print-file.ts";
import type { Draft, OptionChoices } from "./draft.ts";

export type ChosenOptions = Record<OptionKind, ShopOption>;

/** A draft evaluated at a shop. `pages` and `copies` are "" while their fields are empty. */
export interface PrintPlan {
  /** The number of chosen pages of all uploaded files. */
  totalPages: number;
  /** The uploaded files and which of their pages are printed. */
  files: OrderPageData[];
  pages: number | "";
  copies: number | "";
  /** The student's choices: those of the draft, and where it has none the remembered ones. */
  choices: OptionChoices;
  /** Null if the shop's price list is incomplete. */
  options: ChosenOptions | null;
  fulfilment: Fulfilment;
  /** What is printed with the same options; empty if there is nothing to print yet. */
  jobs: PlannedJob[];
  /** Why the layout cannot be printed with these options; null if it can. */
  layoutProblem: string | null;
  /** What was found about the colour of the pages to print; null before the server has told anything. */
  colours: ColourCount | null;
  /** Printing only the pages with colour in colour; null where that is no choice. */
  colourApart: ColourApart | null;
  /** Whether that is chosen, and not every file is checked yet. */
  isAwaitingColours: boolean;
  /** The printed pages of one copy. */
  sides: number;
  /** Null if there is nothing to price yet. */
  quote: Quote | null;
  /** The price with each page on a side of its own; null if there is nothing to price yet. */
  plainQuote: Quote | null;
}

export interface PlannedJob {
  job: OrderJob;
  options: ChosenOptions;
}

/** The choice to print the pages with colour in colour, and the rest not. */
export interface ColourApart {
  /** The options of both. */
  colour: ShopOption;
  black: ShopOption;
  /** How many pages are printed in colour then, of how many. */
  colourPages: number;
  pages: number;
  /** The totals with the chosen option for all pages, and with both. */
  wholePaise: number;
  apartPaise: number;
}

/** What was found about the colour of files, by id. */
export type ColourChecks = ReadonlyMap<string, { colourPages: string | null; checkedPages: number | null }>;

/** Some pages of a file, and the options that they are printed with. */
interface Share {
  file: OrderPageData;
  pages: PageRanges;
  options: ChosenOptions;
}

interface PlanContext {
  /** By default empty: nothing is known. */
  checks?: ColourChecks;
  /** By default the one that the student chose, if the shop offers it. */
  fulfilment?: Fulfilment;
}

export function planPrint(
  shop: Shop,
  draft: Draft,
  remembered: OptionChoices,
  { checks = new Map(), fulfilment = fulfilmentAt(shop, draft.fulfilment) }: PlanContext = {},
): PrintPlan {
  const { totalPages } = summariseUploads(draft.files);
  const pages = pagesToPrint(draft.pages, totalPages);
  const { orderPageData: files } = summariseUploads(draft.files, pages || "all");
  const { copies, layout } = draft;
  const choices = { ...remembered, ...draft.options };
  const options = chooseOptions(shop, choices);
  const colours = checks.size > 0 ? countColours(files.map((file) => colouredFile(file, checks))) : null;
  const other = options && colours?.isPending === false ? otherColour(shop, options) : null;

  const divide = (on: SheetLayout, isApart: boolean): PlannedJob[] => {
    if (!options) return [];
    const shares = files.flatMap((file): Share[] =>
      isApart && other
        ? sharesByColour(colouredFile(file, checks), { file, options, other, layout: on })
        : [{ file, pages: printedPages(file), options }],
    );
    return jobsOfShares(files, shares, on);
  };
  const price = (jobs: readonly PlannedJob[]) =>
    jobs.length > 0 && pages && copies
      ? priceOrder({
          jobs: jobs.map(({ job, options }) => ({ pages: printedSidesOfEach(files, job), options })),
          copies,
          fulfilment,
        })
      : null;

  const [whole, apart] = [divide(layout, false), divide(layout, true)];
  const wholeQuote = price(whole);
  const apartQuote = price(apart);
  const colourApart =
    apart.length > whole.length && !layout.isBooklet && canBeSent(apart) && wholeQuote && apartQuote
      ? describeApart(files, apart, { wholePaise: wholeQuote.totalPaise, apartPaise: apartQuote.totalPaise })
      : null;
  const isApart = colourApart !== null && draft.isColourApart === true;
  const jobs = isApart ? apart : whole;
  const problems = [options, ...jobs.map((job) => job.options)].map((each) =>
    layoutProblem(layout, each?.printingSides.sides ?? 2),
  );
  return {
    totalPages,
    files,
    pages,
    copies,
    choices,
    options,
    fulfilment,
    jobs,
    layoutProblem: problems.find((problem) => problem !== null) ?? null,
    colours,
    colourApart,
    isAwaitingColours: draft.isColourApart === true && files.length > 0 && colours?.isPending !== false,
    sides: countSides(
      files,
      jobs.map(({ job }) => job),
    ),
    quote: isApart ? apartQuote : wholeQuote,
    plainQuote: price(divide(PLAIN_LAYOUT, isApart)),
  };
}

function colouredFile(file: OrderPageData, checks: ColourChecks) {
  const found = checks.get(file.id);
  return {
    ...file,
    colourPages: found?.colourPages ?? null,
    colourCheckedPages: found?.checkedPages ?? null,
  };
}

/** The options with a colour that suits the other pages: the first without colour where one with colour is chosen, and the other way round. */
function otherColour(shop: Shop, options: ChosenOptions): ChosenOptions | null {
  const { inColour = false } = options.printedColours;
  const found = shop.printedColours.find(
    (option) => !option.isOut && (option.inColour ?? false) !== inColour,
  );
  return found ? { ...options, printedColours: found } : null;
}

/** A file of which not every page was looked at stays whole, with the chosen options. */
function sharesByColour(
  coloured: Parameters<typeof pagesByColour>[0],
  { file, options, other, layout }: Omit<Share, "pages"> & { other: ChosenOptions; layout: SheetLayout },
): Share[] {
  const divided = pagesByColour(coloured, layout.pagesPerSide * options.printingSides.sides);
  if (!divided) return [{ file, pages: printedPages(file), options }];
  const [forChosen, forOther] = options.printedColours.inColour
    ? [divided.coloured, divided.others]
    : [divided.others, divided.coloured];
  return [
    { file, pages: forChosen, options },
    { file, pages: forOther, options: other },
  ];
}

/** What has the same options is one job; those of the order come first. */
function jobsOfShares(files: OrderPageData[], shares: Share[], layout: SheetLayout): PlannedJob[] {
  const printed = shares.filter(({ pages }) => pages.length > 0);
  const groups = Map.groupBy(printed, ({ options }) => OPTION_KINDS.map((kind) => options[kind]._id).join());
  const own = shares[0]?.options;
  return [...groups.values()]
    .map((group) => ({
      options: group[0]?.options as ChosenOptions,
      job: {
        pagesPerSide: layout.pagesPerSide,
        hasFrames: layout.hasFrames,
        isBooklet: layout.isBooklet,
        pageRanges: files.map((file) =>
          writePrinted(group.find((share) => share.file === file)?.pages ?? [], file.pages),
        ),
      },
    }))
    .toSorted((one, next) => Number(next.options === own) - Number(one.options === own));
}

/** False where the pages of a job are too many single ones to be named in an order. */
function canBeSent(jobs: readonly PlannedJob[]): boolean {
  return jobs.every(({ job }) => job.pageRanges.every((text) => (text?.length ?? 0) <= MAX_RANGES_TEXT));
}

/** Totals are compared, as tax and fee depend on the subtotal. Null where it would print the same in colour and save nothing. */
function describeApart(
  files: OrderPageData[],
  jobs: PlannedJob[],
  totals: Pick<ColourApart, "wholePaise" | "apartPaise">,
): ColourApart | null {
  const [first, second] = jobs;
  const inColour = jobs.find(({ options }) => options.printedColours.inColour);
  const inBlack = jobs.find(({ options }) => !options.printedColours.inColour);
  if (!first || !second || !inColour || !inBlack) return null;
  const isSaving = totals.apartPaise < totals.wholePaise;
  if (first === inColour && !isSaving) return null;
  return {
    colour: inColour.options.printedColours,
    black: inBlack.options.printedColours,
    colourPages: countPages(
      files.flatMap((file, at) =>
        printedPages({ pages: file.pages, pageRanges: inColour.job.pageRanges[at] ?? null }),
      ),
    ),
    pages: countPages(files.flatMap((file) => printedPages(file))),
    ...totals,
  };
}

/** Pickup only if the shop offers it, else delivery. */
export function fulfilmentAt(
  { offersPickup }: Pick<Shop, "offersPickup">,
  wished: ChosenFulfilment,
): ChosenFulfilment {
  return offersPickup ? wished : "delivery";
}

function pagesToPrint(pages: Draft["pages"], totalPages: number): number | "" {
  if (pages === "all") return totalPages;
  return pages === "" ? "" : Math.min(pages, totalPages);
}

/** The student's choice in each list, or its first option, the shop's default; of what has run out only the rest. */
function chooseOptions(shop: Shop, choices: OptionChoices): ChosenOptions | null {
  const chosen = OPTION_KINDS.map((kind) => {
    const left = shop[kind].filter(({ isOut }) => !isOut);
    const options = left.length > 0 ? left : shop[kind];
    return [kind, options.find(({ _id }) => _id === choices[kind]) ?? options[0]] as const;
  });
  if (chosen.some(([, option]) => !option)) return null;
  return Object.fromEntries(chosen) as ChosenOptions;
}
