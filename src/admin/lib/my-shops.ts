import { getRouteApi } from "@tanstack/react-router";
import { trpc } from "#ui/trpc.ts";

const staffRoute = getRouteApi("/_staff");

/**
 * The id of the shop that is chosen in the header; undefined while all of the person's shops are shown, as they are once the
 * person has lost the chosen one.
 */
export function useCurrentShop(): string | undefined {
  const { shop } = staffRoute.useSearch();
  const { data: own } = trpc.staff.myShops.useQuery();
  return own?.every(({ id }) => id !== shop) ? undefined : shop;
}

/** The shops of the person, for an admin all; none while they load. */
export function useMyShops() {
  return trpc.staff.myShops.useQuery().data ?? [];
}

/** The shop that is chosen in the header, or the person's only one; undefined while that may be several. */
export function useOneShop(): string | undefined {
  const [only, second] = useMyShops();
  return useCurrentShop() ?? (second ? undefined : only?.id);
}

/** The shops as the choices of a field. */
export function shopChoices(shops: ReturnType<typeof useMyShops>): { value: string; label: string }[] {
  return shops.map(({ id, name, location }) => ({ value: id, label: `${name}, ${location}` }));
}
