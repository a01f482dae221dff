import { Button } from "@mantine/core";
import { type PageChecks, pageNotes, rangesWithoutBlank } from "#shared/page-checks.ts";
import { paperNamed } from "#shared/paper-sizes.ts";
import classes from "./file-row.module.css";
import { MAX_TYPED_RANGES, type OrderPageData } from "./print-file.ts";

export interface FileNotesProps {
  printed: OrderPageData;
  checks: PageChecks;
  /** The name of the paper that it is printed on. */
  paperName: string;
  /** Called with the ranges that leave blank pages out. */
  onRanges: (ranges: string) => void;
}

/** What the student should know of a file's pages before paying. */
export function FileNotes({ printed, checks, paperName, onRanges }: FileNotesProps) {
  const file = { ...printed, ...checks };
  const notes = pageNotes(file, paperNamed(paperName));
  if (notes.length === 0) return null;
  const withoutBlank = rangesWithoutBlank(file);
  return (
    <ul className={classes.notes} aria-label={`About the pages of ${printed.name}`}>
      {notes.map((note, place) => (
        <li key={note}>
          {note}
          {place === 0 && withoutBlank !== null && withoutBlank.length <= MAX_TYPED_RANGES && (
            <Button
              size="compact-md"
              variant="default"
              aria-label={`Leave out the blank pages of ${printed.name}`}
              onClick={() => onRanges(withoutBlank)}
            >
              Leave out
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
