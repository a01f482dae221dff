import { Stack } from "@mantine/core";
import { trpc } from "#client/lib/trpc.ts";
import { ScreenMessage } from "../../ui/screen-message.tsx";
import { DaysSection } from "./days-section.tsx";
import type { Figures } from "./figures-answers.ts";
import classes from "./figures-body.module.css";
import { daysOf } from "./figures-period.ts";
import { FiguresTiles } from "./figures-tiles.tsx";
import type { Measure } from "./measures.ts";
import { OptionsSection } from "./options-section.tsx";
import { ShopsSection } from "./shops-section.tsx";

interface FiguresBodyProps {
  figures: Figures;
  measure: Measure;
  /** The one that the figures are of; undefined for all. */
  shopId: string | undefined;
  /** Whether these are those of another period, shown until the right ones come. */
  isOld: boolean;
}

export function FiguresBody({ figures, measure, shopId, isOld }: FiguresBodyProps) {
  const myShops = trpc.staff.myShops.useQuery().data ?? [];
  const { total, days, options } = figures;
  if (total.orders + total.cancelled === 0) {
    return (
      <ScreenMessage
        title="Nothing was ordered in these days"
        text="Choose other days or another shop above."
      />
    );
  }
  const shown = { period: daysOf(days), measure };
  return (
    <Stack gap="md" className={classes.body} data-old={isOld || undefined} aria-busy={isOld}>
      <FiguresTiles total={total} />
      <DaysSection days={days} {...shown} />
      {!shopId && myShops.length > 1 && <ShopsSection {...shown} />}
      {options.length > 0 && <OptionsSection options={options} {...shown} />}
    </Stack>
  );
}
