import { Spoiler } from "@mantine/core";
import classes from "./audit-row.module.css";

type Fields = Record<string, unknown>;

interface AuditChangesProps {
  before: Fields | null;
  after: Fields | null;
}

/** About six lines; what is longer opens by a click. */
const SHOWN_PX = 132;

/** The fields that an action changed, each as it was and as it became. */
export function AuditChanges({ before, after }: AuditChangesProps) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return <span />;
  return (
    <Spoiler maxHeight={SHOWN_PX} showLabel="Show all of it" hideLabel="Show less">
      <dl>
        {names.map((name) => (
          <div key={name} className={classes.field}>
            <dt>{inWords(name)}</dt>
            <dd>
              {before && name in before && <del className={classes.before}>{valueText(before[name])}</del>}
              {before && after && " "}
              {after && name in after && <ins className={classes.after}>{valueText(after[name])}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </Spoiler>
  );
}

/** `contactNumber` as `contact number`. */
function inWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) return value.map(valueText).join(", ") || "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
