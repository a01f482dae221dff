import { formatPaise, type Paise } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { orderValueOf, priceJob, type Quote } from "#shared/pricing.ts";
import type { OrderData, PlaceOrderInput } from "#shared/schemas/orders.ts";
import { AppError } from "../errors.ts";
import type { OptionLists, OptionRecord } from "../shops/shops.service.ts";

/** The largest amount that fits the columns. */
const MAX_PAISE: Paise = 2 ** 31 - 1;

export type ChosenOptions = Record<OptionKind, OptionRecord>;

/** What an order calls the option that it wants of each kind. */
export function namesOf(data: OrderData): Record<OptionKind, string> {
  const names = OPTION_KINDS.map((kind) => [kind, data[OPTION_FIELDS[kind].orderField]]);
  return Object.fromEntries(names) as Record<OptionKind, string>;
}

/** Finds the options that an order names in its shop's lists. Throws INVALID_INPUT for one that is not offered. */
export function chooseOptions(lists: OptionLists, data: OrderData): ChosenOptions {
  const chosen = OPTION_KINDS.map((kind) => {
    const { orderField, label } = OPTION_FIELDS[kind];
    const name = data[orderField];
    const option = lists[kind].find((candidate) => candidate.name === name);
    if (!option) {
      const message = `This shop does not offer "${name}" as ${label.toLowerCase()}. Please choose again`;
      throw new AppError("INVALID_INPUT", message, {
        issues: [{ path: `orderData.${orderField}`, message }],
      });
    }
    return [kind, option] as const;
  });
  return Object.fromEntries(chosen) as ChosenOptions;
}

export function idsOf(options: ChosenOptions): Record<OptionKind, string> {
  const ids = OPTION_KINDS.map((kind) => [kind, options[kind].id]);
  return Object.fromEntries(ids) as Record<OptionKind, string>;
}

/** Prices so many pages by the shop's list. Throws PRICE_CHANGED, with the right figures in rupees, where the client's differ. */
export function agreePrice(options: ChosenOptions, input: PlaceOrderInput, pages: number): Quote {
  const { noOfCopies: copies } = input.orderData;
  const quote = priceJob({ pages, copies, options, fulfilment: input.fulfilment });
  if (quote.totalPaise > MAX_PAISE) {
    throw new AppError("INVALID_INPUT", "This order is too large. Please split it into smaller ones");
  }
  const { subTotal, tax, deliveryFee, orderTotal } = input.orderValue;
  const agrees =
    input.orderData.subTotal === quote.subTotalPaise &&
    subTotal === quote.subTotalPaise &&
    tax === quote.taxPaise &&
    deliveryFee === quote.deliveryFeePaise &&
    orderTotal === quote.totalPaise;
  if (!agrees) {
    throw new AppError("PRICE_CHANGED", `The price of this order is ${formatPaise(quote.totalPaise)}`, {
      data: { orderValue: orderValueOf(quote) },
    });
  }
  return quote;
}
