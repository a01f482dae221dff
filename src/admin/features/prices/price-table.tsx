import { Draggable, type DraggableProvidedDragHandleProps, Droppable } from "@hello-pangea/dnd";
import { Title } from "@mantine/core";
import {
  type ClipboardEvent,
  type ComponentProps,
  type Dispatch,
  type KeyboardEvent,
  memo,
  useId,
  useRef,
} from "react";
import { flushSync } from "react-dom";
import { BASES, type Basis, OPTION_FIELDS, type OptionKind } from "#shared/options.ts";
import TbGripVertical from "~icons/tabler/grip-vertical";
import TbTrash from "~icons/tabler/trash";
import { focusInRow } from "./grid-keys.ts";
import {
  COLUMN_LABELS,
  type Column,
  columnsOf,
  formatTypedPrice,
  isTable,
  readPasted,
} from "./price-cells.ts";
import type { PriceEdit } from "./price-draft.ts";
import { type DraftRow, isBlank, type PriceIssue } from "./price-draft.ts";
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
      {whole && <p className={classes.listIssue}>{whole.message}</p>}
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

const NO_ISSUES: PriceIssue[] = [];

/** One constant empty list for rows without errors, so that memoised rows do not render again. */
function issuesOf({ key }: DraftRow, issues: readonly PriceIssue[]): readonly PriceIssue[] {
  const own = issues.filter(({ row }) => row === key);
  return own.length > 0 ? own : NO_ISSUES;
}

interface PriceRowProps {
  kind: OptionKind;
  row: DraftRow;
  /** Position in the list, from 0. */
  index: number;
  issues: readonly PriceIssue[];
  handle: DraggableProvidedDragHandleProps | null;
  dispatch: Dispatch<PriceEdit>;
  onPasteIssues: (issues: string[]) => void;
}

/** An option as a row of fields. */
const PriceRow = memo(function PriceRow(props: PriceRowProps) {
  const { kind, row, index, issues, handle, dispatch, onPasteIssues } = props;
  const isNew = isBlank(row);
  const issueId = useId();
  const change = (change: Partial<DraftRow>) => dispatch({ type: "cell", kind, row: row.key, change });
  const label = (column: string) =>
    isNew
      ? `${column} of a new option, ${OPTION_FIELDS[kind].label}`
      : `${column} of ${row.name.trim() || `option ${index + 1}`}, ${OPTION_FIELDS[kind].label}`;
  const invalid = (column: PriceIssue["column"]) =>
    issues.some((issue) => issue.column === column)
      ? { "aria-invalid": true, "aria-describedby": issueId }
      : {};

  function paste(event: ClipboardEvent, column: Column) {
    const text = event.clipboardData.getData("text/plain");
    if (!isTable(text)) return;
    event.preventDefault();
    const pasted = readPasted(text, kind, column);
    dispatch({ type: "paste", kind, row: row.key, rows: pasted.rows });
    onPasteIssues(pasted.issues);
  }

  return (
    <>
      {handle ? (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the library gives the handle its role and instructions
        <span
          {...handle}
          tabIndex={-1}
          data-column="handle"
          aria-label={`Move ${row.name || `option ${index + 1}`}`}
          className={classes.handle}
        >
          <TbGripVertical size={16} />
        </span>
      ) : (
        <span className={classes.handle} />
      )}
      <TextCell
        data-column="name"
        className={classes.name}
        aria-label={label("Name")}
        placeholder={isNew ? "New option" : undefined}
        value={row.name}
        maxLength={80}
        onValue={(name) => change({ name })}
        onPaste={(event) => paste(event, "name")}
        {...invalid("name")}
      />
      <TextCell
        data-column="price"
        className={classes.price}
        aria-label={label("Price in rupees")}
        inputMode="decimal"
        value={row.price}
        onValue={(price) => change({ price })}
        onBlur={() =>
          formatTypedPrice(row.price) !== row.price && change({ price: formatTypedPrice(row.price) })
        }
        onPaste={(event) => paste(event, "price")}
        {...invalid("price")}
      />
      <select
        data-column="basis"
        className={classes.basis}
        aria-label={label("Basis")}
        value={row.basis}
        onChange={(event) => change({ basis: event.currentTarget.value as Basis })}
        onPaste={(event) => paste(event, "basis")}
      >
        {BASES.map((basis) => (
          <option key={basis}>{basis}</option>
        ))}
      </select>
      {kind === "printingSides" && (
        <select
          data-column="sides"
          className={classes.sides}
          aria-label={label("Sides")}
          value={row.sides}
          onChange={(event) => change({ sides: event.currentTarget.value === "2" ? 2 : 1 })}
          onPaste={(event) => paste(event, "sides")}
        >
          <option value="1">one</option>
          <option value="2">both</option>
        </select>
      )}
      {kind === "printedColours" && (
        <select
          data-column="inColour"
          className={classes.sides}
          aria-label={label("Ink")}
          value={row.inColour ? "colour" : "black"}
          onChange={(event) => change({ inColour: event.currentTarget.value === "colour" })}
          onPaste={(event) => paste(event, "inColour")}
        >
          <option>black</option>
          <option>colour</option>
        </select>
      )}
      <span className={classes.active}>
        <input
          type="checkbox"
          data-column="active"
          aria-label={label("Offered")}
          checked={row.active}
          onChange={(event) => change({ active: event.currentTarget.checked })}
        />
      </span>
      {isNew ? (
        <span className={classes.remove} />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          data-column="remove"
          className={classes.remove}
          aria-label={label("Remove").replace(" of ", " ")}
          onClick={({ currentTarget }) => {
            const next = currentTarget.closest("[data-row]")?.nextElementSibling;
            dispatch({ type: "remove", kind, row: row.key });
            focusInRow(next, "remove");
          }}
        >
          <TbTrash size={16} />
        </button>
      )}
      {issues.length > 0 && (
        <p id={issueId} className={classes.issue}>
          {issues.map(({ message }) => message).join(". ")}
        </p>
      )}
    </>
  );
});

interface TextCellProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  value: string;
  onValue: (text: string) => void;
}

/** A text cell: focus selects its text, Escape restores it. */
function TextCell({ value, onValue, ...props }: TextCellProps) {
  const before = useRef(value);

  function keyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== "Escape" || value === before.current) return;
    event.preventDefault();
    flushSync(() => onValue(before.current));
    event.currentTarget.select();
  }

  return (
    <input
      type="text"
      autoComplete="off"
      {...props}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      onFocus={(event) => {
        before.current = value;
        event.currentTarget.select();
      }}
      onKeyDown={keyDown}
    />
  );
}
