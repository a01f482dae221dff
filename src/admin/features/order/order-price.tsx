import { counted } from "#shared/counted.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import type { PriceLine } from "#shared/pricing.ts";
import type { OrderDetail } from "./order-answers.ts";
import classes from "./order-price.module.css";
import { PanelSection } from "./panel-section.tsx";

/** The price as it was agreed. */
export function OrderPrice({ quote }: { quote: OrderDetail["quote"] }) {
  const sums: [string, number][] = [
    ["Rounded up to whole rupees", quote.roundingPaise],
    ["Subtotal", quote.subTotalPaise],
    ["Tax", quote.taxPaise],
    ["Delivery fee", quote.deliveryFeePaise],
  ];
  return (
    <PanelSection title="Price">
      <table className={classes.prices} aria-label="Price">
        <tbody>
          {quote.lines.map((line) => (
            <tr key={line.kind}>
              <th scope="row">
                {OPTION_FIELDS[line.kind].label} <small>{calculation(line)}</small>
              </th>
              <td>{formatPaise(line.amountPaise)}</td>
            </tr>
          ))}
          {sums
            .filter(([name, paise]) => paise > 0 || name === "Subtotal")
            .map(([name, paise]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{formatPaise(paise)}</td>
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td>{formatPaise(quote.totalPaise)}</td>
          </tr>
        </tfoot>
      </table>
    </PanelSection>
  );
}

/** Such as `₹1.50 × 64 pages`. */
function calculation({ unitPaise, basis, quantity }: PriceLine): string {
  if (basis === "order") return "once";
  return `${formatPaise(unitPaise)} × ${counted(quantity, basis)}`;
}
