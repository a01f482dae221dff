import { Skeleton } from "@mantine/core";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";
import { counted } from "#shared/format.ts";
import { formatPaise } from "#shared/money.ts";
import { Tiles } from "../../ui/tiles.tsx";

type Totals = inferRouterOutputs<AppRouter>["book"]["totals"];

/** The totals of the period; placeholders while they load. */
export function MoneyTiles({ totals }: { totals: Totals | undefined }) {
  const tiles = tilesOf(totals).map(({ label, paise, note }) => ({
    label,
    value: paise === undefined ? <Skeleton height={24} /> : formatPaise(paise),
    note,
  }));
  return <Tiles cols={{ base: 2, sm: 3, lg: 6 }} tiles={tiles} />;
}

function tilesOf(totals: Totals | undefined) {
  if (!totals) return LABELS.map((label) => ({ label, paise: undefined, note: " " }));
  const { ordered, collected } = totals;
  const cash = collected.cashTaken - collected.cashRefunded;
  const upi = collected.upiTaken - collected.upiRefunded;
  const amounts: [number, string][] = [
    [ordered.orderedPaise, counted(ordered.orders, "order")],
    [cash + upi, "Less refunds"],
    [cash, `${formatPaise(collected.cashRefunded)} refunded`],
    [upi, `${formatPaise(collected.upiRefunded)} refunded`],
    [ordered.duePaise, "Of these orders"],
    [ordered.refundDuePaise, "Of these orders"],
  ];
  return LABELS.map((label, index) => ({ label, paise: amounts[index]?.[0], note: amounts[index]?.[1] }));
}

const LABELS = ["Ordered", "Collected", "Cash", "UPI", "Unpaid", "Outstanding refunds"];
