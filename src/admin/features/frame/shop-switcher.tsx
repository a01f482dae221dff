import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useCurrentShop, useStaffUser } from "#admin/lib/current-shop.ts";
import { trpc } from "#client/lib/trpc.ts";

const ALL = "all";

/** Narrows the console to one of the person's shops; with one shop there is nothing to choose. */
export function ShopSwitcher() {
  const shops = trpc.staff.myShops.useQuery().data ?? [];
  const shop = useCurrentShop();
  const { role } = useStaffUser();
  const navigate = useNavigate();
  const allLabel = role === "admin" ? "All shops" : "All my shops";

  function choose(value: string | null) {
    const chosen = value && value !== ALL ? value : undefined;
    void navigate({ to: ".", search: (search) => ({ ...search, shop: chosen }) });
  }

  if (shops.length === 1) return <strong>{shops[0]?.name}</strong>;
  return (
    <Select
      aria-label="Shop"
      size="sm"
      maw={300}
      flex={1}
      searchable
      allowDeselect={false}
      maxDropdownHeight={360}
      nothingFoundMessage="No shop has this name"
      value={shop ?? ALL}
      onChange={choose}
      data={[
        { value: ALL, label: allLabel },
        ...shops.map(({ id, name, location }) => ({ value: id, label: `${name}, ${location}` })),
      ]}
    />
  );
}
