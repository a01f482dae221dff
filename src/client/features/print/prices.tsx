import "@mantine/core/styles/VisuallyHidden.layer.css";
import { VisuallyHidden } from "@mantine/core";
import { counted } from "#shared/format.ts";
import { formatPaise, type Paise } from "#shared/money.ts";
import { type Basis, OPTION_FIELDS, PER_BASIS } from "#shared/options.ts";
import type { Fulfilment } from "#shared/order-states.ts";
import { billedLines, keyOfLine, type PriceLine, type Quote } from "#shared/pricing.ts";
import type { ShopOption } from "#shared/schemas/shops.ts";
import classes from "./prices.module.css";

const NO_FEE = { pickup: "none for pickup", counter: "none at the counter" };

interface PriceLinesProps {
  quote: Quote;
  copies: number;
  fulfilment: Fulfilment;
}

/** Every part of the price with its calculation, and the total. */
export function PriceLines({ quote, copies, fulfilment }: PriceLinesProps) {
  return (
    <dl className={classes.lines}>
      {billedLines(quote).map((line) => (
        <Line
          key={keyOfLine(line)}
          term={line.name}
          kind={OPTION_FIELDS[line.kind].label}
          detail={explainLine(line, copies)}
          paise={line.amountPaise}
        />
      ))}
      {quote.roundingPaise > 0 && (
        <Line term="Rounding" detail="up to whole rupees" paise={quote.roundingPaise} />
      )}
      <Line term="Subtotal" paise={quote.subTotalPaise} isSum />
      <Line
        term="Tax"
        detail={`remainder of ${formatPaise(quote.subTotalPaise)} ÷ ₹5`}
        paise={quote.taxPaise}
      />
      <Line
        term="Delivery fee"
        detail={
          fulfilment !== "delivery"
            ? NO_FEE[fulfilment]
            : `remainder of ${formatPaise(quote.subTotalPaise)} ÷ ₹20`
        }
        paise={quote.deliveryFeePaise}
      />
      <Line term="Total" paise={quote.totalPaise} isSum />
    </dl>
  );
}

interface LineProps {
  term: string;
  kind?: string;
  detail?: string;
  paise: Paise;
  isSum?: boolean;
}

function Line({ term, kind, detail, paise, isSum }: LineProps) {
  return (
    <div className={classes.line} data-sum={isSum || undefined}>
      <dt>
        {kind && <VisuallyHidden component="span">{kind}: </VisuallyHidden>}
        {term}
        {detail && <span className={classes.detail}>{detail}</span>}
      </dt>
      <dd>{formatPaise(paise)}</dd>
    </div>
  );
}

/** The calculation of a price line: "32 pages × 2 copies × ₹0.50". */
export function explainLine({ basis, quantity, unitPaise }: PriceLine, copies: number): string {
  const copiesText = counted(copies, "copy");
  const perCopy = quantity / copies;
  const factors: Record<Basis, string[]> = {
    page: [counted(perCopy, "page"), copiesText],
    sheet: [counted(perCopy, "sheet"), copiesText],
    copy: [copiesText],
    order: ["once"],
  };
  return [...factors[basis], formatPaise(unitPaise)].join(" × ");
}

/** An option with its price: "Spiral Binding · ₹35.00 a copy". */
export function labelOption({ name, pricePaise, basis, isOut }: ShopOption): string {
  if (isOut) return `${name} · out of stock`;
  return `${name} · ${pricePaise === 0 ? "no charge" : `${formatPaise(pricePaise)} ${PER_BASIS[basis]}`}`;
}

/** Options as the choices of a select. */
export function optionChoices(options: readonly ShopOption[]) {
  return options.map((option) => ({
    value: option._id,
    label: labelOption(option),
    disabled: option.isOut === true,
  }));
}
