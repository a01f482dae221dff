import { MultiSelect, Radio, Stack } from "@mantine/core";
import { assignableRoles } from "#shared/permissions.ts";
import type { StaffRole } from "#shared/schemas/accounts.ts";
import { trpc } from "#ui/trpc.ts";
import { useStaffUser } from "../../lib/current-shop.ts";

export interface RoleAndShops {
  role: StaffRole;
  shopIds: string[];
}

interface RoleFieldsProps {
  assigned: RoleAndShops;
  onChange: (assigned: RoleAndShops) => void;
}

const ROLES: Record<StaffRole, { label: string; description: string }> = {
  counter: {
    label: "Counter",
    description: "Prints orders, takes payments and hands orders over at the shops chosen below",
  },
  owner: {
    label: "Owner",
    description: "Runs the shops chosen below: prices, people, refunds and stats too",
  },
  admin: { label: "Admin", description: "Runs the whole store, its people included" },
};

/** The role and shops of somebody on the staff. Only roles that the present user may give are offered. */
export function RoleFields({ assigned, onChange }: RoleFieldsProps) {
  const roles = assignableRoles(useStaffUser().role);
  const shops = trpc.staff.myShops.useQuery().data ?? [];
  return (
    <>
      {roles.length > 1 && (
        <Radio.Group
          label="Role"
          value={assigned.role}
          onChange={(role) => onChange({ ...assigned, role: role as StaffRole })}
        >
          <Stack gap="xs" mt={4}>
            {roles.map((role) => (
              <Radio key={role} value={role} {...ROLES[role]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {assigned.role !== "admin" && (
        <MultiSelect
          label="Shops"
          description={roles.length > 1 ? undefined : ROLES[assigned.role].description}
          placeholder={assigned.shopIds.length === 0 ? "Choose at least one" : undefined}
          data={shops.map(({ id, name, location }) => ({ value: id, label: `${name}, ${location}` }))}
          value={assigned.shopIds}
          onChange={(shopIds) => onChange({ ...assigned, shopIds })}
          searchable
          hidePickedOptions
          clearable
          clearButtonProps={{ "aria-label": "Choose no shop" }}
          required
        />
      )}
    </>
  );
}
