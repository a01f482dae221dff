import { Tiles } from "../../ui/tiles.tsx";
import { MEASURES, type Measure, measured, measureText } from "./measures.ts";
import type { Stats } from "./stats-types.ts";

export const TILE_COLUMNS = { base: 2, sm: 3, lg: 5 };

/** The totals of the period. */
export function StatsTiles({ total }: { total: Stats["total"] }) {
  const sums = Object.entries(MEASURES).map(([name, label]) => {
    const measure = name as Measure;
    return { label, value: measureText(measure, measured(measure, total)) };
  });
  const cancelled = { label: "Cancelled orders", value: measureText("orders", total.cancelled) };
  return <Tiles cols={TILE_COLUMNS} tiles={[...sums, cancelled]} />;
}
