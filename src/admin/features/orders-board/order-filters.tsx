import { Button, Group, Select } from "@mantine/core";
import type { OptionKind } from "#shared/options.ts";
import type { Fulfilment } from "#shared/order-states.ts";
import type { DueWithin } from "#shared/schemas/board.ts";
import { trpc } from "#ui/trpc.ts";
import TbSearch from "~icons/tabler/search";
import { boardFilterOf, type OrdersSearch } from "../../lib/screen-searches.ts";
import { SearchField } from "../../ui/filter-fields.tsx";
import { FULFILMENT_NAMES } from "../order/order-labels.ts";
import classes from "./order-filters.module.css";

interface OrderFiltersProps {
  /** The shop whose options are offered; none while several shops are shown. */
  shopId: string | undefined;
  shown: OrdersSearch;
  onShow: (changes: OrdersSearch) => void;
}

const FULFILMENTS = Object.entries(FULFILMENT_NAMES) as [Fulfilment, string][];

const DUE: { value: DueWithin; label: string }[] = [
  { value: "late", label: "Late" },
  { value: "hour", label: "Within the hour" },
  { value: "today", label: "Today" },
];

const NO_FILTERS = {
  unpaid: undefined,
  fulfilment: undefined,
  paper: undefined,
  colour: undefined,
  onHold: undefined,
  due: undefined,
};

/** Filters of the board and the table. */
export function OrderFilters({ shopId, shown, onShow }: OrderFiltersProps) {
  const { data: options = [] } = trpc.stock.list.useQuery(
    { shopId: shopId ?? "" },
    { enabled: shopId !== undefined },
  );
  const papers = namesOf(options, ["paperTypes", "paperSizes"], shown.paper);
  const colours = namesOf(options, ["printedColours"], shown.colour);
  const select = <Name extends "paper" | "colour" | "due">(name: Name) => ({
    size: "xs",
    clearable: true,
    value: shown[name] ?? null,
    onChange: (value: string | null) => onShow({ [name]: value ?? undefined }),
  });
  const isFiltered = Object.values(boardFilterOf(shown)).some((value) => value !== undefined);
  return (
    <Group gap={6} mb="sm" role="group" aria-label="Filters" className={classes.filters ?? ""}>
      <FilterButton
        label="Unpaid"
        isOn={shown.unpaid ?? false}
        onToggle={(isOn) => onShow({ unpaid: isOn || undefined })}
      />
      {FULFILMENTS.map(([value, label]) => (
        <FilterButton
          key={value}
          label={label}
          isOn={shown.fulfilment === value}
          onToggle={(isOn) => onShow({ fulfilment: isOn ? value : undefined })}
        />
      ))}
      {papers.length > 0 && (
        <Select {...select("paper")} w={155} aria-label="Paper" placeholder="Any paper" data={papers} />
      )}
      {colours.length > 0 && (
        <Select {...select("colour")} w={160} aria-label="Colour" placeholder="Any colour" data={colours} />
      )}
      <FilterButton
        label="On hold"
        isOn={shown.onHold ?? false}
        onToggle={(isOn) => onShow({ onHold: isOn || undefined })}
      />
      <Select {...select("due")} w={150} aria-label="Due" placeholder="Due any time" data={DUE} />
      {isFiltered && (
        <Button
          size="compact-md"
          variant="subtle"
          aria-label="Clear filters"
          onClick={() => onShow(NO_FILTERS)}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

interface FilterButtonProps {
  label: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
}

function FilterButton({ label, isOn, onToggle }: FilterButtonProps) {
  return (
    <Button
      size="compact-md"
      variant={isOn ? "filled" : "default"}
      aria-pressed={isOn}
      onClick={() => onToggle(!isOn)}
    >
      {label}
    </Button>
  );
}

/** Each name once; the chosen one too, if the shop no longer has it. */
function namesOf(
  options: readonly { kind: OptionKind; name: string }[],
  kinds: readonly OptionKind[],
  chosen: string | undefined,
): string[] {
  const offered = kinds.flatMap((kind) => options.filter((option) => option.kind === kind));
  return [...new Set([...offered.map(({ name }) => name), ...(chosen ? [chosen] : [])])];
}

export const SEARCH_ID = "search-orders";

interface SearchOrdersProps {
  value: string | undefined;
  onScan: (text: string) => boolean;
  onSearch: (text: string) => void;
}

export function SearchOrders({ value = "", ...on }: SearchOrdersProps) {
  return (
    <SearchField
      id={SEARCH_ID}
      aria-label="Search orders"
      placeholder="Name, phone, number"
      leftSection={<TbSearch size={16} />}
      value={value}
      {...on}
    />
  );
}
