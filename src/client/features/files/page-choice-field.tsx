import "#client/ui/theme/form-styles.ts";
import { TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import { type KeyboardEvent, useId, useRef } from "react";
import { choosePages, MAX_TYPED_RANGES, type PageChoice } from "./page-choice.ts";
import classes from "./page-choice-field.module.css";
import type { PrintFile, UploadedPrint } from "./print-file.ts";

/** What is said of the pages follows the typing with this delay, so that a half-written range is no error yet. */
const QUIET_MS = 400;

interface PageChoiceFieldProps {
  file: PrintFile;
  uploaded: UploadedPrint;
  /** Told what the student types; empty for all pages. */
  onChange: (ranges: string) => void;
}

/** Which pages of a file are printed: all of them, until the student opens the field and says which. */
export function PageChoiceField({ file, uploaded, onChange }: PageChoiceFieldProps) {
  const choice = choosePages(uploaded.pages, file.ranges);
  const [isShown, { toggle, close }] = useDisclosure(choice.problem !== null);
  const [settled] = useDebouncedValue(choice, QUIET_MS);
  const button = useRef<HTMLButtonElement>(null);
  const fieldId = useId();
  const text = isShown ? "Pages to print" : `Pages to print: ${summarise(uploaded, choice)}`;

  function leave(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (choice.problem) return;
    close();
    button.current?.focus();
  }

  return (
    <div className={classes.choice}>
      <button
        ref={button}
        type="button"
        className={classes.toggle}
        aria-expanded={isShown}
        aria-controls={fieldId}
        aria-label={`${text} (${file.name})`}
        onClick={() => choice.problem === null && toggle()}
      >
        {text}
        <IconChevronDown size={16} aria-hidden="true" />
      </button>
      <div id={fieldId}>
        {isShown && (
          <TextInput
            size="md"
            aria-label={`Pages to print of ${file.name}`}
            placeholder={`1-${uploaded.pages}`}
            description={settled.problem ? undefined : hint(uploaded, settled)}
            error={settled.problem}
            inputWrapperOrder={["input", "error", "description"]}
            autoComplete="off"
            maxLength={MAX_TYPED_RANGES}
            value={file.ranges ?? ""}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            onKeyDown={leave}
          />
        )}
      </div>
    </div>
  );
}

/** "all", or "1-10, 15 (11 of 32)". */
function summarise({ pages }: UploadedPrint, { pageRanges, chosenPages }: PageChoice): string {
  return pageRanges ? `${pageRanges} (${chosenPages} of ${pages})` : "all";
}

function hint(uploaded: UploadedPrint, choice: PageChoice): string {
  return choice.pageRanges
    ? `Prints pages ${summarise(uploaded, choice)}`
    : "Such as 1-10, 15, 20-. Left empty, all are printed";
}
