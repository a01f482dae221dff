import type { z } from "zod";

/** Adds an issue for each entry whose `key` was already used. */
export function refuseRepeats<K extends string>(
  entries: readonly Partial<Record<K, string>>[],
  key: K,
  ctx: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [index, { [key]: value }] of entries.entries()) {
    if (value === undefined) continue;
    if (seen.has(value)) {
      ctx.addIssue({ code: "custom", path: [index, key], message: `"${value}" is here twice` });
    }
    seen.add(value);
  }
}
