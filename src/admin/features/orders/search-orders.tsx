import TbSearch from "~icons/tabler/search";
import { SearchField } from "../../ui/search-field.tsx";

export const SEARCH_ID = "search-orders";

interface SearchOrdersProps {
  value: string | undefined;
  onSearch: (text: string) => void;
}

export function SearchOrders({ value = "", onSearch }: SearchOrdersProps) {
  return (
    <SearchField
      id={SEARCH_ID}
      aria-label="Search orders"
      placeholder="Name, phone, number"
      leftSection={<TbSearch size={16} />}
      value={value}
      onSearch={onSearch}
    />
  );
}
