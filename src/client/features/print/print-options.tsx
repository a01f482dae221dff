import "../../ui/form-styles.ts";
import { NativeSelect, Textarea } from "@mantine/core";
import { formatCount } from "#shared/format.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { layoutProblem } from "#shared/order-jobs.ts";
import { MAX_COPIES, MAX_MESSAGE } from "#shared/order-limits.ts";
import { colourText } from "#shared/page-colours.ts";
import { pagesText, willPrintText } from "#shared/print-pages.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import type { SheetLayout } from "#shared/sheet-layout.ts";
import { CountField, INPUT_ORDER } from "./count-field.tsx";
import type { Draft } from "./draft.ts";
import { LayoutField } from "./layout-field.tsx";
import { optionChoices } from "./price-labels.ts";
import classes from "./print-options.module.css";
import { type ColourApart, type PrintPlan, twoSidedAt } from "./print-plan.ts";

/** Reserves the line of a hint, so that nothing shifts when it appears. */
const NO_HINT = "\u00a0";
const FIELD = { size: "md", required: true, withAsterisk: false } as const;

interface PrintOptionsProps {
  shop: Shop;
  draft: Draft;
  plan: PrintPlan;
  change: (patch: Partial<Draft>) => void;
}

/** The print options. Every field has a value from the start, so what is shown is what is ordered. */
export function PrintOptions({ shop, draft, plan, change }: PrintOptionsProps) {
  const colour = colourHint(plan);
  const twoSided = twoSidedAt(shop);

  /** A booklet is printed on both sides. */
  function chooseLayout(layout: SheetLayout) {
    const isFitting = !plan.options || layoutProblem(layout, plan.options.printingSides.sides) === null;
    if (isFitting || !twoSided) change({ layout });
    else change({ layout, options: { ...draft.options, printingSides: twoSided._id } });
  }

  return (
    <div className={classes.fields}>
      <PagesField plan={plan} change={change} />
      <CountField
        {...FIELD}
        items="copies"
        label="Number of copies"
        name="noOfCopies"
        max={MAX_COPIES}
        value={plan.copies}
        error={plan.copies === "" && "Number of copies is required"}
        onChange={(copies) => change({ copies })}
      />
      <LayoutField
        layout={draft.layout}
        plan={plan}
        canBeBooklet={twoSided !== undefined}
        onChange={chooseLayout}
      />
      {OPTION_KINDS.flatMap((kind) => [
        <NativeSelect
          key={kind}
          {...FIELD}
          label={OPTION_FIELDS[kind].label}
          name={kind}
          inputWrapperOrder={INPUT_ORDER}
          description={kind === "printedColours" ? colour || NO_HINT : undefined}
          value={plan.options?.[kind]._id ?? ""}
          data={optionChoices(shop[kind])}
          onChange={({ currentTarget }) =>
            change({ options: { ...draft.options, [kind]: currentTarget.value } })
          }
        />,
        kind === "printedColours" && (plan.colourApart || plan.isAwaitingColours) && (
          <ColourApartField
            key="colourApart"
            choice={plan.colourApart}
            isWholeSheets={draft.layout.pagesPerSide > 1 || plan.options?.printingSides.sides === 2}
            isOn={draft.isColourApart === true}
            onChange={(isColourApart) => change({ isColourApart })}
          />
        ),
      ])}
      <Textarea
        className={classes.wide}
        size="md"
        label="Message to the shop"
        description="Optional: anything the shop should know"
        placeholder="e.g. Spiral on the left, please"
        name="message"
        inputWrapperOrder={INPUT_ORDER}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_MESSAGE}
        value={draft.message}
        onChange={({ currentTarget }) => change({ message: currentTarget.value })}
      />
    </div>
  );
}

interface ColourApartFieldProps {
  /** Null while the files are checked. */
  choice: ColourApart | null;
  /** Whether several pages share a sheet. */
  isWholeSheets: boolean;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** The choice to print only pages with colour in colour, with the totals of both ways. */
function ColourApartField({ choice, isWholeSheets, isOn, onChange }: ColourApartFieldProps) {
  return (
    <label className={classes.apart}>
      <input
        type="checkbox"
        name="isColourApart"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {choice ? (
        <span>
          <strong>
            {formatCount(choice.colourPages)} of {pagesText(choice.pages)} in {choice.colour.name}, the rest
            in {choice.black.name}: {formatPaise(choice.apartPaise)} instead of{" "}
            {formatPaise(choice.wholePaise)}
          </strong>{" "}
          {isWholeSheets && "A sheet with any colour is printed in colour as a whole. "}
          The shop prints them separately and puts them together in order.
        </span>
      ) : (
        <strong>Use colour only for colour pages</strong>
      )}
    </label>
  );
}

function PagesField({ plan, change }: Pick<PrintOptionsProps, "plan" | "change">) {
  const { totalPages, pages, files } = plan;
  const none = totalPages === 0;

  function hint(): string {
    if (none) {
      return files.length > 0 ? "No pages are selected above" : "Counted once your files are uploaded";
    }
    return pages !== "" && pages < totalPages
      ? willPrintText(files)
      : `Lower it to print only the first of your ${pagesText(totalPages)}`;
  }

  return (
    <CountField
      {...FIELD}
      items="pages"
      label="Number of pages"
      name="noOfPages"
      description={hint()}
      max={totalPages}
      disabled={none}
      value={none ? "" : pages}
      error={!none && pages === "" && "Number of pages is required"}
      onChange={(count) => change({ pages: count === totalPages ? "all" : count })}
    />
  );
}

/** How many of the pages to print have colour, as far as the server knows; "" if unknown. */
function colourHint({ colours }: PrintPlan): string {
  if (!colours) return "";
  return colours.isPending ? "Checking your files for colour…" : (colourText(colours) ?? "");
}
