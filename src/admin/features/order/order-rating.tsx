import { Group, Rating, Text } from "@mantine/core";
import { starsText } from "#shared/ratings.ts";
import type { OrderDetail } from "./order-answers.ts";
import { PanelSection } from "./panel-section.tsx";

/** What the student gave the order; nothing until they do. */
export function OrderRating({ order: { stars } }: { order: OrderDetail }) {
  if (stars === null) return null;
  return (
    <PanelSection title="Rating">
      <Group gap="xs">
        <Rating value={stars} color="marigold" readOnly aria-hidden="true" />
        <Text>{starsText(stars)}</Text>
      </Group>
    </PanelSection>
  );
}
