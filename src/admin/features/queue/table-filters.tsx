import { Checkbox, Group, Select, TextInput } from "@mantine/core";
import { ORDER_STATES } from "#shared/order-states.ts";
import { STATE_NAMES } from "../order/order-words.ts";
import classes from "./order-table.module.css";
import { type QueueSearch, readQueueSearch } from "./queue-search.ts";

const STATES = [
  { value: "open", label: "Open" },
  { value: "all", label: "All" },
  ...ORDER_STATES.map((state) => ({ value: state, label: STATE_NAMES[state] })),
];

interface TableFiltersProps {
  shown: QueueSearch;
  onShow: (changes: QueueSearch) => void;
}

/** Narrows the table. Open orders are worked from the oldest on; of all others the newest are looked for. */
export function TableFilters({ shown, onShow }: TableFiltersProps) {
  const change = (part: Record<string, unknown>) => onShow(readQueueSearch({ ...shown, ...part }));
  return (
    <Group gap="xs" mb="md" align="flex-end">
      <Select
        label="State"
        w={150}
        data={STATES}
        allowDeselect={false}
        value={shown.state ?? "open"}
        onChange={(state) => change({ state, sort: state === "open" ? undefined : "newest" })}
      />
      <TextInput
        type="date"
        label="Placed from"
        value={shown.fromDay ?? ""}
        onChange={(event) => change({ fromDay: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Until"
        value={shown.untilDay ?? ""}
        onChange={(event) => change({ untilDay: event.currentTarget.value })}
      />
      <Checkbox
        label="Printing errors to answer"
        className={classes.reported}
        checked={shown.reported ?? false}
        onChange={({ currentTarget: { checked } }) =>
          change(checked ? { reported: true, state: "all", sort: undefined } : { reported: undefined })
        }
      />
    </Group>
  );
}
