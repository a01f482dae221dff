const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const STEP = 1024;

/** Bytes as a person reads them: 1536 becomes "1.5 kB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(STEP)), UNITS.length - 1);
  return new Intl.NumberFormat("en-IN", {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / STEP ** power);
}
