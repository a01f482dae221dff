import "@mantine/core/styles/Input.layer.css";
import { NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { isShopOrder, SHOP_ORDERS } from "#shared/shop-orders.ts";
import classes from "./shop-controls.module.css";
import { ORDER_NAMES, type ShopQuery } from "./shop-query.ts";

const ORDER_CHOICES = SHOP_ORDERS.map((value) => ({ value, label: ORDER_NAMES[value] }));

interface ShopControlsProps {
  query: ShopQuery;
  onChange: (query: ShopQuery) => void;
}

export function ShopControls({ query, onChange }: ShopControlsProps) {
  const search = useRef<HTMLInputElement>(null);
  const order = useRef<HTMLSelectElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed and chosen before the script ran
  useEffect(() => {
    const early = { q: searchOf(search.current?.value), sort: orderOf(order.current?.value) };
    if (early.q !== query.q || early.sort !== query.sort) onChange(early);
  }, []);
  return (
    <search className={classes.controls}>
      <TextInput
        ref={search}
        type="search"
        size="md"
        label="Find a shop"
        placeholder="Name, place or college"
        leftSection={<IconSearch size={20} aria-hidden="true" />}
        value={query.q ?? ""}
        onChange={({ currentTarget: { value } }) => onChange({ ...query, q: searchOf(value) })}
      />
      <NativeSelect
        ref={order}
        size="md"
        label="Sort by"
        data={ORDER_CHOICES}
        value={query.sort ?? "listed"}
        onChange={({ currentTarget: { value } }) => onChange({ ...query, sort: orderOf(value) })}
      />
    </search>
  );
}

function searchOf(value = ""): ShopQuery["q"] {
  return value || undefined;
}

function orderOf(value: string | undefined): ShopQuery["sort"] {
  return isShopOrder(value) && value !== "listed" ? value : undefined;
}
