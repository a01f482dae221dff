import { OPTION_FIELDS } from "#shared/options.ts";
import type { OrderDetail } from "./order-answers.ts";
import { counted } from "./order-words.ts";
import { Fact, Facts, PanelSection } from "./panel-section.tsx";

/** What is set at the printer. */
export function OrderJob({ order: { pages, copies, quote } }: { order: OrderDetail }) {
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
          </Fact>
        ))}
      </Facts>
    </PanelSection>
  );
}
