import "../../ui/form-styles.ts";
import { TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { type ComponentPropsWithRef, type KeyboardEvent, useId, useRef } from "react";
import { countPrinted, NO_PAGES } from "#shared/print-pages.ts";
import TbChevronDown from "~icons/tabler/chevron-down";
import classes from "./file-row.module.css";
import { choosePages, MAX_TYPED_RANGES, type OrderPageData, type PrintFile } from "./print-file.ts";

/** Delay of messages about the typed ranges, so that a half-typed one is not reported as an error. */
const DEBOUNCE_MS = 400;

interface PageChoiceFieldProps {
  file: PrintFile;
  /** Which pages are printed: the chosen ones, or fewer if the number of pages is lower. */
  printed: OrderPageData;
  /** Called with the typed text; empty for all pages. */
  onChange: (ranges: string) => void;
}

interface PageChoiceProps extends PageChoiceFieldProps {
  /** Opens the pages of the file. */
  onOpen: () => void;
}

/** Pages are chosen by their numbers, photos by looking at them. */
export function PageChoice({ onOpen, ...field }: PageChoiceProps) {
  const { file, printed } = field;
  if (!file.arePhotos) return <PageChoiceField {...field} />;
  const count = countPrinted([printed]);
  const all = count === printed.pages;
  const text = `Photos to print: ${all ? "all" : `${count} of ${printed.pages}`}`;
  return (
    <button type="button" className={classes.toggle} aria-label={`${text} (${file.name})`} onClick={onOpen}>
      {text}
    </button>
  );
}

/** Which pages of a file are printed: all, unless the student opens the field and enters ranges. */
function PageChoiceField({ file, printed, onChange }: PageChoiceFieldProps) {
  const choice = choosePages(printed.pages, file.ranges);
  const isLimited = choice.problem === null && choice.pageRanges !== printed.pageRanges;
  const [isShown, { toggle, close }] = useDisclosure(choice.problem !== null);
  const [settled] = useDebouncedValue(choice, DEBOUNCE_MS);
  const button = useRef<HTMLButtonElement>(null);
  const fieldId = useId();
  const text = isShown ? "Pages to print" : `Pages to print: ${summarise(printed)}`;

  function leave(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (choice.problem) return;
    close();
    button.current?.focus();
  }

  return (
    <div className={classes.choice}>
      <RowToggle
        ref={button}
        text={text}
        name={file.name}
        isOpen={isShown}
        fieldId={fieldId}
        onClick={() => (!isShown || choice.problem === null) && toggle()}
      />
      <div id={fieldId}>
        {isShown && (
          <TextInput
            size="md"
            aria-label={`Pages to print of ${file.name}`}
            placeholder={`1-${printed.pages}`}
            description={settled.problem ? undefined : hint(printed, isLimited)}
            error={settled.problem}
            inputWrapperOrder={["input", "error", "description"]}
            autoComplete="off"
            maxLength={MAX_TYPED_RANGES}
            value={(isLimited ? printed.pageRanges : file.ranges) ?? ""}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            onKeyDown={leave}
          />
        )}
      </div>
    </div>
  );
}

interface RowToggleProps extends Pick<ComponentPropsWithRef<"button">, "ref" | "onClick"> {
  text: string;
  /** Name of the file. */
  name: string;
  isOpen: boolean;
  /** Id of what it opens. */
  fieldId: string;
}

/** Opens and closes what can be chosen in the row of a file. */
export function RowToggle({ text, name, isOpen, fieldId, ...props }: RowToggleProps) {
  return (
    <button
      {...props}
      type="button"
      className={classes.toggle}
      aria-expanded={isOpen}
      aria-controls={fieldId}
      aria-label={`${text} (${name})`}
    >
      {text}
      <TbChevronDown size={16} />
    </button>
  );
}

/** "all", "none", or "1-10, 15 (11 of 32)". */
function summarise(printed: OrderPageData): string {
  const { pages, pageRanges } = printed;
  if (pageRanges === null) return "all";
  return pageRanges === NO_PAGES ? NO_PAGES : `${pageRanges} (${countPrinted([printed])} of ${pages})`;
}

function hint(printed: OrderPageData, isLimited: boolean): string {
  if (printed.pageRanges === NO_PAGES) {
    return isLimited
      ? "Not printed: your number of pages is used up before this file"
      : "Not printed. Leave empty to print all pages";
  }
  return printed.pageRanges
    ? `Prints ${countPrinted([printed]) === 1 ? "page" : "pages"} ${summarise(printed)}`
    : "For example 1-10, 15, 20-. Leave empty to print all pages";
}
