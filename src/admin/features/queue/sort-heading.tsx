import { Table } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import classes from "./order-table.module.css";
import type { QueueSearch } from "./queue-search.ts";

interface SortHeadingProps {
  shown: QueueSearch;
  onShow: (changes: QueueSearch) => void;
}

/** The heading of the time of placing, by which the table is sorted either way. */
export function SortHeading({ shown, onShow }: SortHeadingProps) {
  const newestFirst = shown.sort === "newest";
  const Arrow = newestFirst ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th aria-sort={newestFirst ? "descending" : "ascending"}>
      <button
        type="button"
        className={classes.sort}
        title={newestFirst ? "The newest first" : "The oldest first"}
        onClick={() => onShow({ sort: newestFirst ? undefined : "newest" })}
      >
        Placed <Arrow size={14} aria-hidden="true" />
      </button>
    </Table.Th>
  );
}
