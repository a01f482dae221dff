import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";
import { trpc } from "#ui/trpc.ts";

type CounterPageData = inferRouterOutputs<AppRouter>["visits"]["page"];
export type Visit = NonNullable<CounterPageData["visit"]>;

/** How often the page asks, in ms: while an order is under way, and otherwise for the end of the visit. */
const EVERY = { underWay: 4000, idle: 60_000 };

const DONE = ["delivered", "cancelled"];

/** The counter with the visit and its orders, kept up to date while the page is in sight. */
export function useCounterPage(shopId: string) {
  return trpc.visits.page.useQuery(
    { shopId },
    {
      staleTime: EVERY.underWay,
      refetchInterval: ({ state: { data } }) => {
        if (!data?.visit) return false;
        return data.visit.orders.some(({ state }) => !DONE.includes(state)) ? EVERY.underWay : EVERY.idle;
      },
    },
  );
}
