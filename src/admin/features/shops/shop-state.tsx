import { Badge, Group, Text } from "@mantine/core";
import { OPTION_FIELDS } from "#shared/options.ts";
import { hasNoPrices, type ManagedShop } from "./managed-shop.ts";

/** Whether students can see the shop and order, and why not. */
export function ShopState({ shop }: { shop: ManagedShop }) {
  const { isOpen, closedNote, hidden, gaps } = shop;
  return (
    <Group gap={6}>
      {hidden && (
        <Badge variant="default" size="md">
          Hidden
        </Badge>
      )}
      {isOpen ? (
        <Badge variant="light" color="green" size="md" c="var(--good)">
          Open
        </Badge>
      ) : (
        <Badge variant="light" color="red" size="md" c="var(--bad)">
          Closed
        </Badge>
      )}
      {!isOpen && closedNote && (
        <Text size="sm" c="dimmed">
          {closedNote}
        </Text>
      )}
      {gaps.length > 0 && (
        <Text size="sm" c="var(--bad)">
          {hasNoPrices(shop) ? "No prices yet" : `No prices: ${gaps.map(labelOf).join(", ")}`}
        </Text>
      )}
    </Group>
  );
}

function labelOf(kind: ManagedShop["gaps"][number]): string {
  return OPTION_FIELDS[kind].label.toLowerCase();
}
