import { DragDropContext, type DropResult } from "@hello-pangea/dnd";
import { Alert, Button, Group, Stack, Text, useMantineStyleNonce } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type Dispatch, useEffect, useRef, useState } from "react";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { comparePriceLists, type PriceChange, type PriceLists } from "#shared/price-list.ts";
import type { PriceListsInput } from "#shared/schemas/prices.ts";
import { codeOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone, showFailure, showRefusal } from "../../lib/notices.tsx";
import { useShortcuts } from "../../lib/shortcuts.tsx";
import { recentText } from "../../lib/times.ts";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Loader, QueryFailure } from "../../ui/screen.tsx";
import { ChangeList } from "./change-list.tsx";
import { FirstPrices } from "./first-prices.tsx";
import { findRow, focusInRow, useEditorKeys } from "./grid-keys.ts";
import {
  findIssues,
  type PriceAction,
  type PriceDraft,
  type PriceEditing,
  type PriceIssue,
  redraft,
  toDraft,
  toLists,
  toNamedLists,
  usePriceEditing,
} from "./price-draft.ts";
import classes from "./price-editor.module.css";
import { rebaseLists } from "./price-list-changes.ts";
import { PriceTable } from "./price-table.tsx";
import { PriceTools } from "./price-tools.tsx";
import { SamplePanel } from "./sample-panel.tsx";

/** How soon an editor notices that somebody else has saved. */
const REFETCH_MS = 20_000;

export function PricesScreen({ shopId }: { shopId: string }) {
  const shop = trpc.shops.admin.byId.useQuery({ shopId });
  const prices = trpc.prices.get.useQuery({ shopId }, { staleTime: 0, refetchInterval: REFETCH_MS });
  const [isSkipped, setSkipped] = useState(false);
  const [typed, setTyped] = useState<PriceDraft | null>(null);
  if (shop.data && prices.data) {
    const { version, lists } = prices.data;
    if (!isSkipped && OPTION_KINDS.every((kind) => lists[kind].length === 0)) {
      return (
        <FirstPrices
          shopId={shopId}
          shopName={shop.data.shopName}
          isHidden={shop.data.hidden}
          version={version}
          onType={setTyped}
          onSkip={() => {
            setTyped(null);
            setSkipped(true);
          }}
        />
      );
    }
    return <PriceEditor shopId={shopId} isShown={!shop.data.hidden} latest={prices.data} typed={typed} />;
  }
  const failed = [shop, prices].find(({ error }) => error !== null);
  return failed ? <QueryFailure title="The prices could not be loaded" query={failed} /> : <Loader />;
}

interface PriceEditorProps {
  shopId: string;
  /** Whether students see the shop; then each list needs an active option. */
  isShown: boolean;
  /** The list as saved now: newer than the edited one if somebody else has saved. */
  latest: { version: number; savedBy: string | null; savedAt: string | null; lists: PriceLists };
  /** The first list that was being typed when somebody else saved one. */
  typed: PriceDraft | null;
}

/** All six lists of a shop as one spreadsheet, saved together. */
function PriceEditor({ shopId, isShown, latest, typed }: PriceEditorProps) {
  const nonce = useMantineStyleNonce()?.();
  const [editing, dispatch] = usePriceEditing(latest, typed);
  const [wasRefused, setWasRefused] = useState(false);
  const { base, draft, past } = editing;
  const lists = toLists(draft);
  const changes = comparePriceLists(base.lists, lists);
  const issues = findIssues(draft, isShown);
  const wrongCell = issues.find(({ column }) => column !== null);
  const isStale = latest.version > base.version;
  const { isSaving, save } = useSavePrices(shopId, editing, dispatch);
  const keys = useEditorKeys({ dispatch, onSave: trySaving });
  const undo = () => dispatch({ type: "undo" });
  useShortcuts("Price list", [
    { keys: "mod+S", label: "Save", run: trySaving },
    { keys: "mod+Z", label: "Undo", run: undo },
  ]);

  const isUntouched = changes.length === 0;
  const merged = isStale && !wrongCell ? rebaseLists(base.lists, lists, latest.lists) : null;
  // My own save may be the newer one, if its answer was lost.
  const isSaved = merged !== null && comparePriceLists(latest.lists, merged).length === 0;
  useEffect(() => {
    if (isStale && (isUntouched || isSaved)) dispatch({ type: "rebase", base: latest });
  }, [isStale, isUntouched, isSaved, latest, dispatch]);

  function trySaving() {
    const [issue] = issues;
    setWasRefused(issue !== undefined);
    if (issue) focusIssue(issue);
    else if (changes.length > 0) save();
  }

  function focusIssue({ kind, row, column }: PriceIssue) {
    const key = row ?? draft[kind][0]?.key ?? "";
    if (keys.ref.current) focusInRow(findRow(keys.ref.current, key), column ?? "name");
  }

  function drop({ source, destination }: DropResult) {
    if (!destination) return;
    const kind = source.droppableId as OptionKind;
    dispatch({ type: "move", kind, from: source.index, to: destination.index });
  }

  function mergeTheirs() {
    // A price that cannot be read would be merged as 0.
    if (wrongCell) {
      showRefusal("Correct the cells in red first");
      focusIssue(wrongCell);
      return;
    }
    if (merged) dispatch({ type: "rebase", base: latest, draft: toDraft(merged) });
  }

  return (
    <>
      <Stack gap="sm" mb="md">
        <PriceTools
          shopId={shopId}
          lists={toNamedLists(draft)}
          hasIssues={wrongCell !== undefined}
          onReplace={(next) => dispatch({ type: "replace", draft: redraft(draft, next) })}
        />
        {isStale && !isUntouched && !isSaved && (
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
            Use Enter and the arrow keys to move between cells, Alt with the up or down arrow to move a row,
            and Ctrl with Delete to remove it. Rows copied from a spreadsheet can be pasted into any cell.
          </Text>
          <DragDropContext onDragEnd={drop} nonce={nonce}>
            {OPTION_KINDS.map((kind) => (
              <PriceTable
                key={kind}
                kind={kind}
                rows={draft[kind]}
                issues={issues.filter((issue) => issue.kind === kind)}
                dispatch={dispatch}
                onPasteIssues={showPasteIssues}
              />
            ))}
          </DragDropContext>
        </div>
        <SamplePanel saved={base.lists} typed={toNamedLists(draft)} />
      </div>
      <SaveBar
        changes={changes}
        obstacle={wasRefused && issues.length > 0 ? obstacleText(issues) : null}
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

function showPasteIssues(issues: string[]): void {
  if (issues.length > 0) showRefusal(issues.join(". "));
}

function obstacleText([first, ...others]: PriceIssue[]): string {
  if (others.length === 0) return `Not saved: ${first?.message}`;
  return `Not saved: ${others.length + 1} places need correcting`;
}

/** Saves a draft with the version that it is based on. On a version conflict the other list is fetched. */
function useSavePrices(shopId: string, editing: PriceEditing, dispatch: Dispatch<PriceAction>) {
  const utils = trpc.useUtils();
  const sent = useRef(editing.draft);
  const save = trpc.prices.save.useMutation({
    onSuccess: async (saved) => {
      utils.prices.get.setData({ shopId }, saved);
      dispatch({ type: "saved", base: saved, sent: sent.current });
      showDone("The prices are saved. Students see them from now on");
      await utils.shops.invalidate();
    },
    onError: async (error) => {
      if (codeOf(error) === "CONFLICT") await utils.prices.get.invalidate({ shopId });
      else showFailure(error);
    },
  });
  return {
    isSaving: save.isPending,
    save: () => {
      // Saving is disabled while a row is invalid; the server validates every row again.
      const lists = toLists(editing.draft) as PriceListsInput;
      if (save.isPending) return;
      sent.current = editing.draft;
      save.mutate({ shopId, version: editing.base.version, lists });
    },
  };
}

interface PriceConflictProps {
  theirs: { savedBy: string | null; savedAt: string | null; lists: PriceLists };
  /** The common base. */
  base: PriceLists;
  onMerge: () => void;
  onTakeTheirs: () => void;
}

/** A version conflict: somebody else has saved the list. The draft stays until the person decides. */
function PriceConflict({ theirs, base, onMerge, onTakeTheirs }: PriceConflictProps) {
  const [comparing, setComparing] = useState(false);
  const alert = useRef<HTMLDivElement>(null);
  // A list is longer than a phone. Whoever types in a cell goes on there: they are told before they save.
  useEffect(() => {
    if (document.activeElement?.matches("input, select")) return;
    alert.current?.focus({ preventScroll: true });
    alert.current?.scrollIntoView({ block: "center" });
  }, []);
  const when = theirs.savedAt ? `, ${recentText(theirs.savedAt)}` : "";
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      color="red"
      role="alert"
      title={`${theirs.savedBy ?? "Someone else"} saved this price list while you were editing it${when}`}
    >
      Your changes are still here, but not saved.
      <Group gap="xs" mt="xs">
        <Button
          size="xs"
          variant="default"
          aria-expanded={comparing}
          onClick={() => setComparing(!comparing)}
        >
          {comparing ? "Hide their changes" : "See their changes"}
        </Button>
        <Button size="xs" variant="default" onClick={onMerge}>
          Apply my changes to theirs
        </Button>
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Discard my changes
        </Button>
      </Group>
      {comparing && (
        <div style={{ marginTop: "0.75rem" }}>
          <ChangeList changes={comparePriceLists(base, theirs.lists)} />
        </div>
      )}
    </Alert>
  );
}

interface SaveBarProps {
  changes: readonly PriceChange[];
  /** Why the list cannot be saved. */
  obstacle: string | null;
  canUndo: boolean;
  isSaving: boolean;
  onUndo: () => void;
  onDiscard: () => void;
  onSave: () => void;
}

/** The bar with the number of unsaved changes. */
function SaveBar(props: SaveBarProps) {
  const { changes, obstacle, canUndo, isSaving, onUndo, onDiscard, onSave } = props;
  const [looking, look] = useDisclosure();
  const isChanged = changes.length > 0;
  return (
    <div className={classes.bar}>
      <Text role="status" c={obstacle ? "var(--bad)" : undefined}>
        {obstacle ?? countText(changes.length)}
      </Text>
      <Group gap="xs" className={classes.buttons}>
        <Button size="xs" variant="default" disabled={!isChanged} onClick={look.open}>
          See changes
        </Button>
        <Button size="xs" variant="default" disabled={!canUndo} onClick={onUndo}>
          Undo
        </Button>
        <Button size="xs" variant="default" disabled={!canUndo && !isChanged} onClick={onDiscard}>
          Discard
        </Button>
        <Button size="xs" disabled={!isChanged} loading={isSaving} onClick={onSave}>
          Save prices
        </Button>
      </Group>
      <Modal opened={looking} onClose={look.close} title="Unsaved changes" size="lg">
        <ChangeList changes={changes} />
      </Modal>
    </div>
  );
}

function countText(count: number): string {
  if (count === 0) return "All changes saved";
  return count === 1 ? "1 unsaved change" : `${count} unsaved changes`;
}
