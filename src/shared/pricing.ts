import { type Paise, toRupees } from "./money.ts";
import { type Basis, OPTION_KINDS, type OptionKind } from "./options.ts";
import type { Fulfilment } from "./order-states.ts";

/** The part of an option that pricing needs. `sides` is 2 if the option prints both sides of a sheet. */
export interface PricedOption {
  name: string;
  pricePaise: Paise;
  basis: Basis;
  sides: number;
}

export type Selection = Record<OptionKind, PricedOption>;

/** What is printed with the same options. */
export interface PrintJob {
  /** The pages to print: of the only file, or of each. Two-sided, every file begins on a fresh sheet. */
  pages: number | readonly number[];
  options: Selection;
}

interface OrderTerms {
  copies: number;
  /** By default `delivery`. */
  fulfilment?: Fulfilment | undefined;
}

export interface PriceLine {
  kind: OptionKind;
  name: string;
  unitPaise: Paise;
  basis: Basis;
  /** 0 where a job before it has the same option and it is charged once for the order. */
  quantity: number;
  amountPaise: Paise;
}

/** What one job of an order takes and costs. */
export interface JobQuote {
  /** Printed pages of one copy. */
  pages: number;
  /** Printed sides of a sheet. */
  sides: number;
  /** Sheets of all copies. */
  sheets: number;
  lines: PriceLine[];
}

export interface Quote {
  jobs: JobQuote[];
  /** Sheets of all jobs and copies. */
  sheets: number;
  /** The amount added by rounding the sum of the lines up to whole rupees. */
  roundingPaise: Paise;
  subTotalPaise: Paise;
  taxPaise: Paise;
  deliveryFeePaise: Paise;
  totalPaise: Paise;
}

type AgreedFigures = Pick<Quote, "subTotalPaise" | "taxPaise" | "deliveryFeePaise" | "totalPaise">;

const RUPEE: Paise = 100;

/**
 * The price of an order by specification §9: the subtotal is pages × copies × the sum of the six option prices, for each of
 * its jobs, rounded up to whole rupees on exact paise; tax is the subtotal modulo ₹5, the delivery fee modulo ₹20.
 * Only a delivery has a delivery fee. An option with another basis than `page` is multiplied by sheets, copies or once an order
 * instead. What is priced by the copy or the order is charged once, however many jobs have it: they become one bound document.
 */
export function priceOrder({
  jobs,
  copies,
  fulfilment = "delivery",
}: OrderTerms & { jobs: readonly PrintJob[] }): Quote {
  const charged = new Set<string>();
  const quoted = jobs.map((job) => quoteJob(job, copies, charged));
  const exactPaise = sumOf(quoted.flatMap(({ lines }) => lines.map(({ amountPaise }) => amountPaise)));
  const subTotalPaise = Math.ceil(exactPaise / RUPEE) * RUPEE;
  const taxPaise = subTotalPaise % (5 * RUPEE);
  const deliveryFeePaise = fulfilment === "delivery" ? subTotalPaise % (20 * RUPEE) : 0;
  return {
    jobs: quoted,
    sheets: sumOf(quoted.map(({ sheets }) => sheets)),
    roundingPaise: subTotalPaise - exactPaise,
    subTotalPaise,
    taxPaise,
    deliveryFeePaise,
    totalPaise: subTotalPaise + taxPaise + deliveryFeePaise,
  };
}

/** The lines of all jobs as they are read on a bill: what several jobs have at one price is one line. */
export function billedLines({ jobs }: Pick<Quote, "jobs">): PriceLine[] {
  const billed = new Map<string, PriceLine>();
  for (const line of jobs.flatMap(({ lines }) => lines)) {
    const key = keyOfLine(line);
    const { quantity = 0, amountPaise = 0 } = billed.get(key) ?? {};
    const sums = { quantity: quantity + line.quantity, amountPaise: amountPaise + line.amountPaise };
    billed.set(key, { ...line, ...sums });
  }
  return [...billed.values()]
    .filter(({ quantity }) => quantity > 0)
    .sort((one, other) => OPTION_KINDS.indexOf(one.kind) - OPTION_KINDS.indexOf(other.kind));
}

/** Tells the lines of a bill apart. */
export function keyOfLine({ kind, name, unitPaise, basis }: PriceLine): string {
  return JSON.stringify([kind, name, unitPaise, basis]);
}

/** The price of an order with a single job. */
export function priceJob({ copies, fulfilment, ...job }: PrintJob & OrderTerms): Quote {
  return priceOrder({ jobs: [job], copies, fulfilment });
}

/** @param charged the options of the jobs before */
function quoteJob({ pages, options }: PrintJob, copies: number, charged: Set<string>): JobQuote {
  const { sides } = options.printingSides;
  const files = [pages].flat();
  const quantities = quantitiesOf({ pages: files, copies, sides });
  const lines = OPTION_KINDS.map((kind) => {
    const { name, pricePaise, basis } = options[kind];
    const option = `${kind} ${name}`;
    const isOnce = basis === "copy" || basis === "order";
    const quantity = isOnce && charged.has(option) ? 0 : quantities[basis];
    charged.add(option);
    return { kind, name, unitPaise: pricePaise, basis, quantity, amountPaise: pricePaise * quantity };
  });
  return { pages: sumOf(files), sides, sheets: quantities.sheet, lines };
}

interface JobSize {
  /** Of each file. */
  pages: readonly number[];
  copies: number;
  sides: number;
}

/** What a job multiplies a price by, for each basis. */
export function quantitiesOf({ pages, copies, sides }: JobSize): Record<Basis, number> {
  const sheets = sumOf(pages.map((count) => Math.ceil(count / sides)));
  return { page: sumOf(pages) * copies, sheet: sheets * copies, copy: copies, order: 1 };
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** The four amounts that an order is agreed on, in rupees. */
export function orderValueOf(figures: AgreedFigures) {
  return {
    subTotal: toRupees(figures.subTotalPaise),
    tax: toRupees(figures.taxPaise),
    deliveryFee: toRupees(figures.deliveryFeePaise),
    orderTotal: toRupees(figures.totalPaise),
  };
}
