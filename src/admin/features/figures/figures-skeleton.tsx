import { SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { TILE_COLUMNS } from "./figures-tiles.tsx";

const TILES = ["revenue", "orders", "pages", "sheets", "cancelled"];

/** Where the figures will stand, while they are fetched. */
export function FiguresSkeleton() {
  return (
    <Stack gap="md" role="status" aria-label="Loading...">
      <SimpleGrid cols={TILE_COLUMNS} spacing="sm">
        {TILES.map((tile) => (
          <Skeleton key={tile} height={76} radius="md" />
        ))}
      </SimpleGrid>
      <Skeleton height={340} radius="md" />
      <Skeleton height={420} radius="md" />
    </Stack>
  );
}
