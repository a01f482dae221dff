import { Text } from "@mantine/core";
import { OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { describeEntry, type PriceChange, type PriceEntry } from "#shared/price-list.ts";
import classes from "./change-list.module.css";

/** The differences of two price lists, list by list. */
export function ChangeList({ changes }: { changes: readonly PriceChange[] }) {
  if (changes.length === 0) return <Text c="dimmed">No changes.</Text>;
  return OPTION_KINDS.map((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length === 0) return null;
    const { label } = OPTION_FIELDS[kind];
    return (
      <section key={kind} className={classes.list}>
        <h3 className={classes.title}>{label}</h3>
        <ul aria-label={`Changes in ${label}`}>
          {own.map((change) => (
            <li key={keyOf(change)} data-change={change.type}>
              <ChangeText change={change} />
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

function ChangeText({ change }: { change: PriceChange }) {
  switch (change.type) {
    case "added":
      return (
        <>
          <b>{change.after.name}</b> is new: {describeEntry(change.after)}
        </>
      );
    case "removed":
      return (
        <>
          <b>{change.before.name}</b> is removed <s>{describeEntry(change.before)}</s>
        </>
      );
    case "changed":
      return <Became before={change.before} after={change.after} />;
    case "reordered":
      return <>New order: {change.after.map(({ name }) => name).join(", ")}</>;
  }
}

function Became({ before, after }: { before: PriceEntry; after: PriceEntry }) {
  const [was, is] = [describeEntry(before), describeEntry(after)];
  return (
    <>
      <b>{before.name}</b>
      {before.name !== after.name && (
        <>
          {" "}
          is called <b>{after.name}</b>
        </>
      )}
      {was !== is && (
        <>
          : <s>{was}</s> now {is}
        </>
      )}
    </>
  );
}

function keyOf(change: PriceChange): string {
  if (change.type === "reordered") return change.type;
  const entry = change.type === "removed" ? change.before : change.after;
  return `${change.type} ${entry.id ?? entry.name}`;
}
