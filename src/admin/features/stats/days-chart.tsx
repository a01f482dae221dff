import { VisuallyHidden } from "@mantine/core";
import type { CSSProperties } from "react";
import { longDay, shortDay } from "../../lib/times.ts";
import classes from "./days-chart.module.css";
import type { DayStats } from "./measures.ts";
import { gridlinesFor, MEASURES, type Measure, measured, measureText, shortMeasureText } from "./measures.ts";

/** About how many days are labelled, the last one always. */
const LABELLED_DAYS = 6;

interface DaysChartProps {
  days: DayStats[];
  measure: Measure;
}

/** A bar for each day, with its number while it is pointed at. */
export function DaysChart({ days, measure }: DaysChartProps) {
  const values = days.map((stats) => measured(measure, stats));
  const gridlines = gridlinesFor(measure, Math.max(...values));
  const top = gridlines.at(-1) ?? 1;
  const labelEvery = Math.ceil(days.length / LABELLED_DAYS);
  return (
    <div className={classes.chart}>
      <div className={classes.axis} aria-hidden>
        {gridlines.map((value) => (
          <span key={value} style={at(value / top)}>
            {shortMeasureText(measure, value)}
          </span>
        ))}
      </div>
      <ol className={classes.plot} aria-label={`${MEASURES[measure]} by day`}>
        {days.map(({ day }, index) => {
          const value = values[index] ?? 0;
          return (
            <li key={day} style={at((index + 0.5) / days.length)}>
              <div className={classes.bar} style={{ height: `${(100 * value) / top}%` }} />
              <div className={classes.tip}>
                {longDay(day)}
                <VisuallyHidden component="span">: </VisuallyHidden>
                <strong>{measureText(measure, value)}</strong>
              </div>
              {(days.length - 1 - index) % labelEvery === 0 && (
                <span className={classes.day} aria-hidden>
                  {shortDay(day)}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** A position between 0 and 1 along an axis, for the style sheet. */
function at(position: number): CSSProperties {
  return { "--at": position } as CSSProperties;
}
