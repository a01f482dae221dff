import { type Dispatch, type KeyboardEvent, useRef } from "react";
import { flushSync } from "react-dom";
import type { OptionKind } from "#shared/options.ts";
import type { PriceAction } from "./price-draft.ts";

// Rows have `data-row`; focusable elements in them have `data-column`.
const CELL = "[data-column]";
const ROW = "[data-row]";

/**
 * Moves the focus between cells like a spreadsheet: by arrow keys, and by Enter down the column or to the name of a
 * new row. Up and down continue in the next list.
 */
function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const cell = (event.target as Element).closest<HTMLElement>(CELL);
  if (!cell || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = stepOf(event, cell);
  if (!step) return;
  event.preventDefault();
  if (step === "left" || step === "right") {
    focusBeside(cell, step);
  } else {
    const row = rowBeside(event.currentTarget, cell, step);
    const startsAnew = event.key === "Enter" && row?.dataset.blank !== undefined;
    focusInRow(row, startsAnew ? "name" : cell.dataset.column);
  }
}

type Step = "up" | "down" | "left" | "right";

function stepOf({ key, shiftKey }: KeyboardEvent, cell: HTMLElement): Step | null {
  if (key === "Enter") return cell instanceof HTMLButtonElement ? null : shiftKey ? "up" : "down";
  if (shiftKey) return null;
  if (key === "ArrowUp") return "up";
  if (key === "ArrowDown") return "down";
  if (key === "ArrowLeft") return isAtEdge(cell, "left") ? "left" : null;
  if (key === "ArrowRight") return isAtEdge(cell, "right") ? "right" : null;
  return null;
}

/** Whether the caret is at the end of the text, or all of it is selected; otherwise the arrows move the caret. */
function isAtEdge(cell: HTMLElement, side: "left" | "right"): boolean {
  if (!(cell instanceof HTMLInputElement) || cell.type !== "text") return true;
  const { selectionStart: start, selectionEnd: end, value } = cell;
  if (start === 0 && end === value.length) return true;
  if (start !== end) return false;
  return side === "left" ? start === 0 : start === value.length;
}

function rowBeside(grid: Element, cell: Element, step: "up" | "down"): HTMLElement | undefined {
  const rows = [...grid.querySelectorAll<HTMLElement>(ROW)];
  const index = rows.findIndex((row) => row.contains(cell));
  return rows[index + (step === "down" ? 1 : -1)];
}

function focusBeside(cell: HTMLElement, step: "left" | "right"): void {
  const cells = [...(cell.closest(ROW)?.querySelectorAll<HTMLElement>(CELL) ?? [])];
  cells[cells.indexOf(cell) + (step === "right" ? 1 : -1)]?.focus();
}

/** Focuses a column of a row, or its name if it has no such column. */
export function focusInRow(row: Element | null | undefined, column: string | undefined): void {
  const cell = row?.querySelector<HTMLElement>(`[data-column="${column}"]`);
  (cell ?? row?.querySelector<HTMLElement>('[data-column="name"]'))?.focus();
}

/** The row with this key. */
export function findRow(grid: Element, key: string): Element | null {
  return grid.querySelector(`[data-row="${CSS.escape(key)}"]`);
}

interface EditorKeys {
  dispatch: Dispatch<PriceAction>;
  onSave: () => void;
}

/** Keyboard handling of the lists. Pass `ref` and `onKeyDown` to the element around them. */
export function useEditorKeys({ dispatch, onSave }: EditorKeys) {
  const ref = useRef<HTMLDivElement>(null);

  function editRow(event: KeyboardEvent): boolean {
    const cell = (event.target as Element).closest<HTMLElement>("[data-column]");
    const row = cell?.closest<HTMLElement>("[data-row]");
    if (!cell || !row) return false;
    const {
      kind,
      row: key = "",
      index = "",
    } = row.dataset as { kind: OptionKind; row: string; index: string };
    const from = Number(index);
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const to = event.key === "ArrowUp" ? from - 1 : from + 1;
      flushSync(() => dispatch({ type: "move", kind, from, to }));
      if (ref.current) focusInRow(findRow(ref.current, key), cell.dataset.column);
      return true;
    }
    if ((event.ctrlKey || event.metaKey) && event.key === "Delete") {
      const next = row.nextElementSibling;
      if (!next) return true;
      dispatch({ type: "remove", kind, row: key });
      focusInRow(next, cell.dataset.column);
      return true;
    }
    return false;
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.defaultPrevented) return;
    const mod = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const letter = event.key.toLowerCase();
    if (mod && letter === "s") onSave();
    else if (mod && letter === "z") dispatch({ type: "undo" });
    else if (!editRow(event)) return moveByKey(event);
    event.preventDefault();
  }

  return { ref, onKeyDown };
}
