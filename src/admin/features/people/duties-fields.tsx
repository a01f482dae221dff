import { MultiSelect, Radio, Stack } from "@mantine/core";
import { trpc } from "#client/lib/trpc.ts";
import type { StaffRole } from "#shared/schemas/accounts.ts";

export interface Duties {
  role: StaffRole;
  shopIds: string[];
}

interface DutiesFieldsProps {
  duties: Duties;
  onChange: (duties: Duties) => void;
}

/** What someone is on the staff for: some shops, or the whole store. */
export function DutiesFields({ duties, onChange }: DutiesFieldsProps) {
  const shops = trpc.staff.myShops.useQuery().data ?? [];
  return (
    <>
      <Radio.Group
        label="Role"
        value={duties.role}
        onChange={(role) => onChange({ ...duties, role: role as StaffRole })}
      >
        <Stack gap="xs" mt={4}>
          <Radio value="owner" label="Owner" description="Runs the shops chosen below, and sees no others" />
          <Radio value="admin" label="Admin" description="Runs the whole store, its people included" />
        </Stack>
      </Radio.Group>
      {duties.role === "owner" && (
        <MultiSelect
          label="Shops"
          placeholder={duties.shopIds.length === 0 ? "Choose at least one" : undefined}
          data={shops.map(({ id, name, location }) => ({ value: id, label: `${name}, ${location}` }))}
          value={duties.shopIds}
          onChange={(shopIds) => onChange({ ...duties, shopIds })}
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
