import "@mantine/core/styles/VisuallyHidden.layer.css";
import { VisuallyHidden } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useHydrated } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { indianClock } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import type { Fulfilment } from "#shared/order-states.ts";
import type { Quote } from "#shared/pricing.ts";
import { useBackCloses } from "#ui/back-closes.ts";
import { trpc } from "#ui/trpc.ts";
import TbChevronUp from "~icons/tabler/chevron-up";
import { PriceLines } from "./price-lines.tsx";
import classes from "./price-panel.module.css";

const ANNOUNCE_AFTER_MS = 700;

/** Id of the line that says why the button is disabled. */
export const PRICE_NOTE_ID = "price-note";

interface PricePanelProps {
  /** Null if there is nothing to price. */
  quote: Quote | null;
  copies: number;
  fulfilment: Fulfilment;
  /** Shown while there is no price. */
  placeholder: string;
  /** By when it would be ready. */
  promise?: ReactNode;
  /** The button that continues. */
  action: ReactNode;
  /** Why the button is disabled, or a note on it. */
  note?: string | undefined;
}

/**
 * The price, always in view: an expandable bar at the bottom of a phone, a panel beside the form on a wide screen.
 */
export function PricePanel({
  quote,
  copies,
  fulfilment,
  placeholder,
  promise,
  action,
  note,
}: PricePanelProps) {
  const [unfolded, { toggle, close }] = useDisclosure(false);
  useBackCloses(unfolded, close);
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
            Total <TbChevronUp size={16} />
          </span>
          <span className={classes.total}>{total}</span>
        </button>
        <div>{action}</div>
        <p id={PRICE_NOTE_ID} className={classes.note}>
          {promise} {note}
        </p>
      </div>
      <PriceAnnouncer total={quote ? total : ""} />
    </aside>
  );
}

/** Announces the total to screen readers once it has not changed for a while. */
function PriceAnnouncer({ total }: { total: string }) {
  const [settled] = useDebouncedValue(total, ANNOUNCE_AFTER_MS);
  return <VisuallyHidden role="status">{settled && `Total ${settled}`}</VisuallyHidden>;
}

/** Prices follow each press of a stepper; the server is asked once they rest. */
const ASK_AFTER_MS = 500;

interface PromiseLineProps {
  shopId: string;
  /** Printed pages, all copies; 0 before there are any. */
  pages: number;
}

/** By when the shop would have this order printed if it were placed now; null before that is known, or where nothing is promised. */
export function usePromise(shopId: string, pages: number): string | null {
  const [rested] = useDebouncedValue(pages, ASK_AFTER_MS);
  const { data } = trpc.orders.promise.useQuery(
    { shopId, pages: rested },
    // The server's pages are the same for everybody, whenever they are rendered.
    { enabled: useHydrated() && rested > 0, staleTime: 60_000, placeholderData: keepPreviousData },
  );
  return (pages > 0 && data?.promisedAt) || null;
}

/** When the order would be ready. It stands in the line of notes, which is always there. */
export function PromiseLine({ shopId, pages }: PromiseLineProps) {
  const promisedAt = usePromise(shopId, pages);
  if (!promisedAt) return null;
  return <strong className={classes.promise}>Ready by {indianClock(Date.parse(promisedAt))}</strong>;
}
