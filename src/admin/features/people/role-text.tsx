import { Badge, Text } from "@mantine/core";
import type { StaffRole } from "#shared/schemas/accounts.ts";

interface RoleTextProps {
  role: StaffRole;
  shops: { id: string; name: string }[];
}

/** A role and its shops. */
export function RoleText({ role, shops }: RoleTextProps) {
  const place = role === "admin" ? "the whole store" : shops.map((shop) => shop.name).join(", ");
  return (
    <div>
      <Badge variant="light" color={role === "admin" ? "marigold" : "gray"} c="var(--ink)">
        {role}
      </Badge>
      <Text size="sm" component="p" mt={2}>
        {place || "no shop"}
      </Text>
    </div>
  );
}
