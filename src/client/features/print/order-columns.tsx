import "@mantine/core/styles/VisuallyHidden.layer.css";
import { VisuallyHidden } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { ScriptOnce, useHydrated } from "@tanstack/react-router";
import { type ReactNode, useId, useLayoutEffect } from "react";
import { indianClock } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import type { Fulfilment } from "#shared/order-states.ts";
import type { Quote } from "#shared/pricing.ts";
import { useBackCloses } from "#ui/back-closes.ts";
import { OWNER_KEY } from "#ui/personal-data.ts";
import { trpc } from "#ui/trpc.ts";
import TbChevronUp from "~icons/tabler/chevron-up";
import { draftName, placedDraft } from "./draft.ts";
import { FILES_KEPT_MS } from "./draft-store.ts";
import classes from "./order-columns.module.css";
import { PriceLines } from "./prices.tsx";

/** The steps of an order with the price beside or below them. */
export function OrderColumns({ children, price }: { children: ReactNode; price: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.steps}>{children}</div>
      {price}
    </div>
  );
}

interface HiddenUntilReadProps {
  userId: string;
  shopId: string;
  isRead: boolean;
}

/** Hides what a stored draft would move until it is read, which is after hydration. */
export function HiddenUntilRead({ userId, shopId, isRead }: HiddenUntilReadProps) {
  useLayoutEffect(() => {
    if (isRead) delete document.documentElement.dataset.draft;
  }, [isRead]);
  return <ScriptOnce>{markDraftScript(userId, shopId)}</ScriptOnce>;
}

/**
 * Inline script that marks a page whose draft fills in after hydration, so that what would move is hidden until then:
 * "files", also for those that can be brought from another shop, or "again" for one with a note on top.
 */
function markDraftScript(userId: string, shopId: string): string {
  const [owner, name, prefix, placed] = [
    userId,
    draftName(userId, shopId),
    draftName(userId, ""),
    draftName(userId, placedDraft("")),
  ].map((text) => JSON.stringify(text).replaceAll("<", "\\u003c"));
  return `try{const all=localStorage,read=(name)=>JSON.parse(all.getItem(name))||{files:[]},draft=read(${name});
if(all.getItem("${OWNER_KEY}")===${owner}&&(draft.again||draft.files.length||Object.keys(all).some((name)=>
name.startsWith(${prefix})&&!name.startsWith(${placed})&&read(name).files.some((file)=>file.chosenAt>Date.now()-${FILES_KEPT_MS}))))
document.documentElement.dataset.draft=draft.again?"again":"files"}catch{}`.replaceAll("\n", "");
}

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
