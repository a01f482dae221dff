/** The middle value; of an even number of values the upper of the two. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which this share of the values lies. Throws where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}
