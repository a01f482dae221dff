import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useHydrated } from "@tanstack/react-router";
import { indianClock } from "#shared/indian-time.ts";
import type { Fulfilment } from "#shared/order-states.ts";
import { promiseLabel } from "#shared/promise-label.ts";
import { trpc } from "#ui/trpc.ts";
import classes from "./price-panel.module.css";

/** Prices follow each press of a stepper; the server is asked once they rest. */
const REST_MS = 500;

interface PromiseLineProps {
  shopId: string;
  /** Printed pages, all copies; 0 before there are any. */
  pages: number;
  fulfilment: Fulfilment;
}

/** By when the shop would have this order printed if it were placed now. It stands in the line of notes, which is always there. */
export function PromiseLine({ shopId, pages, fulfilment }: PromiseLineProps) {
  const [rested] = useDebouncedValue(pages, REST_MS);
  const { data } = trpc.orders.promise.useQuery(
    { shopId, pages: rested },
    // The server's pages are the same for everybody, whenever they are rendered.
    { enabled: useHydrated() && rested > 0, staleTime: 60_000, placeholderData: keepPreviousData },
  );
  const promisedAt = pages > 0 ? data?.promisedAt : null;
  if (!promisedAt) return null;
  return (
    <strong className={classes.promise}>
      {promiseLabel(fulfilment)} {indianClock(Date.parse(promisedAt))}
    </strong>
  );
}
