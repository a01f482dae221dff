import "@mantine/charts/styles.layer.css";
import { BarsList } from "@mantine/charts";
import classes from "./figures-bars.module.css";
import { type Measure, measureText } from "./measures.ts";

interface FiguresBarsProps {
  bars: { name: string; value: number }[];
  measure: Measure;
}

/** Bars that lie below one another, each with its name and its number. */
export function FiguresBars({ bars, measure }: FiguresBarsProps) {
  return (
    <BarsList
      data={bars.map((bar) => ({ ...bar, variant: "filled" }))}
      valueFormatter={(value) => measureText(measure, value)}
      barColor="var(--accent-wash)"
      barTextColor="var(--ink)"
      barHeight={28}
      getBarProps={withPadding}
      classNames={classes}
    />
  );
}

/** A bar of nothing would lose it, and its name would stand out of line. */
function withPadding() {
  return { style: { padding: undefined } };
}
