import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import {
  countSides,
  layoutProblem,
  type OrderJob,
  PLAIN_LAYOUT,
  printedSidesOfEach,
} from "#shared/order-jobs.ts";
import { MAX_JOBS, MAX_RANGES, MAX_RANGES_TEXT } from "#shared/order-limits.ts";
import type { ChosenFulfilment, Fulfilment } from "#shared/order-states.ts";
import { type ColourCount, countColours, pagesByColour } from "#shared/page-colours.ts";
import { priceOrder, type Quote } from "#shared/pricing.ts";
import {
  countPages,
  countRanges,
  NO_PAGES,
  type PageRanges,
  printedPages,
  writePrinted,
} from "#shared/print-pages.ts";
import type { Shop, ShopOption } from "#shared/schemas/shops.ts";
import { layoutOf, type SheetLayout } from "#shared/sheet-layout.ts";
import { type OptionChoices, type OrderPageData, summariseUploads } from "../files/print-file.ts";
import type { Draft } from "./draft.ts";

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
  /** What is printed with the same options and layout; empty if there is nothing to print yet. */
  jobs: PlannedJob[];
  /** Why the jobs cannot be printed; null if they can. */
  jobsProblem: string | null;
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
  /** The price with each page on a side of its own, where its file has no layout of its own; null if there is nothing to price yet. */
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

/** How pages are printed. */
interface Terms {
  options: ChosenOptions;
  layout: SheetLayout;
}

/** Some pages of a file, and how they are printed. */
interface Share extends Terms {
  file: OrderPageData;
  pages: PageRanges;
  /** Whether they are printed in another colour than the order's; undefined where that is no question. */
  isMoved?: boolean;
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

  const divide = (isApart: boolean, layout = draft.layout): Share[] =>
    files.flatMap((file): Share[] => {
      if (!options) return [];
      const own = draft.files.find(({ uploaded }) => uploaded?.id === file.id)?.own;
      const wished = ownOptions(shop, own?.options);
      const share = {
        file,
        pages: printedPages(file),
        options: { ...options, ...wished },
        layout: own?.layout ?? layout,
      };
      if (!other || wished.printedColours || share.layout.isBooklet) return [share];
      return isApart
        ? sharesByColour(share, colouredFile(file, checks), other)
        : [{ ...share, isMoved: false }];
    });
  const jobsOf = (shares: Share[]) => (options ? jobsOfShares(files, shares, { options, layout }) : []);
  const price = (jobs: readonly PlannedJob[]) =>
    jobs.length > 0 && pages && copies
      ? priceOrder({
          jobs: jobs.map(({ job, options }) => ({ pages: printedSidesOfEach(files, job), options })),
          copies,
          fulfilment,
        })
      : null;

  const whole = jobsOf(divide(false));
  const shares = divide(true);
  const apart = jobsOf(shares);
  const wholeQuote = price(whole);
  const apartQuote = price(apart);
  const colourApart =
    options && other && wholeQuote && apartQuote && canBeSent(apart)
      ? describeApart(shares, [options.printedColours, other], {
          wholePaise: wholeQuote.totalPaise,
          apartPaise: apartQuote.totalPaise,
        })
      : null;
  const isApart = colourApart !== null && draft.isColourApart === true;
  const jobs = isApart ? apart : whole;
  return {
    totalPages,
    files,
    pages,
    copies,
    choices,
    options,
    fulfilment,
    jobs,
    jobsProblem: findJobsProblem(jobs),
    colours,
    colourApart,
    isAwaitingColours: draft.isColourApart === true && files.length > 0 && colours?.isPending !== false,
    sides: countSides(
      files,
      jobs.map(({ job }) => job),
    ),
    quote: isApart ? apartQuote : wholeQuote,
    plainQuote: price(jobsOf(divide(isApart, PLAIN_LAYOUT))),
  };
}

function findJobsProblem(jobs: readonly PlannedJob[]): string | null {
  if (jobs.length > MAX_JOBS)
    return `One order has at most ${MAX_JOBS} different sets of options. Please make two orders of it`;
  const problems = jobs.map(({ job, options }) => layoutProblem(job, options.printingSides.sides));
  return problems.find((problem) => problem !== null) ?? null;
}

function colouredFile(file: OrderPageData, checks: ColourChecks) {
  const found = checks.get(file.id);
  return {
    ...file,
    colourPages: found?.colourPages ?? null,
    colourCheckedPages: found?.checkedPages ?? null,
  };
}

/** A colour for the other pages: the first without colour where one with colour is chosen, and the other way round. */
function otherColour(shop: Shop, { printedColours: { inColour = false } }: ChosenOptions): ShopOption | null {
  const found = shop.printedColours.find(
    (option) => !option.isOut && (option.inColour ?? false) !== inColour,
  );
  return found ?? null;
}

/** A file of which not every page was looked at stays whole, with the chosen colour. */
function sharesByColour(
  share: Share,
  coloured: Parameters<typeof pagesByColour>[0],
  other: ShopOption,
): Share[] {
  const { options, layout } = share;
  const divided = pagesByColour(coloured, layout.pagesPerSide * options.printingSides.sides);
  if (!divided) return [{ ...share, isMoved: false }];
  const [staying, moved] = options.printedColours.inColour
    ? [divided.coloured, divided.others]
    : [divided.others, divided.coloured];
  return [
    { ...share, pages: staying, isMoved: false },
    { ...share, pages: moved, isMoved: true, options: { ...options, printedColours: other } },
  ];
}

/** What has the same options and layout is one job; the job of the order's own comes first. */
function jobsOfShares(files: OrderPageData[], shares: Share[], own: Terms): PlannedJob[] {
  const printed = shares.filter(({ pages }) => pages.length > 0);
  const groups = [...Map.groupBy(printed, keyOf)];
  return groups
    .toSorted(([one], [next]) => Number(next === keyOf(own)) - Number(one === keyOf(own)))
    .flatMap(([, group]) => {
      const [first] = group;
      if (!first) return [];
      const pageRanges = files.map((file) =>
        writePrinted(group.find((share) => share.file === file)?.pages ?? [], file.pages),
      );
      return [{ options: first.options, job: { ...layoutOf(first.layout), pageRanges } }];
    });
}

function keyOf({ options, layout }: Terms): string {
  return JSON.stringify([OPTION_KINDS.map((kind) => options[kind]._id), layoutOf(layout)]);
}

/** Whether the jobs, and the page ranges that name their pages, stay within the limits of an order. */
function canBeSent(jobs: readonly PlannedJob[]): boolean {
  const named = jobs.slice(1).flatMap(({ job }) => job.pageRanges.filter((text) => text !== NO_PAGES));
  return (
    jobs.length <= MAX_JOBS &&
    named.every((text) => (text?.length ?? 0) <= MAX_RANGES_TEXT) &&
    countRanges(named.map((text) => text ?? "1-")) <= MAX_RANGES
  );
}

/**
 * Totals are compared, as tax and fee depend on the subtotal. Null where nothing is divided, and where it would print the same in
 * colour and save nothing.
 */
function describeApart(
  shares: readonly Share[],
  [chosen, other]: [chosen: ShopOption, other: ShopOption],
  totals: Pick<ColourApart, "wholePaise" | "apartPaise">,
): ColourApart | null {
  const count = (isMoved: boolean) =>
    countPages(shares.flatMap((share) => (share.isMoved === isMoved ? share.pages : [])));
  const [moved, staying] = [count(true), count(false)];
  if (moved === 0 || staying === 0) return null;
  if (chosen.inColour && totals.apartPaise >= totals.wholePaise) return null;
  return {
    ...(chosen.inColour ? { colour: chosen, black: other } : { colour: other, black: chosen }),
    colourPages: chosen.inColour ? staying : moved,
    pages: moved + staying,
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

/** The option that prints both sides; undefined where the shop has none now. */
export function twoSidedAt({ printingSides }: Shop): ShopOption | undefined {
  return printingSides.find(({ sides, isOut }) => sides === 2 && !isOut);
}

/** The options that are chosen for a file alone, as far as the shop has them now. */
export function ownOptions(shop: Shop, own: OptionChoices = {}): Partial<ChosenOptions> {
  return Object.fromEntries(
    OPTION_KINDS.flatMap((kind) => {
      const found = shop[kind].find(({ _id, isOut }) => _id === own[kind] && !isOut);
      return found ? [[kind, found]] : [];
    }),
  );
}

/** The options that were chosen, but are gone or have run out. For a file alone, the order's are printed instead. */
export function goneKinds(shop: Shop, own: OptionChoices = {}): OptionKind[] {
  const left = ownOptions(shop, own);
  return OPTION_KINDS.filter((kind) => own[kind] !== undefined && !left[kind]);
}

/** What is printed instead of the options of the order that are gone or have run out; undefined if all are there. */
export function goneNote(shop: Shop, draft: Draft, { options }: PrintPlan): string | undefined {
  const [kind] = goneKinds(shop, draft.options);
  if (!kind || !options) return undefined;
  return `${OPTION_FIELDS[kind].label}: what you chose is not available now. “${options[kind].name}” is chosen instead`;
}
