import { SimpleGrid } from "@mantine/core";
import { MEASURES, type Measure, measured, measureText } from "./measures.ts";
import classes from "./stats-tiles.module.css";
import type { Stats } from "./stats-types.ts";

export const TILE_COLUMNS = { base: 2, sm: 3, lg: 5 };

/** The totals of the period. */
export function StatsTiles({ total }: { total: Stats["total"] }) {
  const sums = Object.entries(MEASURES).map(([name, label]) => {
    const measure = name as Measure;
    return { label, text: measureText(measure, measured(measure, total)) };
  });
  const cancelled = { label: "Cancelled orders", text: measureText("orders", total.cancelled) };
  return (
    <SimpleGrid cols={TILE_COLUMNS} spacing="sm" component="dl" className={classes.tiles}>
      {[...sums, cancelled].map(({ label, text }) => (
        <div key={label} className={classes.tile}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </SimpleGrid>
  );
}
