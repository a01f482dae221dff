import type { OptionsFilter } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";

type ShopName = RouterOutputs["staff"]["myShops"]["shops"][number];

const staffRoute = getRouteApi("/_staff");

/**
 * The id of the shop that is chosen in the header; undefined while all of the person's shops are shown, as they are once the
 * person has lost the chosen one.
 */
export function useCurrentShop(): string | undefined {
  const { shop } = staffRoute.useSearch();
  return useShopNamed(shop).data?.shops.length === 0 ? undefined : shop;
}

/** The first of the person's shops by name, for an admin of all; none while they load. */
export function useFirstShops(): ShopName[] {
  return trpc.staff.myShops.useQuery({}).data?.shops ?? [];
}

/** The shop that is chosen in the header, or the person's only one; undefined while that may be several. */
export function useOneShop(): string | undefined {
  const [only, second] = useFirstShops();
  return useCurrentShop() ?? (second ? undefined : only?.id);
}

/** The shop with this id in a list, which is empty if the person has it not. */
export function useShopNamed(id: string | undefined) {
  return trpc.staff.myShops.useQuery({ ids: [id ?? ""] }, { enabled: id !== undefined });
}

interface Choice {
  value: string;
  label: string;
  disabled?: boolean;
}

const PAUSE_MS = 250;
const MORE: Choice = { value: "more", label: "Type to find more shops", disabled: true };

const unfiltered: OptionsFilter = ({ options }) => options;

/**
 * The properties of a field that chooses among the person's shops: the server searches them, and answers with the first.
 * @param chosen those that the field has from the start @param all the choice before the shops
 */
export function useShopChoices(chosen: ShopName[] = [], all: Choice[] = []) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed, PAUSE_MS);
  const query = trpc.staff.myShops.useQuery(search ? { search } : {}, {
    placeholderData: (before) => before,
  });
  const { shops: found = [], hasMore = false } = query.data ?? {};
  const others = chosen.filter(({ id }) => found.every((shop) => shop.id !== id));
  const isCurrent = search === typed && !query.isPlaceholderData;
  const forget = () => setTyped("");
  return {
    searchable: true,
    data: [
      ...(typed ? [] : all),
      ...[...(typed ? [] : others), ...found].map(({ id, name, location }) => ({
        value: id,
        label: `${name}, ${location}`,
      })),
      ...(hasMore ? [MORE] : []),
    ],
    // Until the answer comes, those of the one before that match.
    ...(isCurrent && { filter: unfiltered }),
    nothingFoundMessage: isCurrent ? "No shop has this name" : "Searching…",
    // Not the label of the chosen shop, which the field shows when it is left.
    onInput: ({ currentTarget }: FormEvent<HTMLInputElement>) => setTyped(currentTarget.value),
    onOptionSubmit: forget,
    onBlur: forget,
  };
}
