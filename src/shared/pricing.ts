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

export interface PrintJob {
  /** The pages to print: of the only file, or of each. Two-sided, every file begins on a fresh sheet. */
  pages: number | readonly number[];
  copies: number;
  options: Selection;
  /** By default `delivery`. */
  fulfilment?: Fulfilment | undefined;
}

export interface PriceLine {
  kind: OptionKind;
  name: string;
  unitPaise: Paise;
  basis: Basis;
  quantity: number;
  amountPaise: Paise;
}

export interface Quote {
  /** Printed sides of a sheet. */
  sides: number;
  sheets: number;
  lines: PriceLine[];
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
 * The price of a job by specification §9: the subtotal is pages × copies × the sum of the six option prices,
 * rounded up to whole rupees on exact paise; tax is the subtotal modulo ₹5, the delivery fee modulo ₹20.
 * Only a delivery has a delivery fee. An option with another basis than `page` is multiplied by sheets, copies or once an order instead.
 */
export function priceJob(job: PrintJob): Quote {
  const { sides } = job.options.printingSides;
  const files = [job.pages].flat();
  const pages = files.reduce((sum, count) => sum + count, 0);
  const sheets = files.reduce((sum, count) => sum + Math.ceil(count / sides), 0) * job.copies;
  const quantities: Record<Basis, number> = {
    page: pages * job.copies,
    sheet: sheets,
    copy: job.copies,
    order: 1,
  };
  const lines = OPTION_KINDS.map((kind) => priceLine(kind, job.options[kind], quantities));
  const exactPaise = lines.reduce((sum, line) => sum + line.amountPaise, 0);
  const subTotalPaise = Math.ceil(exactPaise / RUPEE) * RUPEE;
  const taxPaise = subTotalPaise % (5 * RUPEE);
  const deliveryFeePaise = (job.fulfilment ?? "delivery") === "delivery" ? subTotalPaise % (20 * RUPEE) : 0;
  return {
    sides,
    sheets,
    lines,
    roundingPaise: subTotalPaise - exactPaise,
    subTotalPaise,
    taxPaise,
    deliveryFeePaise,
    totalPaise: subTotalPaise + taxPaise + deliveryFeePaise,
  };
}

function priceLine(kind: OptionKind, option: PricedOption, quantities: Record<Basis, number>): PriceLine {
  const quantity = quantities[option.basis];
  return {
    kind,
    name: option.name,
    unitPaise: option.pricePaise,
    basis: option.basis,
    quantity,
    amountPaise: option.pricePaise * quantity,
  };
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
