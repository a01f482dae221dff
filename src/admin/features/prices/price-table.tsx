import { Draggable, Droppable } from "@hello-pangea/dnd";
import { Title } from "@mantine/core";
import { type Dispatch, useId } from "react";
import { OPTION_FIELDS, type OptionKind } from "#shared/options.ts";
import { COLUMN_LABELS } from "./price-cells.ts";
import { type DraftRow, isBlank } from "./price-draft.ts";
import type { PriceEdit } from "./price-editing.ts";
import type { PriceIssue } from "./price-issues.ts";
import { columnsOf } from "./price-paste.ts";
import { PriceRow } from "./price-row.tsx";
import classes from "./price-table.module.css";

interface PriceTableProps {
  kind: OptionKind;
  rows: readonly DraftRow[];
  /** Errors of this list. */
  issues: readonly PriceIssue[];
  dispatch: Dispatch<PriceEdit>;
  onPasteIssues: (issues: string[]) => void;
}

/** One of the six lists as a spreadsheet. */
export function PriceTable({ kind, rows, issues, dispatch, onPasteIssues }: PriceTableProps) {
  const titleId = useId();
  const whole = issues.find(({ row }) => row === null);
  return (
    <section className={classes.list}>
      <Title order={2} size="h6" id={titleId} className={classes.title}>
        {OPTION_FIELDS[kind].label}
      </Title>
      <Headings kind={kind} />
      <Droppable droppableId={kind} type={kind}>
        {({ innerRef, droppableProps, placeholder }) => (
          <ul ref={innerRef} {...droppableProps} aria-labelledby={titleId} className={classes.rows}>
            {rows.map((row, index) => (
              <Draggable
                key={row.key}
                draggableId={row.key}
                index={index}
                isDragDisabled={index === rows.length - 1}
              >
                {({ innerRef, draggableProps, dragHandleProps }, { isDragging }) => (
                  <li
                    ref={innerRef}
                    {...draggableProps}
                    data-row={row.key}
                    data-kind={kind}
                    data-index={index}
                    data-dragging={isDragging || undefined}
                    data-blank={isBlank(row) || undefined}
                    data-off={!row.active || undefined}
                    className={classes.row}
                  >
                    <PriceRow
                      kind={kind}
                      row={row}
                      index={index}
                      isBlank={isBlank(row)}
                      issues={issuesOf(row, issues)}
                      handle={dragHandleProps}
                      dispatch={dispatch}
                      onPasteIssues={onPasteIssues}
                    />
                  </li>
                )}
              </Draggable>
            ))}
            {placeholder}
          </ul>
        )}
      </Droppable>
      {whole && <p className={classes.issue}>{whole.message}</p>}
    </section>
  );
}

/** Hidden from screen readers: every field has its own label. */
function Headings({ kind }: { kind: OptionKind }) {
  return (
    <div className={classes.headings} aria-hidden="true">
      {columnsOf(kind).map((column) => (
        <span key={column} data-heading={column}>
          {COLUMN_LABELS[column]}
        </span>
      ))}
    </div>
  );
}

const NO_FAULTS: PriceIssue[] = [];

/** One constant empty list for rows without errors, so that memoised rows do not render again. */
function issuesOf({ key }: DraftRow, issues: readonly PriceIssue[]): readonly PriceIssue[] {
  const own = issues.filter(({ row }) => row === key);
  return own.length > 0 ? own : NO_FAULTS;
}
