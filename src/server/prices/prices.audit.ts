import { OPTION_FIELDS, type OptionKind } from "#shared/options.ts";
import { describeEntry, type PriceChange } from "#shared/price-list.ts";

/** The changes as the two sides of an audit entry: what each option was, and what it became. */
export function auditSides(changes: PriceChange[]) {
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  for (const change of changes) {
    if (change.type === "reordered") {
      const subject = `${label(change.kind)} in order`;
      before[subject] = change.before.map(({ name }) => name).join(", ");
      after[subject] = change.after.map(({ name }) => name).join(", ");
      continue;
    }
    const was = change.type === "added" ? undefined : change.before;
    const is = change.type === "removed" ? undefined : change.after;
    const subject = `${label(change.kind)}: ${(was ?? is)?.name}`;
    if (was) before[subject] = describeEntry(was);
    if (is)
      after[subject] = was && was.name !== is.name ? `${is.name}, ${describeEntry(is)}` : describeEntry(is);
  }
  return { before, after };
}

function label(kind: OptionKind): string {
  return OPTION_FIELDS[kind].label;
}
