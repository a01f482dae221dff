import { SimpleGrid, type SimpleGridProps } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./tiles.module.css";

interface Tile {
  label: string;
  value: ReactNode;
  /** A line in small type. Tiles beside each other all have one or none. */
  note?: string | undefined;
}

/** Totals, each in a tile with its name. */
export function Tiles({ cols, tiles }: { cols: SimpleGridProps["cols"]; tiles: Tile[] }) {
  return (
    <SimpleGrid cols={cols} spacing="sm" component="dl" className={classes.tiles}>
      {tiles.map(({ label, value, note }) => (
        <div key={label} className={classes.tile}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {note && <dd className={classes.note}>{note}</dd>}
        </div>
      ))}
    </SimpleGrid>
  );
}
