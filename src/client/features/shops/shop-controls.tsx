import "@mantine/core/styles/Input.layer.css";
import { NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import classes from "./shop-controls.module.css";
import { isShopOrder, SHOP_ORDERS, type ShopQuery } from "./shop-search.ts";

const ORDER_CHOICES = Object.entries(SHOP_ORDERS).map(([value, label]) => ({ value, label }));

interface ShopControlsProps {
  query: ShopQuery;
  onChange: (query: ShopQuery) => void;
}

export function ShopControls({ query, onChange }: ShopControlsProps) {
  return (
    <search className={classes.controls}>
      <TextInput
        type="search"
        size="md"
        label="Find a shop"
        placeholder="Name, place or college"
        leftSection={<IconSearch size={20} aria-hidden="true" />}
        value={query.q ?? ""}
        onChange={({ currentTarget }) => onChange({ ...query, q: currentTarget.value || undefined })}
      />
      <NativeSelect
        size="md"
        label="Sort by"
        data={ORDER_CHOICES}
        value={query.sort ?? "listed"}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...query, sort: isShopOrder(value) && value !== "listed" ? value : undefined })
        }
      />
    </search>
  );
}
