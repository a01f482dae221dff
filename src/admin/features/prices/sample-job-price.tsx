import { Text } from "@mantine/core";
import { formatPaise, type Paise } from "#shared/money.ts";
import classes from "./sample-panel.module.css";

interface SampleJobPriceProps {
  label: string;
  /** As saved; null where the job could not be done. */
  before: Paise | null;
  after: Paise | null;
}

/** A job's price, and what it was where it changes. */
export function SampleJobPrice({ label, before, after }: SampleJobPriceProps) {
  const difference = before !== null && after !== null ? after - before : 0;
  return (
    <p className={classes.price}>
      <Text component="span" display="block" size="sm">
        {label}
      </Text>
      {before !== after && before !== null && <s>{formatPaise(before)}</s>}{" "}
      <strong>{after === null ? "not possible" : formatPaise(after)}</strong>
      {difference !== 0 && (
        <Text component="span" size="sm" c={difference > 0 ? "var(--bad)" : "var(--good)"}>
          {" "}
          {difference > 0 ? "+" : "−"}
          {formatPaise(Math.abs(difference))}
        </Text>
      )}
    </p>
  );
}
