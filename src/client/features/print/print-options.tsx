import "../../ui/form-styles.ts";
import {
  type InputWrapperProps,
  NativeSelect,
  Textarea,
  TextInput,
  type TextInputProps,
} from "@mantine/core";
import type { KeyboardEvent } from "react";
import { asciiDigits } from "#shared/digits.ts";
import { formatCount } from "#shared/format.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { MAX_COPIES, MAX_MESSAGE } from "#shared/order-limits.ts";
import { colourText } from "#shared/page-colours.ts";
import { pagesText, willPrintText } from "#shared/print-pages.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import type { SheetLayout } from "#shared/sheet-layout.ts";
import { IconButton } from "#ui/icon-button.tsx";
import TbMinus from "~icons/tabler/minus";
import TbPlus from "~icons/tabler/plus";
import type { Draft } from "./draft.ts";
import { LayoutField, useSideOf } from "./layout-field.tsx";
import { optionChoices } from "./prices.tsx";
import classes from "./print-options.module.css";
import { type ColourApart, type PrintPlan, twoSidedAt } from "./print-plan.ts";

/** Reserves the line of a hint, so that nothing shifts when it appears. */
const NO_HINT = "\u00a0";
/** Descriptions are below the fields, so that fields in a row stay aligned. */
const INPUT_ORDER: InputWrapperProps["inputWrapperOrder"] = ["label", "input", "error", "description"];
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
  const sideOf = useSideOf(twoSided);

  function chooseLayout(layout: SheetLayout) {
    const { _id, sides } = plan.options?.printingSides ?? {};
    const printingSides = _id && sides && sideOf(layout, _id, sides);
    change(printingSides ? { layout, options: { ...draft.options, printingSides } } : { layout });
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

interface CountFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  /** What is counted, such as "copies". */
  items: string;
  max: number;
  /** "" while the field is empty. */
  value: number | "";
  onChange: (value: number | "") => void;
}

/**
 * A whole number from 1 to `max`, typed or stepped by buttons that a thumb can hit. Mantine's NumberInput, which also
 * knows fractions, signs and thousands, would be 8 kB of the print page.
 */
function CountField({ items, max, value, onChange, ...props }: CountFieldProps) {
  const isOff = props.disabled === true;
  // The keyboard has the arrow keys in the field.
  const step = { tabIndex: -1, className: classes.step };

  function setWithin(count: number): void {
    if (!isOff && count >= 1 && count <= max) onChange(count);
  }

  function type(typed: string): void {
    const digits = asciiDigits(typed.trim());
    if (digits === "") onChange("");
    else if (/^\d+$/.test(digits)) setWithin(Number(digits));
  }

  function stepByKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    setWithin(value === "" ? 1 : value + (event.key === "ArrowUp" ? 1 : -1));
  }

  return (
    <TextInput
      {...props}
      role="spinbutton"
      aria-valuemin={1}
      aria-valuemax={max || undefined}
      aria-valuenow={value === "" ? undefined : value}
      inputMode="numeric"
      autoComplete="off"
      inputWrapperOrder={INPUT_ORDER}
      classNames={{ input: classes.input, section: classes.section }}
      leftSectionPointerEvents="all"
      rightSectionPointerEvents="all"
      leftSection={
        <IconButton
          {...step}
          label={`Fewer ${items}`}
          disabled={isOff || value === "" || value <= 1}
          onClick={() => value !== "" && setWithin(value - 1)}
        >
          <TbMinus size={20} />
        </IconButton>
      }
      rightSection={
        <IconButton
          {...step}
          label={`More ${items}`}
          disabled={isOff || (value !== "" && value >= max)}
          onClick={() => setWithin(value === "" ? 1 : value + 1)}
        >
          <TbPlus size={20} />
        </IconButton>
      }
      value={value}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={stepByKey}
    />
  );
}
