import "@mantine/core/styles/VisuallyHidden.layer.css";
import { VisuallyHidden } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { type ReactNode, useId } from "react";
import { TbChevronUp } from "react-icons/tb";
import type { Fulfilment } from "#shared/fulfilment.ts";
import { formatPaise } from "#shared/money.ts";
import type { Quote } from "#shared/pricing.ts";
import { PriceLines } from "./price-lines.tsx";
import classes from "./price-panel.module.css";

const QUIET_MS = 700;

/** Id of the line that says why the button does not work. */
export const PRICE_NOTE_ID = "price-note";

interface PricePanelProps {
  /** Null while there is nothing to price. */
  quote: Quote | null;
  copies: number;
  fulfilment: Fulfilment;
  /** What stands in place of the price while there is none. */
  placeholder: string;
  /** The button that goes on with the order. */
  action: ReactNode;
  /** Why the button does not work, or what is to know before pressing it. */
  note?: string | undefined;
}

/** The price, always in view: a bar at the bottom of a phone that unfolds, a panel at the side of a wide screen. */
export function PricePanel({ quote, copies, fulfilment, placeholder, action, note }: PricePanelProps) {
  const [unfolded, { toggle }] = useDisclosure(false);
  const linesId = useId();
  const total = quote ? formatPaise(quote.totalPaise) : "—";
  return (
    <aside className={classes.panel} aria-label="Price">
      <section
        id={linesId}
        className={classes.lines}
        data-unfolded={unfolded || undefined}
        aria-label="Parts of the price"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: where it scrolls, the keyboard must reach it
        tabIndex={0}
      >
        <h2 className={classes.title}>Price</h2>
        {quote ? (
          <PriceLines quote={quote} copies={copies} fulfilment={fulfilment} />
        ) : (
          <p className={classes.nothing}>{placeholder}</p>
        )}
      </section>
      <div className={classes.foot}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={unfolded}
          aria-controls={linesId}
          onClick={toggle}
        >
          <span className={classes.label}>
            Total <TbChevronUp size={16} aria-hidden="true" />
          </span>
          <span className={classes.total}>{total}</span>
        </button>
        <div className={classes.action}>{action}</div>
        <p id={PRICE_NOTE_ID} className={classes.note}>
          {note}
        </p>
      </div>
      <PriceAnnouncer total={quote ? total : ""} />
    </aside>
  );
}

/** Tells a screen reader the total once it has settled. */
function PriceAnnouncer({ total }: { total: string }) {
  const [settled] = useDebouncedValue(total, QUIET_MS);
  return <VisuallyHidden role="status">{settled && `Total ${settled}`}</VisuallyHidden>;
}
