import { type Dispatch, type KeyboardEvent, useRef } from "react";
import { flushSync } from "react-dom";
import type { OptionKind } from "#shared/options.ts";
import { findRow, focusInRow, moveByKey } from "./grid-keys.ts";
import type { PriceAction } from "./price-editing.ts";

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
