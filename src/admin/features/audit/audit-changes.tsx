import classes from "./audit-row.module.css";

type Fields = Record<string, unknown>;

interface AuditChangesProps {
  before: Fields | null;
  after: Fields | null;
}

/** How many fields, and how much of one, are seen without a click. */
const SHOWN_FIELDS = 5;
const SHOWN_CHARACTERS = 160;

/** The fields that an action changed, each as it was and as it became. */
export function AuditChanges({ before, after }: AuditChangesProps) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const fields = names.map((name) => <ChangedField key={name} name={name} before={before} after={after} />);
  const others = fields.slice(SHOWN_FIELDS);
  return (
    <div>
      {fields.length > 0 && <dl>{fields.slice(0, SHOWN_FIELDS)}</dl>}
      {others.length > 0 && (
        <details>
          <summary>{others.length} more</summary>
          <dl>{others}</dl>
        </details>
      )}
    </div>
  );
}

function ChangedField({ name, before, after }: AuditChangesProps & { name: string }) {
  return (
    <div className={classes.field}>
      <dt>{inWords(name)}</dt>
      <dd>
        {before && name in before && (
          <del className={classes.before}>
            <Value value={before[name]} />
          </del>
        )}{" "}
        {after && name in after && (
          <ins className={classes.after}>
            <Value value={after[name]} />
          </ins>
        )}
      </dd>
    </div>
  );
}

function Value({ value }: { value: unknown }) {
  const text = valueText(value);
  if (text.length <= SHOWN_CHARACTERS) return text;
  return (
    <details className={classes.long}>
      <summary>{text.slice(0, SHOWN_CHARACTERS)} …</summary>
      {text}
    </details>
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
