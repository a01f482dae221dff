import { DragDropContext, type DropResult } from "@hello-pangea/dnd";
import { Stack, Text, useMantineStyleNonce } from "@mantine/core";
import { useEffect, useState } from "react";
import { showRefusal } from "#admin/lib/notices.ts";
import { useShortcuts } from "#admin/lib/shortcuts.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { comparePriceLists, type PriceLists } from "#shared/price-list.ts";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { findRow, focusInRow } from "./grid-keys.ts";
import { PriceConflict } from "./price-conflict.tsx";
import { redraft, toDraft } from "./price-draft.ts";
import { usePriceEditing } from "./price-editing.ts";
import classes from "./price-editor.module.css";
import { findFaults, type PriceFault, toLists, toNamedLists } from "./price-faults.ts";
import { rebaseLists } from "./price-merge.ts";
import { PriceTable } from "./price-table.tsx";
import { PriceTools } from "./price-tools.tsx";
import { SamplePanel } from "./sample-panel.tsx";
import { SaveBar } from "./save-bar.tsx";
import { useEditorKeys } from "./use-editor-keys.ts";
import { useSavePrices } from "./use-save-prices.ts";

interface PriceEditorProps {
  shopId: string;
  /** Whether students see the shop, so that each list needs something to choose. */
  isShown: boolean;
  /** The list as it is saved now: newer than what is edited once someone else has saved. */
  latest: { version: number; savedBy: string | null; savedAt: string | null; lists: PriceLists };
}

/** All six lists of a shop as one spreadsheet, saved as one. */
export function PriceEditor({ shopId, isShown, latest }: PriceEditorProps) {
  const nonce = useMantineStyleNonce()?.();
  const [editing, dispatch] = usePriceEditing(latest);
  const [wasRefused, setWasRefused] = useState(false);
  const { base, draft, past } = editing;
  const lists = toLists(draft);
  const changes = comparePriceLists(base.lists, lists);
  const faults = findFaults(draft, isShown);
  const isStale = latest.version > base.version;
  const { isSaving, save } = useSavePrices(shopId, editing, dispatch);
  const keys = useEditorKeys({ dispatch, onSave: trySaving });
  const undo = () => dispatch({ type: "undo" });
  useShortcuts("Price list", [
    { keys: "mod+S", label: "Save", run: trySaving },
    { keys: "mod+Z", label: "Undo", run: undo },
  ]);

  const isUntouched = changes.length === 0;
  useEffect(() => {
    if (isStale && isUntouched) dispatch({ type: "rebase", base: latest });
  }, [isStale, isUntouched, latest, dispatch]);

  function trySaving() {
    const [fault] = faults;
    setWasRefused(fault !== undefined);
    if (fault) focusFault(fault);
    else if (changes.length > 0) save();
  }

  function focusFault({ kind, row, column }: PriceFault) {
    const key = row ?? draft[kind][0]?.key ?? "";
    if (keys.ref.current) focusInRow(findRow(keys.ref.current, key), column ?? "name");
  }

  function drop({ source, destination }: DropResult) {
    if (!destination) return;
    const kind = source.droppableId as OptionKind;
    dispatch({ type: "move", kind, from: source.index, to: destination.index });
  }

  function mergeTheirs() {
    const merged = rebaseLists(base.lists, lists, latest.lists);
    dispatch({ type: "rebase", base: latest, draft: toDraft(merged) });
  }

  return (
    <>
      <Stack gap="sm" mb="md">
        <PriceTools
          shopId={shopId}
          lists={toNamedLists(draft)}
          hasFaults={faults.some(({ column }) => column !== null)}
          onReplace={(next) => dispatch({ type: "replace", draft: redraft(draft, next) })}
        />
        {isStale && !isUntouched && (
          <PriceConflict
            theirs={latest}
            base={base.lists}
            onMerge={mergeTheirs}
            onTakeTheirs={() => dispatch({ type: "rebase", base: latest })}
          />
        )}
      </Stack>
      <div className={classes.columns}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the fields in it */}
        <div ref={keys.ref} onKeyDown={keys.onKeyDown} className={classes.lists}>
          <Text c="dimmed" size="sm" visibleFrom="sm">
            Enter and the arrow keys go from cell to cell, Alt with the up or down arrow moves a row, Ctrl
            with Delete removes it. Rows copied from a spreadsheet can be pasted into any cell.
          </Text>
          <DragDropContext onDragEnd={drop} nonce={nonce}>
            {OPTION_KINDS.map((kind) => (
              <PriceTable
                key={kind}
                kind={kind}
                rows={draft[kind]}
                faults={faults.filter((fault) => fault.kind === kind)}
                dispatch={dispatch}
                onPasteFaults={sayPasteFaults}
              />
            ))}
          </DragDropContext>
        </div>
        <SamplePanel saved={base.lists} typed={toNamedLists(draft)} />
      </div>
      <SaveBar
        changes={changes}
        obstacle={wasRefused && faults.length > 0 ? obstacleText(faults) : null}
        canUndo={past.length > 0}
        isSaving={isSaving}
        onUndo={undo}
        onDiscard={() => dispatch({ type: "rebase", base })}
        onSave={trySaving}
      />
      <LeaveGuard active={!isUntouched} />
    </>
  );
}

function sayPasteFaults(faults: string[]): void {
  if (faults.length > 0) showRefusal(faults.join(". "));
}

function obstacleText([first, ...others]: PriceFault[]): string {
  if (others.length === 0) return `Not saved: ${first?.message}`;
  return `Not saved: ${others.length + 1} places need correcting`;
}
