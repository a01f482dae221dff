import { Text } from "@mantine/core";
import { counted } from "#shared/counted.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import { colourText, countColours } from "#shared/page-colours.ts";
import type { OrderDetail } from "./order-answers.ts";
import { Fact, Facts, PanelSection } from "./panel-section.tsx";

/** What is set at the printer, and how much colour the files hold as a hint beside it. */
export function OrderJob({ order: { pages, copies, quote, files } }: { order: OrderDetail }) {
  const colour = colourText(countColours(files));
  return (
    <PanelSection title="Print job">
      <Facts>
        <Fact name="Pages">{pages}</Fact>
        <Fact name="Copies">
          <strong>{copies}</strong>
        </Fact>
        <Fact name="Paper">{counted(quote.sheets, "sheet")}</Fact>
        {quote.lines.map(({ kind, name }) => (
          <Fact key={kind} name={OPTION_FIELDS[kind].label}>
            {name}
            {kind === "printedColours" && colour && (
              <Text component="span" display="block" size="xs" c="dimmed">
                {colour}
              </Text>
            )}
          </Fact>
        ))}
      </Facts>
    </PanelSection>
  );
}
